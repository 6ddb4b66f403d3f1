"""The newest picture of one camera, or of two beside each other."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.network import InputPort, NameClient
from telexist.robots.yarp.sensing.picture_message import read_picture
from telexist.robots.yarp.wire import Envelope

__all__ = ["PictureStream"]

Picture = NDArray[np.uint8]

APART = 0.1  # [s] two eyes' pictures may be
SILENT = 2.0  # [s] without a picture after which that is said


class PictureStream:
    """Listens to cameras; a camera sends its next picture when the last was taken.

    Pictures come by tcp with acknowledgements, which stay away for as long as `rate`
    asks: a fast camera cannot take the processor from the loop.
    """

    def __init__(
        self,
        name: str,
        names: NameClient,
        cameras: Sequence[str],
        *,
        rate: float,
        now: Callable[[], float],
    ) -> None:
        """Describe it.

        Args:
            name: Beginning of the names of our ports.
            names: The name server.
            cameras: Ports of one camera, or of the left and the right one.
            rate: Most pictures a second.
            now: The host's clock [s].
        """
        self.cameras, self._now, self._period = tuple(cameras), now, 1.0 / rate
        self._lock, self._ending = threading.Lock(), threading.Event()
        self._newest: list[tuple[Picture, float] | None] = [None] * len(cameras)
        self._due = [float("-inf")] * len(cameras)
        self._given, self._heard, self._said = float("-inf"), float("inf"), False
        self._bad = ""
        self._ports = [
            InputPort(
                f"{name}/eye{i}:i",
                names,
                self._taker(i),
                sources=lambda _, camera=camera: [camera],  # type: ignore[misc]
            )
            for i, camera in enumerate(cameras)
        ]

    @property
    def stereo(self) -> bool:
        """Whether there are two eyes."""
        return len(self.cameras) == 2

    def open(self) -> None:
        """Begin to listen; may be called twice."""
        self._heard = self._now()
        for port in self._ports:
            port.open()

    def close(self) -> None:
        """End; may be called twice."""
        self._ending.set()
        for port in self._ports:
            port.close()

    def read(self) -> tuple[Picture, float] | None:
        """Return a picture newer than the last one returned and its time [s]."""
        with self._lock:
            newest = list(self._newest)
        eyes = [eye for eye in newest if eye is not None]
        if len(eyes) < len(newest):
            return None
        times = [time for _, time in eyes]
        if max(times) - min(times) > APART or min(times) <= self._given:
            return None
        if len({picture.shape for picture, _ in eyes}) > 1:
            self._bad = "the two cameras send pictures of different sizes"
            return None
        self._given = min(times)
        pictures = [picture for picture, _ in eyes]
        both = pictures[0] if len(pictures) == 1 else np.hstack(pictures)
        return both, self._given

    def problem(self) -> str:
        """Return once why there are no pictures; "" while there are."""
        with self._lock:
            silent = self._now() - self._heard > SILENT
            bad = self._bad
        if not silent:
            self._said = False
            return ""
        if self._said:
            return ""
        self._said = True
        where = " and ".join(self.cameras)
        return f"{where} sent none for {SILENT:g} s" + (f": {bad}" if bad else "")

    def _taker(self, eye: int) -> Callable[[bytes, Envelope | None, str], None]:
        def take(payload: bytes, envelope: Envelope | None, source: str) -> None:
            arrival = self._now()
            try:
                picture = read_picture(payload)
            except BadMessage as error:
                self._bad = str(error)
                return
            picture.setflags(write=False)
            with self._lock:
                self._newest[eye] = picture, arrival
                self._heard = arrival
            self._due[eye] = max(self._due[eye] + self._period, arrival)
            self._ending.wait(max(self._due[eye] - self._now(), 0.0))

        return take
