"""The signals of a person's dynamics, live: forces under the feet in, torques out.

Sides are left, right. Arrays are copied on the way in and made read-only.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import frozen_array
from telexist.retarget.so3 import Array

__all__ = ["SCORES", "SHAPES", "GroundForces", "PersonDynamics", "SensorState"]

SCORES = (
    "rula",  # the worse arm's
    "reba",
    "lifting_index",  # of the lift that goes on or was last
    "lumbar_compression",  # [N] of the disc between L5 and S1
    "lifts",  # how many there were
    "lifting_index_sd",
    "lumbar_compression_sd",  # [N]
    "lift_load",  # [kg] in both hands
    "lift_load_sd",  # [kg]
    "strength_share",  # of the joint that needs most of its strength
    "strength_share_sd",
    "strength_joint",  # its place in `retarget.ergonomics.STRENGTH_JOINTS`
)
"""Ergonomic scores that an estimate may carry."""

AXES = 66  # of the person's joints


class SensorState(enum.StrEnum):
    """How a sensor does."""

    OK = "ok"
    ERROR = "error"  # not a number, frozen, late, left and right exchanged
    OVERFLOW = "overflow"  # at the end of its range
    TIMEOUT = "timeout"  # silent
    WAITING = "waiting"  # has not spoken yet
    CALIBRATING = "calibrating"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundForces:
    """What sensors under the feet say at one moment: of the ground on each foot.

    Attributes:
        stamp: Arrival on the host's monotonic clock [s].
        source_time: On the sensor's own clock [s]; NaN if it has none.
        wrench: Left, right (2, 6) [N], [N m], force first, about the point of the sole
            below the ankle, in the sole's axes (x ahead, z up); NaN where nothing is
            told.
        deviation: Standard deviation of each number (2, 6); inf where nothing is told.
        full_scale: Where each number ends (6,); inf if unknown.
        in_world: The wrenches are about the world's origin, in the world's axes.
    """

    stamp: float
    source_time: float = math.nan
    wrench: Array
    deviation: Array
    full_scale: Array = field(default_factory=lambda: np.full(6, np.inf))
    in_world: bool = False

    def __post_init__(self) -> None:
        """Copy and freeze the arrays; shapes are checked, values are not."""
        put = object.__setattr__
        put(self, "wrench", frozen_array(self.wrench, (2, 6), "forces"))
        put(self, "deviation", frozen_array(self.deviation, (2, 6), "deviations"))
        put(self, "full_scale", frozen_array(self.full_scale, (6,), "full scale"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDynamics:
    """What a person's joints and contacts did at one moment, and how surely.

    Attributes:
        stamp: The moment that is described, on the host's clock [s].
        lag: How long before the newest sample that was [s].
        mass: Of the person, as believed [kg].
        q: Joint positions (66,) [rad], in the order of the person's model.
        torques: Along the joints' axes (66,) [N m].
        torques_sd: Their standard deviations (66,).
        moments: Of the neighbour towards the pelvis on each segment, in the axes of
            that neighbour (23, 3) [N m].
        moments_sd: (23, 3).
        foot_wrenches: Of the ground on each foot, world axes at the ankle (2, 6).
        foot_wrenches_sd: (2, 6).
        foot_points: Where the ground's force acts, in the person's world (2, 3) [m].
        contact: How sure it is that each foot is on the ground (2,), 0 to 1.
        measured: Whether sensors told the force of each foot (2,), 0 or 1.
        hand_loads: What hangs in each hand (2,) [kg].
        hand_loads_sd: (2,).
        seat_force: What carries the pelvis upwards (1,) [N].
        seat_force_sd: (1,).
        scores: In the order of `SCORES` (12,); NaN where there is none.
    """

    stamp: float
    lag: float
    mass: float
    q: Array
    torques: Array
    torques_sd: Array
    moments: Array
    moments_sd: Array
    foot_wrenches: Array
    foot_wrenches_sd: Array
    foot_points: Array
    contact: Array
    measured: Array
    hand_loads: Array
    hand_loads_sd: Array
    seat_force: Array
    seat_force_sd: Array
    scores: Array = field(default_factory=lambda: np.full(len(SCORES), np.nan))

    def __post_init__(self) -> None:
        """Copy and freeze the arrays."""
        for name, shape in SHAPES.items():
            value = frozen_array(getattr(self, name), shape, name)
            object.__setattr__(self, name, value)

    @property
    def efforts(self) -> Array:
        """Norm of the moment of each joint (23,) [N m]."""
        norms: Array = np.linalg.norm(self.moments, axis=1)
        return norms

    def to_bytes(self) -> bytes:
        """Return all numbers, to be read by `from_bytes` on the same machine."""
        parts = [[self.stamp, self.lag, self.mass]]
        parts += [getattr(self, name).ravel() for name in SHAPES]
        return np.concatenate(parts).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> PersonDynamics:
        """Read what `to_bytes` gave.

        Raises:
            ValueError: If it is too short or too long.
        """
        numbers = np.frombuffer(data)
        sizes = [math.prod(shape) for shape in SHAPES.values()]
        if len(numbers) != 3 + sum(sizes):
            raise ValueError(f"{len(numbers)} numbers are no dynamics of a person")
        parts = np.split(numbers[3:], np.cumsum(sizes)[:-1])
        arrays = {
            name: part.reshape(shape)
            for (name, shape), part in zip(SHAPES.items(), parts, strict=True)
        }
        stamp, lag, mass = map(float, numbers[:3])
        return cls(stamp=stamp, lag=lag, mass=mass, **arrays)


SHAPES: dict[str, tuple[int, ...]] = {
    "q": (AXES,),
    "torques": (AXES,),
    "torques_sd": (AXES,),
    "moments": (len(SEGMENTS), 3),
    "moments_sd": (len(SEGMENTS), 3),
    "foot_wrenches": (2, 6),
    "foot_wrenches_sd": (2, 6),
    "foot_points": (2, 3),
    "contact": (2,),
    "measured": (2,),
    "hand_loads": (2,),
    "hand_loads_sd": (2,),
    "seat_force": (1,),
    "seat_force_sd": (1,),
    "scores": (len(SCORES),),
}
"""Shape of every array of `PersonDynamics`, in order."""
