"""WearableData: what a suit, shoes or gloves measure, as IIT's stack passes it on."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, BadMessage
from telexist.robots.yarp.wire import Bottle, CodedList, Item

__all__ = [
    "SENSOR_KINDS",
    "SensorStatus",
    "WearableSensor",
    "read_wearable_data",
    "wearable_data_items",
]

SENSOR_KINDS = {
    "acc": 3,
    "emg": 2,
    "f3D": 3,
    "ft6D": 6,
    "fbAcc": 3,
    "gyro": 3,
    "mag": 3,
    "orient": 4,
    "pose": 7,
    "pos": 3,
    "skin": 0,
    "temp": 1,
    "t3D": 3,
    "vLink": 19,
    "vJoint": 3,
    "vSJoint": 9,
}
"""Kind of sensor to how many numbers it tells, in the message's order; 0: any."""


class SensorStatus(enum.IntEnum):
    """How a sensor is."""

    ERROR = 0
    OK = 1
    CALIBRATING = 2
    OVERFLOW = 3
    TIMEOUT = 4
    UNKNOWN = 5
    WAITING = 6


@dataclass(frozen=True, slots=True)
class WearableSensor:
    """One sensor.

    Attributes:
        kind: A key of `SENSOR_KINDS`.
        name: "Producer::kind::Name".
        status: How it is.
        values: What it tells, in the message's order: a pose is quaternion wxyz,
            position; a vLink quaternion, position, linear and angular velocity, linear
            and angular acceleration.
    """

    kind: str
    name: str
    status: SensorStatus
    values: tuple[float, ...]


def wearable_data_items(producer: str, sensors: Iterable[WearableSensor]) -> Bottle:
    """Return the message of a producer's sensors.

    Raises:
        BadInput: If a sensor's kind is unknown or it tells too little, or no number.
    """
    maps: dict[str, list[Item]] = {kind: [] for kind in SENSOR_KINDS}
    for sensor in sensors:
        if sensor.kind not in maps:
            raise BadInput(f"{sensor.name}: no kind of sensor called {sensor.kind}")
        count = SENSOR_KINDS[sensor.kind]
        if count and len(sensor.values) != count:
            raise BadInput(f"{sensor.name}: {count} numbers are needed; not published")
        if not all(map(math.isfinite, sensor.values)):
            raise BadInput(f"{sensor.name}: a value is not finite; not published")
        values = [float(v) for v in sensor.values]
        body: list[Item] = [sensor.name, int(sensor.status), *values]
        maps[sensor.kind].append([sensor.name, body])
    return [producer, *(CodedList(entries, 0) for entries in maps.values())]


def read_wearable_data(items: Bottle) -> tuple[str, tuple[WearableSensor, ...]]:
    """Return the producer's name and its sensors.

    Raises:
        BadMessage: If it is no such message.
    """
    if len(items) != 1 + len(SENSOR_KINDS) or not isinstance(items[0], str):
        raise BadMessage(f"a WearableData of {len(items)} fields")
    found = []
    for (kind, count), entries in zip(SENSOR_KINDS.items(), items[1:], strict=True):
        if not isinstance(entries, list):
            raise BadMessage(f"a WearableData whose {kind} is no list")
        found += [_sensor(kind, count, entry) for entry in entries]
    return items[0], tuple(found)


def _sensor(kind: str, count: int, entry: Item) -> WearableSensor:
    try:
        if not isinstance(entry, list) or not isinstance(entry[1], list):
            raise BadMessage(f"a WearableData whose {kind} is no pair")
        key, body = entry
        name, status, *values = body
        if kind == "skin" and values and isinstance(values[0], list):
            values = values[0]
        numbers = tuple(float(v) for v in values)
        if count and len(numbers) != count:
            raise BadMessage(f"{key}: {len(numbers)} numbers, not {count}")
        return WearableSensor(kind, str(name), SensorStatus(status), numbers)
    except (TypeError, ValueError, IndexError) as error:
        raise BadMessage(f"a WearableData with a wrong {kind}: {error}") from error
