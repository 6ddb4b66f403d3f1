"""Unit of length and up axis of a recording, found from the person in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.recordings.recognition.postures import measure
from telexist.retarget.recordings.recognition.recognise import Person
from telexist.retarget.recordings.recognition.skeleton import SourceSkeleton
from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array, shortest_rotation

__all__ = ["FileAxes", "axis_vector", "find_axes", "nearest_axis"]

LEG_OF_STATURE = 0.491  # hip to ankle over body height, Winter 2009
_UPRIGHT = 0.7  # mean cosine to an axis below which a clip does not stand
_AT_ZERO = 0.2  # leg lengths
TYPICAL_STATURE = 1.70  # [m] for files whose unit is none of the known ones

UNITS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "metres": (1.0, 1.0, 2.3),
        "centimetres": (0.01, 1.0, 2.3),
        "millimetres": (0.001, 1.0, 2.3),
        "inches": (0.0254, 1.35, 2.15),
        "decimetres": (0.1, 1.35, 2.15),
        "CMU units of 5.644 cm": (0.05644, 1.35, 2.1),
    }
)
"""Unit [m] and the range of statures [m] for which it is believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAxes:
    """How a file's coordinates become metres with z up.

    Attributes:
        unit: Length of one file unit [m].
        up: The file's axis that points up, e.g. "y".
        world_R_file: Rotation that turns `up` to z; the heading is still the file's.
        notes: How they were found.
    """

    unit: float
    up: str
    world_R_file: Array
    notes: tuple[str, ...]


def axis_vector(axis: str) -> Array:
    """Return the unit vector of an axis written as "x" or "-y"."""
    vector = np.zeros(3)
    vector["xyz".index(axis[-1])] = -1.0 if axis.startswith("-") else 1.0
    return vector


def nearest_axis(vector: Array) -> str:
    """Return the name of the coordinate axis closest to a vector."""
    k = int(np.argmax(np.abs(vector)))
    return ("-" if vector[k] < 0.0 else "") + "xyz"[k]


def find_unit(source: SourceSkeleton, person: Person) -> tuple[float, str]:
    """Return the length of one file unit [m] and how it was found.

    A file's unit is never stated, so the leg decides: among the usual units the one
    that makes a person, otherwise the scale that makes one of 1.70 m.
    """
    stature = _leg_length(source, person) / LEG_OF_STATURE
    for name, (unit, low, high) in UNITS.items():
        if low <= stature * unit <= high:
            return unit, f"unit: {name}, from a stature of {stature * unit:.2f} m"
    unit = TYPICAL_STATURE / stature
    return unit, f"unit: {unit:.4g} m, chosen to give a stature of {TYPICAL_STATURE} m"


def _leg_length(source: SourceSkeleton, person: Person) -> float:
    total = 0.0
    for side in SIDES:
        chain = [
            person.joints[f"{side.title()}{p}"]
            for p in ("UpperLeg", "LowerLeg", "Foot")
        ]
        for a, b in zip(chain[:-1], chain[1:], strict=True):
            d = source.positions[:, a] - source.positions[:, b]
            total += float(np.median(np.linalg.norm(d, axis=-1)))
    return total / 2.0


def find_up(source: SourceSkeleton, person: Person) -> tuple[str, str]:
    """Return the up axis and how it was found.

    From the feet to the shoulders over the clip. A standing rest skeleton is heard too,
    because a performer who lies down points anywhere.
    """
    body = _body_axis(source.positions, person)
    lengths = np.linalg.norm(body, axis=-1, keepdims=True)
    mean = (body / np.maximum(lengths, 1e-12)).mean(axis=0)
    moving = nearest_axis(mean)
    from_clip = f"up: {moving}, from the feet to the shoulders over the clip"
    rest = source.rest_positions
    if rest is None or not measure(rest[None], person).stands[0]:
        return moving, from_clip
    resting = nearest_axis(_body_axis(rest[None], person)[0])
    if resting != moving and (
        abs(mean).max() < _UPRIGHT or _lies(source, person, resting, moving)
    ):
        return resting, f"up: {resting}, from the rest skeleton"
    return moving, from_clip


def _lies(source: SourceSkeleton, person: Person, resting: str, moving: str) -> bool:
    """Return whether the clip rests on the floor of its rest skeleton's up axis.

    Files put the floor at zero: the body is near zero along the true up axis only.
    """
    leg = _leg_length(source, person)
    joints = list(person.joints.values())
    lowest = [
        float(np.quantile(source.positions[:, joints] @ axis_vector(axis), 0.01)) / leg
        for axis in (resting, moving)
    ]
    return abs(lowest[0]) < _AT_ZERO < abs(lowest[1])


def _body_axis(points: Array, person: Person) -> Array:
    """Return the lines from between the feet to between the shoulders (t, 3)."""
    feet = [person.joints["LeftFoot"], person.joints["RightFoot"]]
    shoulders = [person.joints["LeftUpperArm"], person.joints["RightUpperArm"]]
    return np.asarray(points[:, shoulders].mean(axis=1) - points[:, feet].mean(axis=1))


def find_axes(
    source: SourceSkeleton, person: Person, *, unit: float | None, up: str | None
) -> FileAxes:
    """Find what neither the user nor the format states.

    Args:
        source: The skeleton.
        person: Where the person is in it.
        unit: Length of one file unit [m], or None to find it.
        up: Axis that points up, or None to find it.
    """
    unit_note, up_note = f"unit: {unit} m, stated", f"up: {up}, stated"
    if unit is None:
        unit, unit_note = find_unit(source, person)
    if up is None:
        up, up_note = find_up(source, person)
    world_R_file = np.round(shortest_rotation(axis_vector(up), (0.0, 0.0, 1.0)))
    return FileAxes(
        unit=unit, up=up, world_R_file=world_R_file, notes=(unit_note, up_note)
    )
