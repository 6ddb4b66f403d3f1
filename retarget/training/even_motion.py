"""A motion on an even grid of times, as trainers want it: resampled and padded."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.errors import BadInput
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import (
    Array,
    exp_so3,
    log_so3,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_z,
    yaw_of,
)
from telexist.retarget.training.frame_rate import exact_rate
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["EvenMotion", "TrainingOptions", "even_motion"]

HELD = 0.25  # share of the padding in which the robot only stands
MAX_PAD = 60.0  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """What a user can choose of files for trainers.

    Attributes:
        fps: Frames a second; None: what the trainer expects, else the motion's own.
        pad: Time that is added at both ends [s]: the robot stands, then goes over into
            the motion without a jump in speed or acceleration.
    """

    fps: Fraction | None = None
    pad: float = 0.0

    def __post_init__(self) -> None:
        """Check the padding."""
        if not 0.0 <= self.pad <= MAX_PAD:
            raise BadInput(f"padding must be 0 to {MAX_PAD:g} s, not {self.pad}")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvenMotion:
    """A motion with one exact frame rate, joints in the order of `ModelTree.joints`.

    Attributes:
        fps: Frames a second, exact.
        base_p: `world_p_base` (t, 3) [m].
        base_R: `world_R_base` (t, 3, 3).
        q: Joint positions (t, n).
        contacts: Whether the left and the right sole are planted (t, 2) bool.
    """

    fps: Fraction
    base_p: Array
    base_R: Array
    q: Array
    contacts: np.ndarray

    def base_quat_wxyz(self) -> Array:
        """Return the base's quaternions (t, 4), continuous in time."""
        return continuous(quat_wxyz_from_rotation(self.base_R))


def even_motion(
    motion: RobotMotion, model: ModelTree, rate: Fraction | None, pad: float = 0.0
) -> EvenMotion:
    """Put a motion on an even grid of times.

    Frames are taken as they are where the rate is the motion's own. Otherwise cubic
    splines pass through them, which adds no jerk; contacts are those of the nearest
    frame, joints stay inside their limits.

    Args:
        motion: The motion.
        model: Its robot.
        rate: Frames a second wanted; None: the motion's own.
        pad: See `TrainingOptions`.

    Raises:
        BadInput: If the motion is of another robot.
    """
    own = exact_rate(motion.time)
    fps = own if rate is None else rate
    q = motion.joint_positions[:, model.columns(motion.joint_names)]
    contacts = np.column_stack([motion.contact_left, motion.contact_right]).astype(bool)
    even = EvenMotion(
        fps=fps,
        base_p=np.array(motion.base_position),
        base_R=np.array(motion.base_rotation),
        q=q,
        contacts=contacts,
    )
    if fps != own and len(q) > 1:
        even = _resampled(even, motion.time, model)
    return _padded(even, model, pad) if pad > 0.0 else even


def continuous(quat: Array) -> Array:
    """Return the same turns (t, 4), each quaternion the nearer one to its neighbour."""
    along = np.sum(quat[1:] * quat[:-1], axis=1)
    quat[1:] *= np.cumprod(np.where(along < 0.0, -1.0, 1.0))[:, None]
    return quat


def _resampled(even: EvenMotion, stamps: Array, model: ModelTree) -> EvenMotion:
    time = (stamps - stamps[0]) * _true_scale(stamps)
    count = int(np.floor(time[-1] * float(even.fps) + 1e-6)) + 1
    grid = np.minimum(np.arange(count) / float(even.fps), time[-1])
    quat = CubicSpline(time, even.base_quat_wxyz(), axis=0)(grid)
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    nearest = np.searchsorted((time[1:] + time[:-1]) / 2.0, grid)
    return EvenMotion(
        fps=even.fps,
        base_p=CubicSpline(time, even.base_p, axis=0)(grid),
        base_R=rotation_from_quat_wxyz(quat),
        q=_inside(CubicSpline(time, even.q, axis=0)(grid), model),
        contacts=even.contacts[nearest],
    )


def _true_scale(stamps: Array) -> float:
    """Return by what rounded times are stretched to mean the exact rate."""
    seconds = (len(stamps) - 1) / float(exact_rate(stamps))
    return seconds / float(stamps[-1] - stamps[0])


def _inside(q: Array, model: ModelTree) -> Array:
    return np.clip(q, model.lower, model.upper)


def _padded(even: EvenMotion, model: ModelTree, pad: float) -> EvenMotion:
    frames = round(pad * float(even.fps))
    if frames == 0:
        return even
    before = _approach(even, model, frames)
    backwards = EvenMotion(
        fps=even.fps,
        base_p=even.base_p[::-1],
        base_R=even.base_R[::-1],
        q=even.q[::-1],
        contacts=even.contacts[::-1],
    )
    after = _approach(backwards, model, frames)
    return EvenMotion(
        fps=even.fps,
        base_p=np.concatenate([before.base_p, even.base_p, after.base_p[::-1]]),
        base_R=np.concatenate([before.base_R, even.base_R, after.base_R[::-1]]),
        q=np.concatenate([before.q, even.q, after.q[::-1]]),
        contacts=np.concatenate([before.contacts, even.contacts, after.contacts[::-1]]),
    )


def _approach(even: EvenMotion, model: ModelTree, frames: int) -> EvenMotion:
    """Return the frames from standing to just before the first one of a motion."""
    yaw = rotation_z(yaw_of(even.base_R[0]) - yaw_of(model.standing.world_R_base))
    stand_R = yaw @ model.standing.world_R_base
    stand_p = np.array([*even.base_p[0, :2], model.standing.world_p_base[2]])
    few = slice(0, 4)
    turn = log_so3(stand_R.T @ even.base_R[few])
    known = np.column_stack([even.base_p[few], turn, even.q[few]])
    goal, speed, acceleration = _beginning(known, float(even.fps))
    start = np.concatenate([stand_p, np.zeros(3), model.standing.q])
    held = round(frames * HELD)
    moving = frames - held
    path = _quintic(start, goal, speed, acceleration, count=moving, fps=float(even.fps))
    path = np.concatenate([np.tile(start, (held, 1)), path])
    contacts = np.zeros((frames, 2), dtype=bool)
    contacts[:held] = True
    return EvenMotion(
        fps=even.fps,
        base_p=path[:, :3],
        base_R=stand_R @ exp_so3(path[:, 3:6]),
        q=_inside(path[:, 6:], model),
        contacts=contacts,
    )


def _beginning(values: Array, fps: float) -> tuple[Array, Array, Array]:
    """Return value, speed and acceleration at the first of a few frames (k,)."""
    if len(values) < 3:
        return values[0], np.zeros_like(values[0]), np.zeros_like(values[0])
    spline = CubicSpline(np.arange(len(values)) / fps, values, axis=0)
    return values[0], spline(0.0, 1), spline(0.0, 2)


def _quintic(
    start: Array,
    goal: Array,
    speed: Array,
    acceleration: Array,
    *,
    count: int,
    fps: float,
) -> Array:
    """Return a way from rest to a moving goal, without the goal itself (count, k).

    The polynomial of degree five with position, speed and acceleration zero at the
    start, as given at the end.
    """
    duration = count / fps
    s = (np.arange(count) / count)[:, None]
    way = goal - start
    v, a = speed * duration, acceleration * duration**2
    c3 = 10.0 * way - 4.0 * v + 0.5 * a
    c4 = -15.0 * way + 7.0 * v - a
    c5 = 6.0 * way - 3.0 * v + 0.5 * a
    return np.asarray(start + s**3 * (c3 + s * (c4 + s * c5)))
