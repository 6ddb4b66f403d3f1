"""The newest reading of an IMU on the robot's base, in the base's axes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from telexist.retarget.errors import BadMessage, RobotLost
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.so3 import Array
from telexist.robots.yarp.network import InputPort, NameClient, PortLink
from telexist.robots.yarp.sensing.analog_message import (
    ACCELEROMETERS,
    GYROSCOPES,
    AnalogSensors,
    ImuReading,
    read_imu,
    read_sensor_names,
)
from telexist.robots.yarp.wire import YARP_3, Envelope

__all__ = ["ImuStream", "find_base_imu"]

ANSWER = 1.0  # [s]
STALE = 0.2  # [s]
MEASURES = "/measures:o"
BASE = 0  # number of the base among the bodies of a tree


class ImuStream:
    """Listens to one server of sensors.

    Attributes:
        frame: Of the model where the IMU sits.
        source: The port it is told at.
    """

    def __init__(
        self,
        name: str,
        names: NameClient,
        found: tuple[str, AnalogSensors, str],
        base_R_imu: Array,
        *,
        now: Callable[[], float],
    ) -> None:
        """Describe it: `found` is port, sensors and frame, of `find_base_imu`."""
        self.source, self._sensors, self.frame = found
        self._base_R_imu, self._now = base_R_imu, now
        self._lock = threading.Lock()
        self._newest: tuple[ImuReading, float] | None = None
        self._port = InputPort(
            f"{name}/imu:i", names, self._take, sources=lambda _: [self.source]
        )

    def open(self) -> None:
        """Begin to listen; may be called twice."""
        self._port.open()

    def close(self) -> None:
        """End; may be called twice."""
        self._port.close()

    def read(self) -> ImuReading | None:
        """Return what it says of the base, in the base's axes; None while silent.

        The specific force is that at the IMU, not at the base's origin.
        """
        with self._lock:
            newest = self._newest
        if newest is None or self._now() - newest[1] > STALE:
            return None
        reading, base_R_imu = newest[0], self._base_R_imu
        attitude = reading.world_R_imu
        return ImuReading(
            base_R_imu @ reading.angular_velocity,
            base_R_imu @ reading.acceleration,
            None if attitude is None else attitude @ base_R_imu.T,
        )

    def _take(self, payload: bytes, envelope: Envelope | None, source: str) -> None:
        try:
            reading = read_imu(payload, self._sensors, self.frame)
        except BadMessage:
            return  # it grows stale
        with self._lock:
            self._newest = reading, self._now()


def find_base_imu(
    names: NameClient, prefix: str, kinematics: Kinematics
) -> tuple[tuple[str, AnalogSensors, str], Array] | None:
    """Return port, sensors and frame of an IMU on the base, and base_R_imu.

    Only frames that the model has on its base are taken; None where there is none.
    """
    ports = names.list()
    for name, contact in sorted(ports.items()):
        if not (name.startswith(f"{prefix}/") and name.endswith(MEASURES)):
            continue
        rpc = ports.get(name.removesuffix(MEASURES) + "/rpc:o")
        if rpc is None or contact is None:
            continue
        try:
            with contextlib.closing(
                PortLink(rpc, "telexist-imu", timeout=ANSWER)
            ) as it:
                sensors = read_sensor_names(it.ask(["getMetadata"], YARP_3))
        except (RobotLost, BadMessage):
            continue
        for frame in sensors.frames[GYROSCOPES]:
            if sensors.place(ACCELEROMETERS, frame) < 0:
                continue
            turn = _on_base(kinematics, frame)
            if turn is not None:
                return (name, sensors, frame), turn
    return None


def _on_base(kinematics: Kinematics, frame: str) -> Array | None:
    if frame not in kinematics.links:
        return None
    body, turn, _ = kinematics.attachment(kinematics.frame(frame))
    return turn if body == BASE else None
