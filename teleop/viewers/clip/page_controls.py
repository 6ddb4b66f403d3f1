"""The panel of the page: play, time, speed, camera and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import viser
from telexist.teleop.viewers.clip.playback import SPEEDS, Playback
from telexist.teleop.viewers.figures import Figure

__all__ = ["PageControls"]

BRAND = (61, 127, 214)


class PageControls:
    """Buttons, sliders and readings of a page.

    Attributes:
        follows: Whether cameras go along with the first figure.
        on_the_spot: Whether figures stay at their places while they walk.
    """

    def __init__(
        self,
        server: viser.ViserServer,
        figures: Sequence[Figure],
        playback: Playback,
        title: str,
    ) -> None:
        """Fill the panel."""
        self._figures, self._playback = figures, playback
        self.follows, self.on_the_spot, self._changed = True, False, False
        gui = server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BRAND)
        gui.set_panel_label(title)
        self._play = gui.add_button("Play", icon=viser.Icon.PLAYER_PLAY)
        self._play.on_click(self._on_play)
        self._time = gui.add_slider(
            "Time [s]",
            min=0.0,
            max=max(round(playback.duration, 3), 0.001),
            step=0.001,
            initial_value=0.0,
        )
        self._time.on_update(self._on_time)
        self._speed = gui.add_dropdown(
            "Speed", [f"{s:g} x" for s in SPEEDS], initial_value="1 x"
        )
        self._speed.on_update(self._on_speed)
        self._follow = gui.add_checkbox("Follow", initial_value=True)
        self._follow.on_update(self._on_camera)
        self._spot = gui.add_checkbox("On the spot", initial_value=False)
        self._spot.on_update(self._on_camera)
        self._readings = gui.add_markdown("")

    def take_change(self) -> bool:
        """Return whether a control changed what must be shown, once."""
        changed, self._changed = self._changed, False
        return changed

    def show(self, time: float) -> None:
        """Bring slider and readings to a time [s]."""
        shown = min(round(time, 3), self._time.max)
        self._time.value = shown  # type: ignore[misc]  # its setter is hidden
        self._readings.content = readings_table(self._figures, time)

    def _on_play(self, _: Any) -> None:
        playing = self._playback.toggle()
        self._play.label = "Pause" if playing else "Play"
        icons = viser.Icon.PLAYER_PAUSE, viser.Icon.PLAYER_PLAY
        self._play.icon = icons[0] if playing else icons[1]

    def _on_time(self, event: viser.GuiEvent[Any]) -> None:
        if event.client_id is not None:  # a person moved it, not `show`
            self._playback.seek(float(self._time.value))

    def _on_speed(self, _: Any) -> None:
        self._playback.set_speed(float(str(self._speed.value).split()[0]))

    def _on_camera(self, _: Any) -> None:
        self.follows, self.on_the_spot = self._follow.value, self._spot.value
        self._changed = True


def readings_table(figures: Sequence[Figure], time: float) -> str:
    """Return the errors of all robots at a time [s], as a Markdown table."""
    lines = ["| now (mean) | limbs | links |", "|:--|--:|--:|"]
    for figure in figures:
        if figure.readings:
            k = figure.index(time)
            cells = [
                f"{values[k]:.1f}° ({values.mean():.1f}°)" if values is not None else ""
                for values in (figure.readings.get("limbs"), figure.readings["links"])
            ]
            lines.append(f"| {figure.name} | {' | '.join(cells)} |")
    return "\n".join(lines) if len(lines) > 2 else ""
