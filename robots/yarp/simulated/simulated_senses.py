"""Cameras, forces at the hands and an IMU under YARP names, without a robot."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from telexist.robots.yarp.network import NameClient, Port
from telexist.robots.yarp.sensing import picture_message
from telexist.robots.yarp.wire import Bottle, Dialect, Envelope, Item

__all__ = ["SimulatedSenses"]

PERIOD = 0.05  # [s] between two messages of each
SIZE = (120, 161)  # rows and columns of a picture: rows that need padding
GRAVITY = 9.81  # [m/s^2]
KINDS = 12  # of sensors in one message


class SimulatedSenses:
    """Two cameras, two wrenches and an IMU.

    Attributes:
        pictures: What the left and the right camera show (h, w, 3).
        wrenches: At the left and the right hand (2, 6) [N], [N m].
        turn_rate: What the gyroscope says (3,) [deg/s].
        silent: Whether nothing is told.
    """

    def __init__(
        self,
        prefix: str,
        names: NameClient,
        *,
        dialect: Dialect,
        now: Callable[[], float],
        host: str = "127.0.0.1",
        frame: str = "",
    ) -> None:
        """Describe them; `open` makes them known.

        Args:
            prefix: Beginning of the names: "/icub".
            names: The name server.
            dialect: YARP 3 or 4.
            now: A clock [s].
            host: Address to listen on.
            frame: Where the IMU is said to sit.
        """
        self.pictures = [picture_of(0), picture_of(1)]
        self.wrenches = np.zeros((2, 6))
        self.turn_rate = np.zeros(3)
        self.silent = False
        self._frame, self._now, self._count = frame, now, 0

        def port(name: str, **options: object) -> Port:
            return Port(name, names, dialect=dialect, host=host, **options)  # type: ignore[arg-type]

        sides = ("left", "right")
        forces = "/wholeBodyDynamics/{0}_arm/cartesianEndEffectorWrench:o"
        self._eyes = [port(f"{prefix}/cam/{side}:o") for side in sides]
        self._hands = [port(forces.format(side)) for side in sides]
        self._imu = port(f"{prefix}/waist/inertials/measures:o")
        self._rpc = port(f"{prefix}/waist/inertials/rpc:o", on_question=self._answer)
        self.ports = (*self._eyes, *self._hands, self._imu, self._rpc)
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Make all ports known and begin to tell."""
        for port in self.ports:
            port.open()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End; may be called twice."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        for port in self.ports:
            port.close()

    def _answer(self, question: Bottle, source: str) -> Bottle:
        if question != ["getMetadata"]:
            return ["many", "*** Available commands:", "getMetadata", "help"]
        sensor: Item = [["waist_imu", self._frame, ""]]
        none: Item = []
        return [sensor, sensor, none, sensor, *([none] * (KINDS - 4))]

    def _tell(self) -> None:
        while not self._ending.wait(PERIOD):
            if self.silent:
                continue
            self._count += 1
            now = self._now()
            stamp = Envelope(self._count, now)
            for port, picture in zip(self._eyes, self.pictures, strict=True):
                port.write(picture_message(picture), stamp)
            for port, wrench in zip(self._hands, self.wrenches, strict=True):
                port.write([float(value) for value in wrench], stamp)
            self._imu.write(self._measures(now), stamp)

    def _measures(self, now: float) -> Bottle:
        def entry(*values: float) -> Item:
            return [[[float(value) for value in values], now]]

        none: Item = []
        rest = [none] * (KINDS - 4)
        turn, force = entry(*self.turn_rate), entry(0.0, 0.0, GRAVITY)
        return [turn, force, none, entry(0.0, 0.0, 0.0), *rest]


def picture_of(eye: int) -> NDArray[np.uint8]:
    """Return a picture of which every pixel tells where it is (h, w, 3)."""
    rows, columns = np.indices(SIZE)
    layers = (columns % 256, rows, np.full(SIZE, 255 * eye))
    return np.stack(layers, axis=2).astype(np.uint8)
