"""The process that serves the live page: viser, its scene and its panels.

It reads updates from a pipe, shows the newest, and writes what people press. It ends
when the session closes the pipe, however the session ends.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from telexist.retarget.human import adult_size
from telexist.retarget.human_size import HumanSize
from telexist.robots.base import ignore_terminal
from telexist.robots.description import RobotFiles, load_again
from telexist.teleop import clock
from telexist.teleop.terms import Request
from telexist.teleop.viewers.live.page_control import PageControl
from telexist.teleop.viewers.live.page_update import (
    ALIVE,
    BROWSER,
    FAILED,
    LOST,
    OPEN,
    PICTURE,
    REQUEST,
    PageUpdate,
    decode_picture,
    decode_update,
)

__all__ = ["PageSettings", "serve_page"]

NICE = 5  # the loop and the physics come first; a press of STOP must not wait long
BEAT = 0.15  # [s] between two words that the page lives
STUCK = 0.5  # [s] that one update may take to show

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """What the page's process must know.

    Attributes:
        files: The robot; None if there is none.
        height: Of the robot [m].
        title: Above the panel.
        host: Address to serve at.
        port: Port to serve at; 0 takes any.
        token: That browsers must know.
        joints: Joints of the person in N-pose, by name (3,) [m]; an adult's if None.
        tips: Tips of the person.
        several: Whether controllers take turns.
    """

    files: RobotFiles | None
    height: float
    title: str
    host: str
    port: int
    token: str
    joints: Mapping[str, tuple[float, ...]] | None = None
    tips: Mapping[str, tuple[float, ...]] | None = None
    several: bool = False


def serve_page(settings: PageSettings, pipe: Connection) -> None:
    """Serve until the pipe is closed."""
    _be_modest()
    try:
        page = _Page(settings, pipe)
    except Exception as error:  # said by the session, which waits for an answer
        pipe.send_bytes(FAILED + str(error).encode()[:1000])
        return
    pipe.send_bytes(OPEN + str(page.port).encode())
    page.welcome()
    threading.Thread(target=page.draw_robot, daemon=True).start()
    threading.Thread(target=page.beat, daemon=True).start()
    try:
        page.run()
    except (EOFError, OSError):
        return  # the session has ended


def _be_modest() -> None:
    """Leave the terminal, Ctrl-C and the processor to the session."""
    ignore_terminal(but=("SIGTERM",))
    if hasattr(os, "nice"):
        os.nice(NICE)
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # viser speaks
    for name in ("websockets", "asyncio"):  # broken browsers are no news
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


class _Page:
    def __init__(self, settings: PageSettings, pipe: Connection) -> None:
        # viser takes half a second to import: only here, in its own process.
        from telexist.teleop.viewers.live.live_panel import LivePanel
        from telexist.teleop.viewers.live.live_scene import LiveScene
        from telexist.teleop.viewers.web import BrowserBeats, serve_guarded

        self._settings, self._pipe = settings, pipe
        self._sending = threading.Lock()
        self._control = PageControl()
        self._showing = 0.0  # [s] since when something is being shown; 0: nothing is
        self._beats, self._browser_lost = BrowserBeats(clock.now), False
        self._server = serve_guarded(
            settings.host, settings.port, settings.token, self._beats
        )
        self.port = int(self._server.get_port())
        self._panel = LivePanel(
            self._server,
            title=settings.title,
            ask=self._ask,
            take_over=self._take_over,
            robot=settings.files is not None,
            several=settings.several,
        )
        self._scene = LiveScene(self._server, _size(settings), settings.height)
        self._drawing = threading.Lock()

    def welcome(self) -> None:
        """Tell of every browser that comes, and of those that are there."""
        self._server.on_client_connect(self._greet)

    def _greet(self, client: Any) -> None:
        from telexist.teleop.viewers.web import beat_frame

        client.gui.add_html(beat_frame(client.client_id))
        self._send(BROWSER)

    def draw_robot(self) -> None:
        """Load the robot and its meshes, while the page is served already."""
        if self._settings.files is None:
            return
        try:
            robot = load_again(self._settings.files)
            with self._drawing:
                self._scene.add_robot(robot)
        except Exception as error:  # without its picture the page is still useful
            _log.warning("the page cannot draw the robot: %s", error)

    def run(self) -> None:
        """Show what comes until the pipe ends."""
        while True:
            message = self._pipe.recv_bytes()
            self._showing = clock.now()
            self._show(message)
            self._showing = 0.0

    def beat(self) -> None:
        """Tell the session again and again that this page can still be pressed."""
        while True:
            if not self._showing or clock.now() - self._showing < STUCK:
                self._send(ALIVE)
            self._watch_browsers()
            clock.sleep(BEAT)

    def _watch_browsers(self) -> None:
        """Tell the session while nobody can press the buttons that somebody has."""
        holder, clients = self._control.holder, self._server.get_clients()
        if holder is None:
            return
        self._beats.forget({holder, *clients})
        problem = self._beats.problem(holder)
        others = [browser for browser in clients if browser != holder]
        if problem and not self._beats.ready(others):
            self._send(LOST + f"the browser with the buttons {problem}".encode())
        elif self._browser_lost:
            self._send(LOST)
        if problem and not self._browser_lost:
            for browser in others:
                clients[browser].add_notification(
                    title=f"The browser with the buttons {problem}",
                    body="Emergency stop and hold work here.",
                    auto_close_seconds=6.0,
                )
        self._browser_lost = bool(problem)

    def _show(self, message: bytes) -> None:
        """Show a message, or the newest of those that wait."""
        update: PageUpdate | None = None
        picture: np.ndarray | None = None
        while True:
            if message[:1] == PICTURE:
                picture = decode_picture(message)
            else:
                newer = decode_update(message)
                events = (*update.events, *newer.events) if update else newer.events
                update = replace(newer, events=events)
            if not self._pipe.poll():
                break
            message = self._pipe.recv_bytes()
        if picture is not None and self._server.get_clients():
            self._panel.show_picture(picture)
        if update is not None:
            self._panel.show(update)
            if self._server.get_clients() and self._drawing.acquire(blocking=False):
                try:
                    self._scene.follows = self._panel.follows.value
                    with self._server.atomic():
                        self._scene.show(update)
                finally:
                    self._drawing.release()

    def _ask(self, request: Request, event: Any) -> None:
        present = self._server.get_clients()
        if self._control.may(request, event.client_id, present):
            self._send(REQUEST + request.value.encode())
            return
        event.client.add_notification(
            title="Another browser has the buttons",
            body="Emergency stop and hold work here too; for all else take them over.",
            auto_close_seconds=6.0,
        )

    def _take_over(self, event: Any) -> None:
        self._control.take(event.client_id)

    def _send(self, message: bytes) -> None:
        with self._sending, contextlib.suppress(OSError):  # the session has ended
            self._pipe.send_bytes(message)


def _size(settings: PageSettings) -> HumanSize:
    if settings.joints is None or settings.tips is None:
        return adult_size()
    return HumanSize(
        joints={name: np.array(place) for name, place in settings.joints.items()},
        tips={name: np.array(place) for name, place in settings.tips.items()},
    )
