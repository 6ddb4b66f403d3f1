"""What YARP's server of analog sensors tells: an IMU in one message of twelve lists.

The lists are gyroscopes [deg/s], accelerometers [m/s^2], magnetometers, orientations
(roll, pitch, yaw [deg]), and eight more kinds; an entry is `((values) time)`. Which
sensor stands where is asked once: `getMetadata` answers twelve lists of
`(sensor, frame, more)`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadMessage
from telexist.retarget.so3 import Array, rotation_from_rpy
from telexist.robots.yarp.wire import Bottle, Item, decode_either

__all__ = ["AnalogSensors", "ImuReading", "read_imu", "read_sensor_names"]

KINDS = 12
GYROSCOPES, ACCELEROMETERS, ORIENTATIONS = 0, 1, 3


@dataclass(frozen=True, slots=True)
class AnalogSensors:
    """Frames of the sensors of each kind, in the order of the message."""

    frames: tuple[tuple[str, ...], ...]

    def place(self, kind: int, frame: str) -> int:
        """Return where in its list the sensor at a frame stands; -1 for nowhere."""
        frames = self.frames[kind]
        return frames.index(frame) if frame in frames else -1


@dataclass(frozen=True, slots=True)
class ImuReading:
    """What an IMU says, in its own axes.

    Attributes:
        angular_velocity: (3,) [rad/s].
        acceleration: Specific force (3,) [m/s^2].
        world_R_imu: Its attitude (3, 3), or None where it tells none.
    """

    angular_velocity: Array
    acceleration: Array
    world_R_imu: Array | None


def read_sensor_names(answer: Bottle) -> AnalogSensors:
    """Return which sensors a server has.

    Raises:
        BadMessage: If the answer is not one to `getMetadata`.
    """
    if len(answer) != KINDS or not all(isinstance(item, list) for item in answer):
        raise BadMessage(f"sensors of {len(answer)} kinds where {KINDS} are needed")
    frames = []
    for kind in answer:
        names = []
        for entry in kind if isinstance(kind, list) else ():
            known = isinstance(entry, list) and len(entry) >= 2
            names.append(str(entry[1]) if known else "")
        frames.append(tuple(names))
    return AnalogSensors(tuple(frames))


def read_imu(payload: bytes, sensors: AnalogSensors, frame: str) -> ImuReading:
    """Return what the IMU at a frame says.

    Raises:
        BadMessage: If the message has no such sensor, or no finite numbers.
    """
    message, _ = decode_either(payload)
    if len(message) != KINDS:
        raise BadMessage(f"a message of {len(message)} kinds of sensors, not {KINDS}")
    gyro = _values(message, GYROSCOPES, sensors, frame)
    force = _values(message, ACCELEROMETERS, sensors, frame)
    if gyro is None or force is None:
        raise BadMessage(f"no gyroscope and accelerometer at {frame}")
    rpy = _values(message, ORIENTATIONS, sensors, frame)
    attitude = None if rpy is None else rotation_from_rpy(np.radians(rpy))
    return ImuReading(np.radians(gyro), force, attitude)


def _values(
    message: Bottle, kind: int, sensors: AnalogSensors, frame: str
) -> Array | None:
    """Return three numbers of a sensor; None where there is none.

    Raises:
        BadMessage: If they are not three finite numbers.
    """
    place, entries = sensors.place(kind, frame), message[kind]
    if place < 0 or not isinstance(entries, list) or place >= len(entries):
        return None
    entry: Item = entries[place]
    numbers = entry[0] if isinstance(entry, list) and entry else None
    if not isinstance(numbers, list) or len(numbers) != 3:
        raise BadMessage(f"a sensor at {frame} says {entry!r}")
    if not all(isinstance(number, float | int) for number in numbers):
        raise BadMessage(f"a sensor at {frame} says {entry!r}")
    values = np.array(numbers, dtype=np.float64)
    if not np.isfinite(values).all():
        raise BadMessage(f"a sensor at {frame} says {entry!r}")
    return values
