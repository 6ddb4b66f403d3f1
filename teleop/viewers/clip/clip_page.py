"""A local web page with figures side by side, a time slider and play."""

from __future__ import annotations

import contextlib
import io
import threading
from collections.abc import Sequence

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop import clock
from telexist.teleop.viewers.clip.page_controls import PageControls
from telexist.teleop.viewers.clip.playback import Playback
from telexist.teleop.viewers.figures import Figure, StageFigure
from telexist.teleop.viewers.web import (
    local_url,
    new_token,
    page_query,
    remote_url,
    require_free_port,
    serve_guarded,
)

__all__ = ["ClipPage"]

RATE = 30.0  # [Hz] at which the page is brought up to date
GRID = 40.0  # [m] edge of the floor


class ClipPage:
    """Serves figures that move together in time.

    Make one, then call `run`, which returns after `close`. The state that clients see
    is `playback` and `shown_time`.
    """

    def __init__(
        self, figures: Sequence[Figure], *, title: str, host: str, port: int
    ) -> None:
        """Start to serve.

        Args:
            figures: Who is shown, from left to right; the camera follows the first.
            title: Shown above the controls.
            host: Address to serve at; 127.0.0.1 is this machine only.
            port: Port to serve at.

        Raises:
            BadInput: If the port is taken or the address is not ours.
        """
        require_free_port(host, port)
        self.playback = Playback(max(float(f.time[-1]) for f in figures))
        self.shown_time = -1.0
        self.token, self._host = new_token(), host
        self._server = serve_guarded(host, port, self.token)
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._spot = np.zeros(3)
        self._set_stage(figures)
        self._controls = PageControls(self._server, figures, self.playback, title)
        self.show(0.0)

    @property
    def port(self) -> int:
        """The port that is served."""
        return int(self._server.get_port())

    @property
    def url(self) -> str:
        """Address for a browser on this machine, with the token."""
        return local_url(self._host, self.port, page_query(self.token))

    @property
    def remote_url(self) -> str:
        """The same for another machine; "" if none can connect."""
        return remote_url(self._host, self.port, page_query(self.token))

    @property
    def figures(self) -> tuple[StageFigure, ...]:
        """The figures as they are shown."""
        return self._figures

    def run(self) -> None:
        """Keep the page up to date until `close`."""
        last = clock.now()
        while not self._closed.wait(1.0 / RATE):
            now = clock.now()
            time = self.playback.advance(now - last)
            last = now
            if time != self.shown_time or self._controls.take_change():
                self.show(time)

    def show(self, time: float) -> None:
        """Show all figures at a time [s]."""
        with self._lock, self._server.atomic():
            for figure in self._figures:
                figure.show(time, on_the_spot=self._controls.on_the_spot)
            self._controls.show(time)
            self._follow()
            self.shown_time = time

    def close(self) -> None:
        """Stop serving; may be called twice."""
        if not self._closed.is_set():
            self._closed.set()
            with _quiet():
                self._server.stop()

    def _set_stage(self, figures: Sequence[Figure]) -> None:
        scene = self._server.scene
        scene.set_up_direction("+z")
        scene.add_grid(
            "/floor",
            width=GRID,
            height=GRID,
            cell_size=0.5,
            section_size=1.0,
            cell_color=(225, 228, 232),
            section_color=(198, 203, 210),
            plane_color=(246, 247, 249),
            plane_opacity=1.0,
            position=(0.0, 0.0, -0.001),
        )
        places = _places(figures)
        self._figures = tuple(
            StageFigure(scene, figure, place)
            for figure, place in zip(figures, places, strict=True)
        )
        middle, tallest = float(np.mean(places)), max(f.height for f in figures)
        width = (places[-1] - places[0]) + tallest
        camera = self._server.initial_camera
        distance = max(0.95 * width, 1.9 * tallest)
        camera.position = (distance, middle + 0.3 * distance, 0.8 * tallest)
        # The panel covers the right end of the view: look a little past the middle.
        camera.look_at = (0.0, middle + 0.06 * distance, 0.5 * tallest)
        camera.fov = np.radians(45.0)

    def _follow(self) -> None:
        """Move every camera as far over the floor as the first figure moved."""
        spot = self._figures[0].spot
        moved: Array = spot - self._spot
        self._spot = spot
        if not self._controls.follows or not np.any(moved):
            return
        for client in self._server.get_clients().values():
            client.camera.position = client.camera.position + moved


def _quiet() -> contextlib.redirect_stdout[io.StringIO]:
    """Keep viser's own words off the terminal; we have said where the page is."""
    return contextlib.redirect_stdout(io.StringIO())


def _places(figures: Sequence[Figure]) -> list[float]:
    """Return where each figure stands along y [m], an arm span apart."""
    places = [0.0]
    for left, right in zip(figures[:-1], figures[1:], strict=True):
        places.append(places[-1] + 0.5 * (left.height + right.height))
    return places
