"""The panels of the live page: state, buttons, events, camera and plots."""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import viser
from telexist.teleop.terms import Request
from telexist.teleop.viewers.figures import legend_html
from telexist.teleop.viewers.live.live_plots import PERSON_PLOTS, PLOTS, LivePlots
from telexist.teleop.viewers.live.page_update import PageEvent, PageUpdate
from telexist.teleop.viewers.live.person_panel import PersonPanel

__all__ = ["LivePanel", "events_html", "state_html"]

BRAND = (61, 127, 214)
STATE_COLOURS = {
    "idle": "#8a929c",
    "calibrated": "#3d7fd6",
    "engaging": "#c98a1b",
    "active": "#2f9e57",
    "holding": "#c98a1b",
    "stopped": "#d0342c",
}
SHOWN_EVENTS = 60
PLOT_EVERY = 5  # updates; curves change slowly
WIDTH = 320  # [px] of each panel
_BUTTONS = (
    (Request.STOP, "EMERGENCY STOP", viser.Icon.HAND_STOP, "red"),
    (Request.CALIBRATE, "Calibrate", viser.Icon.RULER_2, "blue"),
    (Request.ENGAGE, "Engage", viser.Icon.PLAYER_PLAY, "green"),
    (Request.HOLD, "Hold", viser.Icon.PLAYER_PAUSE, "orange"),
    (Request.RESET, "Reset", viser.Icon.REFRESH, "gray"),
)
_CHANGE = (Request.CHANGE, "Next controller", viser.Icon.ARROWS_EXCHANGE, "blue")
_WATCHED = tuple(row for row in _BUTTONS if row[0] is Request.CALIBRATE)
# Only what makes the robot safer has a key. No space bar: it presses the button that
# was pressed last.
_KEYS = {Request.STOP: "escape", Request.HOLD: "H"}


class LivePanel:
    """Shows a session in words and curves, and passes on what people press.

    Attributes:
        follows: The check box that lets cameras go along with the robot.
    """

    def __init__(
        self,
        server: Any,
        *,
        title: str,
        ask: Callable[[Request, Any], None],
        take_over: Callable[[Any], None],
        robot: bool = True,
        several: bool = False,
    ) -> None:
        """Fill the panels of a viser server.

        Args:
            server: The page.
            title: Above the main panel.
            ask: Takes what was pressed, and viser's event; called from any thread.
            take_over: Takes the event of a browser that wants the buttons.
            robot: Whether there is one to stop, engage and follow.
            several: Whether controllers take turns.
        """
        gui = server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BRAND)
        gui.set_panel_label(title)
        self._ask = ask
        self._state = gui.add_html(state_html("idle", "starting"))
        changes = (_CHANGE,) if several else ()
        self._add_buttons(gui, (*_BUTTONS, *changes) if robot else _WATCHED)
        take = gui.add_button("Take the buttons over", icon=viser.Icon.USER_CHECK)
        take.on_click(take_over)
        self.follows = gui.add_checkbox(
            "Follow the robot", initial_value=True, visible=robot
        )
        self._legend = gui.add_html(legend_html(), visible=False)
        with gui.add_folder("Events"):
            self._events = gui.add_html(events_html(()))
        side = gui.add_panel()
        with side.add_tab("Robot" if robot else "Person", viser.Icon.CHART_LINE):
            blank = np.full((240, 320, 3), 235, dtype=np.uint8)
            self._camera = gui.add_image(blank, label="Head camera", visible=False)
            self._person = PersonPanel(gui)  # hidden until somebody is estimated
            self._plots = LivePlots(gui, PLOTS if robot else PERSON_PLOTS)
        side.dock_left()
        side.set_width(WIDTH)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(WIDTH)
        self._kept: deque[PageEvent] = deque(maxlen=SHOWN_EVENTS)
        self._said = ("idle", "starting")
        self._count = 0

    def _add_buttons(self, gui: Any, buttons: Sequence[tuple[Any, ...]]) -> None:
        for request, label, icon, color in buttons:
            key = _KEYS.get(request)
            hint = f"key: {key}" if key else None
            button = gui.add_button(label, icon=icon, hint=hint, color=color)
            button.on_click(partial(self._pressed, request))
            if key:
                command = gui.add_command(label, hotkey=key, icon=icon)
                command.on_trigger(partial(self._pressed, request))

    def _pressed(self, request: Request, event: object) -> None:
        self._ask(request, event)

    def show(self, update: PageUpdate) -> None:
        """Bring words and curves to an update."""
        said = (update.state, update.notice)
        if said != self._said:
            self._said = said
            self._state.content = state_html(*said)
        if update.events:
            self._kept.extend(update.events)
            self._events.content = events_html(tuple(self._kept))
        if update.marks and not self._legend.visible:
            self._legend.visible = True
        self._person.show(update.stamp, update.person)
        self._plots.add(update.stamp, update.readings)
        self._count += 1
        if self._count % PLOT_EVERY == 0:
            self._plots.draw()

    def show_picture(self, image: np.ndarray) -> None:
        """Show what the head camera sees (h, w, 3) uint8."""
        self._camera.image = image
        self._camera.visible = True


def state_html(state: str, notice: str) -> str:
    """Return the large coloured state, and under it what the operator should read."""
    colour = STATE_COLOURS.get(state, "#444444")
    words = (
        f'<div style="font-size:13px;font-weight:500;margin-top:2px">'
        f"{html.escape(notice)}</div>"
        if notice
        else ""
    )
    return (
        f'<div style="background:{colour};color:white;border-radius:6px;'
        f'margin:0 8px 8px;padding:10px 12px;text-align:center">'
        f'<div style="font-size:24px;font-weight:700;letter-spacing:1px">'
        f"{html.escape(state.upper())}</div>{words}</div>"
    )


def events_html(events: tuple[PageEvent, ...]) -> str:
    """Return the events as a list, newest first."""
    rows = "".join(_event_row(event) for event in reversed(events))
    body = rows or '<div style="color:#888">none yet</div>'
    return (
        '<div style="max-height:180px;overflow-y:auto;margin:0 8px;font-size:12px;'
        f'line-height:1.35">{body}</div>'
    )


def _event_row(event: PageEvent) -> str:
    colour = STATE_COLOURS.get(event.state, "#444444")
    return (
        f'<div style="border-left:3px solid {colour};padding:1px 0 1px 6px;'
        'margin-bottom:3px;overflow-wrap:anywhere">'
        f'<span style="color:#888">{max(event.stamp, 0.0):.1f} s</span> '
        f"<b>{html.escape(event.kind)}</b> {html.escape(event.reason)}</div>"
    )
