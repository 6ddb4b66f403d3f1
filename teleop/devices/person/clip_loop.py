"""How a recording is played for ever: the way from its last posture to its first.

The person goes on where they are: each pass is moved and turned on the floor so that it
begins at the pelvis' place and heading at the end of the pass before. What is left, the
difference of the postures, is bridged by a short motion of minimum jerk that takes over
the velocities at both of its ends and keeps the limbs' lengths.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from telexist.retarget.segments import PARENT, SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import (
    Array,
    angular_velocities,
    exp_so3,
    log_so3,
    rotation_z,
    yaw_of,
)

__all__ = ["Bridge", "FloorMove", "bridge", "looped_clip", "pass_move"]

_SPEED = 1.2  # [rad/s] of the fastest segment on the bridge
_SHORTEST, _LONGEST = 0.4, 4.0  # [s] of a bridge
_BRAKING = 1.2  # [rad] speed times the time in which a joint comes to rest
_COASTING = 0.3  # [s] in which feet that move come to rest
_FEET = [
    SEGMENT_INDEX[f"{side}{part}"]
    for side in ("Left", "Right")
    for part in ("Foot", "Toe")
]
_PELVIS = SEGMENT_INDEX["Pelvis"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorMove:
    """A move on the floor: a turn about the vertical, then a shift.

    Attributes:
        yaw: Turn to the left [rad].
        shift: Of x and y, z is 0 (3,) [m].
    """

    yaw: float
    shift: Array

    @staticmethod
    def still() -> FloorMove:
        """Return the move that moves nothing."""
        return FloorMove(yaw=0.0, shift=np.zeros(3))

    def then(self, later: FloorMove) -> FloorMove:
        """Return this move followed by a later one."""
        return FloorMove(
            yaw=float(np.angle(np.exp(1j * (self.yaw + later.yaw)))),
            shift=rotation_z(later.yaw) @ self.shift + later.shift,
        )

    def apply(self, frame: HumanFrame) -> HumanFrame:
        """Return the frame of a person moved and turned on the floor."""
        R = rotation_z(self.yaw)
        p, v = frame.positions, frame.linear_velocities
        return dataclasses.replace(
            frame,
            rotations=R @ frame.rotations,
            angular_velocities=frame.angular_velocities @ R.T,
            positions=None if p is None else p @ R.T + self.shift,
            linear_velocities=None if v is None else v @ R.T,
        )


def pass_move(clip: HumanClip) -> FloorMove:
    """Return the move that brings the first frame to where the last one stands."""
    first, last = clip.rotations[0, _PELVIS], clip.rotations[-1, _PELVIS]
    yaw = float(yaw_of(last) - yaw_of(first))
    shift = clip.positions[-1, _PELVIS] - rotation_z(yaw) @ clip.positions[0, _PELVIS]
    return FloorMove(yaw=yaw, shift=shift * (1.0, 1.0, 0.0))


def looped_clip(clip: HumanClip) -> tuple[HumanClip, FloorMove]:
    """Return one pass of the clip with the way back at its end, and the pass' move.

    The pass after it is the same clip under the move, without a jump of pose or speed.
    """
    if len(clip) < 2:
        return clip, FloorMove.still()
    move = pass_move(clip)
    way = bridge(
        clip.frame(len(clip) - 1), move.apply(clip.frame(0)), period=1.0 / clip.rate
    )
    join = np.concatenate
    whole = dataclasses.replace(
        clip,
        time=join([clip.time, clip.time[-1] + way.time]),
        rotations=join([clip.rotations, way.rotations]),
        angular_velocities=join([clip.angular_velocities, way.angular_velocities]),
        positions=join([clip.positions, way.positions]),
        linear_velocities=join([clip.linear_velocities, way.linear_velocities]),
    )
    return whole, move


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """The frames strictly between two postures; arrays as in `HumanClip`.

    Attributes:
        time: Since the first posture (k,) [s]; the second follows one period later.
    """

    time: Array
    rotations: Array
    angular_velocities: Array
    positions: Array
    linear_velocities: Array


def bridge(start: HumanFrame, end: HumanFrame, *, period: float) -> Bridge:
    """Join two whole-body frames with minimum jerk, matching the speeds at both.

    Each joint, and the pelvis in the world, turns as R(t) = exp(b(t) w1) exp(a(t) w0)
    R0 exp(s(t) log(R0' R1)), where s goes from 0 to 1 with minimum jerk, a starts with
    slope 1 and b ends with slope 1, all else 0. So no joint goes much beyond where it
    is at both ends.
    """
    R0, w0 = _joints(start)
    R1, w1 = _joints(end)
    whole = log_so3(np.swapaxes(R0, -1, -2) @ R1)
    largest = float(np.linalg.norm(whole, axis=-1).max())
    count = int(np.ceil(_duration(largest) / period))
    time = period * np.arange(count + 1, dtype=np.float64)
    s, a, b = _quintics(time, period * count)
    turn0 = exp_so3(_coasting(time, w0)[..., None] * w0)
    turn1 = exp_so3(-_coasting(time[-1] - time, w1)[..., None] * w1)
    rotations = _in_world(turn1 @ turn0 @ R0 @ exp_so3(s[:, None, None] * whole))
    positions = _positions(start, end, rotations, (s, a, b))
    _stand(positions, start, end, time)
    inside = slice(1, -1)
    return Bridge(
        time=time[inside],
        rotations=rotations[inside],
        angular_velocities=angular_velocities(rotations, time)[inside],
        positions=positions[inside],
        linear_velocities=np.gradient(positions, time, axis=0)[inside],
    )


def _joints(frame: HumanFrame) -> tuple[Array, Array]:
    """Return `parent_R_segment` (23, 3, 3) and its speed in the parent's axes (23, 3).

    The pelvis' parent is the world.
    """
    R, w = frame.rotations.copy(), frame.angular_velocities.copy()
    for k, name in enumerate(SEGMENTS):
        if (parent := PARENT[name]) is not None:
            j = SEGMENT_INDEX[parent]
            parent_R_world = frame.rotations[j].T
            R[k] = parent_R_world @ frame.rotations[k]
            w[k] = parent_R_world @ (
                frame.angular_velocities[k] - frame.angular_velocities[j]
            )
    return R, w


def _in_world(joints: Array) -> Array:
    """Return `world_R_segment` of `parent_R_segment` (t, 23, 3, 3)."""
    rotations = joints.copy()
    for k, name in enumerate(SEGMENTS):
        if (parent := PARENT[name]) is not None:
            rotations[:, k] = rotations[:, SEGMENT_INDEX[parent]] @ joints[:, k]
    return rotations


def _coasting(time: Array, speeds: Array) -> Array:
    """Return how long joints go on at their speed, as they brake (t, 23) [s].

    A fast joint brakes hard: none turns by more than a fifth of `_BRAKING`.

    Args:
        time: Since they began to brake (t,) [s].
        speeds: Of the joints then (23, 3) [rad/s].
    """
    fastest = np.maximum(np.linalg.norm(speeds, axis=-1), _BRAKING / time.max())
    duration = _BRAKING / fastest
    return _quintics(np.minimum(time[:, None], duration), duration)[1]


def _duration(angle: float) -> float:
    """Return how long a turn by `angle` takes [s]; 15/8 is minimum jerk's peak."""
    return min(max(15.0 / 8.0 * angle / _SPEED, _SHORTEST), _LONGEST)


def _quintics(time: Array, duration: float | Array) -> tuple[Array, Array, Array]:
    """Return s, a, b of `bridge` at the given times; a and b in seconds."""
    x = time / duration
    s = x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    a = x - 6.0 * x**3 + 8.0 * x**4 - 3.0 * x**5
    b = -4.0 * x**3 + 7.0 * x**4 - 3.0 * x**5
    return s, duration * a, duration * b


def _positions(
    start: HumanFrame, end: HumanFrame, rotations: Array, s_a_b: tuple[Array, ...]
) -> Array:
    """Return the segments' origins (k, 23, 3), built from the pelvis outwards."""
    p0, p1, v0, v1 = (_known(frame, k) for k in (0, 1) for frame in (start, end))
    s, a, b = (value[:, None] for value in s_a_b)
    positions = np.empty((len(rotations), len(SEGMENTS), 3))
    for k, name in enumerate(SEGMENTS):
        parent = PARENT[name]
        if parent is None:
            positions[:, k] = p0[k] + s * (p1[k] - p0[k]) + a * v0[k] + b * v1[k]
            continue
        j = SEGMENT_INDEX[parent]
        near = start.rotations[j].T @ (p0[k] - p0[j])
        far = end.rotations[j].T @ (p1[k] - p1[j])
        offset = near + s * (far - near)
        positions[:, k] = positions[:, j] + np.einsum(
            "tij,tj->ti", rotations[:, j], offset
        )
    return positions


def _stand(positions: Array, start: HumanFrame, end: HumanFrame, time: Array) -> None:
    """Shift a bridge on the floor, so that its feet stay where they are in the mean.

    Nobody slides: what the feet were moving at ends within `_COASTING`.
    """
    s = _quintics(time, float(time[-1]))[0][:, None]
    reach = min(float(time[-1]), _COASTING)
    a = _quintics(np.minimum(time, reach), reach)[1][:, None]
    b = -_quintics(np.minimum(time[-1] - time, reach), reach)[1][:, None]
    p0, p1, v0, v1 = (
        _known(frame, k)[_FEET].mean(axis=0) for k in (0, 1) for frame in (start, end)
    )
    path = p0 + s * (p1 - p0) + a * v0 + b * v1
    shift = path - positions[:, _FEET].mean(axis=1)
    positions += (shift * (1.0, 1.0, 0.0))[:, None]


def _known(frame: HumanFrame, derivative: int) -> Array:
    value = (frame.positions, frame.linear_velocities)[derivative]
    return np.zeros((len(frame.segments), 3)) if value is None else value
