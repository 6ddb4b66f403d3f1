"""A motion at the rate of a controller, smooth enough to have accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import butter, sosfiltfilt
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import (
    Array,
    angular_velocities,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)
from telexist.robots.dynamics import BodyState

__all__ = ["SMOOTH", "SampledMotion", "sample_motion"]

SMOOTH = 8.0  # [Hz] above which a recording holds noise rather than motion
SHORTEST = 0.2  # [s] of a motion that can be played


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMotion:
    """A motion at even times.

    Attributes:
        time: From 0 (t,) [s].
        q: Joint positions (t, n), in the order that was asked for.
        dq: Their rates (t, n).
        ddq: The rates of those (t, n).
        p: Of the base (t, 3) [m].
        v: Its velocity, world axes (t, 3) [m/s].
        R: Axes of the base (t, 3, 3).
        w: Its angular velocity, world axes (t, 3) [rad/s].
        planted: Whether the motion says that left and right sole stand (t, 2) bool.
    """

    time: Array
    q: Array
    dq: Array
    ddq: Array
    p: Array
    v: Array
    R: Array
    w: Array
    planted: np.ndarray

    def state(self, k: int) -> BodyState:
        """Return where the robot is to be at one time."""
        return BodyState(
            world_p_base=self.p[k],
            world_R_base=self.R[k],
            q=self.q[k],
            world_v_base=self.v[k],
            world_w_base=self.w[k],
            dq=self.dq[k],
        )


def sample_motion(
    motion: RobotMotion, joints: Sequence[str], period: float
) -> SampledMotion:
    """Sample a motion; what is faster than 8 Hz is smoothed away, without delay.

    Args:
        motion: Any, at any rate.
        joints: Whose columns are wanted, in their order.
        period: Between two samples [s].

    Raises:
        UnknownName: If the motion lacks a joint.
        BadInput: If it is too short.
    """
    columns = []
    for name in joints:
        if name not in motion.joint_names:
            raise UnknownName("joint of the motion", name, motion.joint_names)
        columns.append(motion.joint_names.index(name))
    given = motion.time - motion.time[0]
    if given[-1] < SHORTEST or len(given) < 4:
        raise BadInput(
            f"{motion.source}: {len(given)} frames in {given[-1]:.2f} s: a motion of "
            f"{SHORTEST:g} s and 4 frames at least can be played"
        )
    time: Array = period * np.arange(int(given[-1] / period) + 1, dtype=float)
    quats = quat_wxyz_from_rotation(motion.base_rotation)
    turns = np.sum(quats[1:] * quats[:-1], axis=1) < 0.0
    quats = quats * np.where(np.r_[0, np.cumsum(turns)] % 2 == 1, -1.0, 1.0)[:, None]
    rows = np.hstack([motion.joint_positions[:, columns], motion.base_position, quats])
    rows = _smoothed(CubicSpline(given, rows)(time), period)
    n = len(columns)
    q, p, quat = rows[:, :n], rows[:, n : n + 3], rows[:, n + 3 :]
    R = rotation_from_quat_wxyz(quat / np.linalg.norm(quat, axis=1, keepdims=True))
    dq = np.gradient(q, period, axis=0)
    flags = np.stack([motion.contact_left, motion.contact_right], axis=1)
    nearest = np.searchsorted((given[1:] + given[:-1]) / 2.0, time)
    return SampledMotion(
        time=time,
        q=q,
        dq=dq,
        ddq=np.gradient(dq, period, axis=0),
        p=p,
        v=np.gradient(p, period, axis=0),
        R=R,
        w=angular_velocities(R, time),
        planted=flags[nearest].astype(bool),
    )


def _smoothed(rows: Array, period: float) -> Array:
    if 2.0 * SMOOTH * period >= 1.0 or len(rows) < 30:
        return rows
    sos = butter(2, 2.0 * SMOOTH * period, output="sos")
    return np.asarray(sosfiltfilt(sos, rows, axis=0, padlen=min(90, len(rows) - 1)))
