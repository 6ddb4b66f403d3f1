"""The signals that flow between the stages: human frames in, robot frames out.

All are frozen; arrays are copied on the way in and made read-only. World frame: z up,
floor at z = 0; SI units. See `retarget/segments.py` for the segments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.errors import BadFrame, BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["HumanClip", "HumanFrame", "RobotFrame", "RobotMotion", "frozen_array"]

FARTHEST_POINT = 1e4  # [m] a hand's point beyond is none


def frozen_array(value: ArrayLike, shape: Sequence[int | None], name: str) -> Array:
    """Return a read-only float64 array of the given shape (`None` = any length).

    It is a copy, unless the value is one already: its own memory, which nobody writes.

    Raises:
        BadFrame: If the shape is wrong.
    """
    array = np.array(value, dtype=np.float64, order="C", copy=not _is_frozen(value))
    if array.shape != shape and (
        array.ndim != len(shape)
        or any(
            want is not None and want != have
            for want, have in zip(shape, array.shape, strict=True)
        )
    ):
        raise BadFrame(f"{name} has shape {array.shape}, expected {tuple(shape)}")
    array.setflags(write=False)
    return array


def frozen_hands(points: ArrayLike, before: tuple[int, ...]) -> Array:
    """Copy the points of two hands (..., 2, 25, 3) [m]; a broken hand becomes NaN."""
    array = np.array(frozen_array(points, (*before, 2, 25, 3), "points of hands"))
    broken = ~(np.abs(array) < FARTHEST_POINT).all(axis=(-2, -1))  # NaN too
    array[broken] = np.nan
    array.setflags(write=False)
    return array


def _is_frozen(value: ArrayLike) -> bool:
    """Whether a value is an array that owns its memory and is closed to writing."""
    if not isinstance(value, np.ndarray):
        return False
    ours = value.dtype == np.float64 and value.flags.c_contiguous
    return ours and value.flags.owndata and not value.flags.writeable


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanFrame:
    """One sample of a moving person, for the segments that the source provides.

    Attributes:
        stamp: Time of the sample [s], monotonic.
        segments: Names of the s segments provided, any subset of `SEGMENTS`.
        rotations: `world_R_segment` (s, 3, 3); identity in N-pose.
        angular_velocities: In world axes (s, 3) [rad/s].
        positions: Origins of the segments (s, 3) [m], or None if unknown.
        linear_velocities: Of the origins (s, 3) [m/s], or None if unknown.
        sequence: Running number at the source, to see drops.
        hand_points: The 25 WebXR joints of the left and the right hand (2, 25, 3) [m],
            each hand in any frame, NaN where it is not seen; None without fingers.
    """

    stamp: float
    segments: tuple[str, ...]
    rotations: Array
    angular_velocities: Array
    positions: Array | None = None
    linear_velocities: Array | None = None
    sequence: int = 0
    hand_points: Array | None = None
    _good: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Copy and freeze the arrays; names and shapes are checked, values are not."""
        if self.segments != SEGMENTS:
            self._check_names()
        s = len(self.segments)
        put = object.__setattr__
        put(self, "rotations", frozen_array(self.rotations, (s, 3, 3), "rotations"))
        put(
            self,
            "angular_velocities",
            frozen_array(self.angular_velocities, (s, 3), "angular velocities"),
        )
        for name in ("positions", "linear_velocities"):
            value = getattr(self, name)
            if value is not None:
                put(self, name, frozen_array(value, (s, 3), name.replace("_", " ")))
        if self.hand_points is not None:
            put(self, "hand_points", frozen_hands(self.hand_points, ()))

    def _check_names(self) -> None:
        for k, name in enumerate(self.segments):
            if name not in SEGMENTS:
                raise BadFrame(
                    f"frame {self.sequence}: no segment called '{name}': "
                    f"known: {', '.join(SEGMENTS)}"
                )
            if name in self.segments[:k]:
                raise BadFrame(f"frame {self.sequence}: {name} is there twice")

    def require_finite(self) -> None:
        """Refuse a frame that holds NaN, infinity or something that is no rotation.

        Raises:
            BadFrame: Naming the first bad segment.
        """
        if self._good:  # nothing in a frame can change
            return
        # Here, since many hold frames and check none: they need no compiler.
        from telexist.retarget.frame_check import are_finite, are_rotations

        if not (math.isfinite(self.stamp) and are_rotations(self.rotations)):
            raise self._complaint()
        for value in (
            self.angular_velocities,
            self.positions,
            self.linear_velocities,
        ):
            if value is not None and not are_finite(value):
                raise self._complaint()
        object.__setattr__(self, "_good", True)

    def _complaint(self) -> BadFrame:
        """Return what is wrong with a frame that is not finite or no rotation."""
        from telexist.retarget.frame_check import are_rotations

        if not math.isfinite(self.stamp):
            return BadFrame(f"frame {self.sequence}: its time stamp is {self.stamp}")
        where = f"frame {self.sequence} at {self.stamp:.3f} s"
        for name in (
            "rotations",
            "angular_velocities",
            "positions",
            "linear_velocities",
        ):
            value = getattr(self, name)
            if value is None or np.isfinite(value).all():
                continue
            good = np.isfinite(value).reshape(len(self.segments), -1).all(1)
            segment = self.segments[int(np.argmin(good))]
            return BadFrame(f"{where}: {segment}: {name.replace('_', ' ')} not finite")
        bad = [not are_rotations(R[None]) for R in self.rotations]
        segment = self.segments[int(np.argmax(bad))]
        return BadFrame(f"{where}: the matrix of {segment} is not a rotation")


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanClip:
    """A recording of a person: all 23 segments at every time.

    Attributes:
        name: Short name, used for output files.
        source: Where it came from: a path, or a word for generated motion.
        time: Increasing, from 0 (t,) [s].
        rotations: `world_R_segment` (t, 23, 3, 3), order of `SEGMENTS`.
        angular_velocities: In world axes (t, 23, 3) [rad/s].
        positions: Origins of the segments (t, 23, 3) [m]; the floor is z = 0.
        linear_velocities: Of the origins, world axes (t, 23, 3) [m/s].
        size: The performer's joints in N-pose.
        notes: What was found or assumed while reading, one line each: dialect, unit,
            up-axis, rate, heading, neutral pose, floor, segments interpolated.
        hand_points: As in `HumanFrame`, for all times (t, 2, 25, 3) [m].
    """

    name: str
    source: str
    time: Array
    rotations: Array
    angular_velocities: Array
    positions: Array
    linear_velocities: Array
    size: HumanSize
    notes: tuple[str, ...] = ()
    hand_points: Array | None = None

    def __post_init__(self) -> None:
        """Copy, check and freeze the arrays."""
        time = frozen_array(self.time, (None,), "time")
        t, s = len(time), len(SEGMENTS)
        if t == 0 or (t > 1 and not np.all(np.diff(time) > 0.0)):
            raise BadInput(f"{self.source}: times must increase and not be empty")
        put = object.__setattr__
        put(self, "time", time)
        put(self, "rotations", frozen_array(self.rotations, (t, s, 3, 3), "rotations"))
        for name in ("angular_velocities", "positions", "linear_velocities"):
            label = name.replace("_", " ")
            put(self, name, frozen_array(getattr(self, name), (t, s, 3), label))
        for name in (
            "time",
            "rotations",
            "angular_velocities",
            "positions",
            "linear_velocities",
        ):
            if not np.isfinite(getattr(self, name)).all():
                label = name.replace("_", " ")
                raise BadInput(f"{self.source}: {label}: a value is not finite")
        if self.hand_points is not None:
            put(self, "hand_points", frozen_hands(self.hand_points, (t,)))

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.time)

    @property
    def rate(self) -> float:
        """Mean frame rate [Hz]; 0 for a single frame."""
        if len(self.time) < 2:
            return 0.0
        return float((len(self.time) - 1) / (self.time[-1] - self.time[0]))

    def frame(self, index: int) -> HumanFrame:
        """Return one frame as a live source would deliver it."""
        return HumanFrame(
            stamp=float(self.time[index]),
            segments=SEGMENTS,
            rotations=self.rotations[index],
            angular_velocities=self.angular_velocities[index],
            positions=self.positions[index],
            linear_velocities=self.linear_velocities[index],
            sequence=index,
            hand_points=None if self.hand_points is None else self.hand_points[index],
        )

    def frames(self) -> Iterator[HumanFrame]:
        """Return the frames in order."""
        return (self.frame(index) for index in range(len(self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotFrame:
    """One sample of the robot's motion; joints in the order of the robot's body.

    Attributes:
        stamp: Time of the human frame that caused it [s].
        q: Joint positions (n,) [rad] or [m].
        dq: Joint velocities over the last step (n,) [rad/s] or [m/s].
        world_p_base: Position of the base link (3,) [m].
        world_R_base: Orientation of the base link (3, 3).
        planted: Whether the left and the right sole stand flat and still on the floor.
    """

    stamp: float
    q: Array
    dq: Array
    world_p_base: Array
    world_R_base: Array
    planted: tuple[bool, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotMotion:
    """A motion of a robot: what `telexist retarget` computes and saves.

    Attributes:
        robot: Name of the robot.
        source: Where the human motion came from.
        time: (t,) [s].
        joint_names: The n joints, in the order of the columns below.
        joint_positions: (t, n) [rad] or [m].
        joint_velocities: (t, n) [rad/s] or [m/s].
        base_position: `world_p_base` (t, 3) [m].
        base_rotation: `world_R_base` (t, 3, 3).
        contact_left: Whether the left sole is planted (t,) bool.
        contact_right: Whether the right sole is planted (t,) bool.
        finger_names: The k finger joints that move too, none of the n.
        finger_positions: (t, k) [rad] or [m]; None without any.
    """

    robot: str
    source: str
    time: Array
    joint_names: tuple[str, ...]
    joint_positions: Array
    joint_velocities: Array
    base_position: Array
    base_rotation: Array
    contact_left: np.ndarray
    contact_right: np.ndarray
    finger_names: tuple[str, ...] = ()
    finger_positions: Array | None = None

    @property
    def fingers(self) -> Array:
        """Positions of the finger joints (t, k), of none where there are none."""
        if self.finger_positions is None:
            return np.zeros((len(self.time), 0))
        return self.finger_positions
