"""The built-in motion: half a minute of everyday movement, computed, not recorded.

The motion is one smooth function of time; a clip holds samples of it, so that clips of
different rates agree wherever they share an instant. The feet are exactly still while
they stand, the centre of mass stays over them, and the legs follow by analytic inverse
kinematics. `retarget/recordings/builtin/script.py` says what happens when.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human import ADULT_HEIGHT, adult_size
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.builtin import script
from telexist.retarget.recordings.builtin.posing import (
    center_of_mass,
    leg_pose,
    segment_rotations,
)
from telexist.retarget.recordings.builtin.steps import FootPath, body_path, foot_path
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, log_so3, rotation_x, rotation_y, rotation_z

__all__ = ["builtin_clip"]

MAX_RATE = 1000.0  # [Hz]
_MOMENT = 5e-4  # [s] either side of an instant, for its velocities
_ROUNDS = 5  # each leaves a seventh of the centre of mass's error, or less
_SOFT_KNEE = 0.99  # of the straight leg; the longest that a moving leg gets
_STANDING = 0.9965  # of the straight leg; height of the hips of a standing person
_WALK_LOWER = 0.022  # of the stature; a walking person bends the knees a little
_BLEND = 0.006  # of the stature; how softly one leg's limit takes over from the other's
_SQUAT = 0.18  # of the stature; how far the hips go down
_LOOK_AHEAD = 0.35  # [s] by which the head turns before the body


def builtin_clip(rate: float = 60.0, height: float = ADULT_HEIGHT) -> HumanClip:
    """Sample the built-in motion.

    Args:
        rate: Frames per second [Hz].
        height: Stature of the person [m].

    Returns:
        A clip that begins and ends in N-pose.

    Raises:
        BadInput: If rate or height cannot be used.
    """
    if not (math.isfinite(rate) and 0.0 < rate <= MAX_RATE):
        raise BadInput(f"a rate must lie between 0 and {MAX_RATE:g} Hz, not {rate}")
    size = adult_size(height)
    time = np.arange(math.floor(script.DURATION * rate + 1e-9) + 1) / rate
    now = _pose(size, time)
    before, after = _pose(size, time - _MOMENT), _pose(size, time + _MOMENT)
    turn = after.rotations @ np.swapaxes(before.rotations, -1, -2)
    return HumanClip(
        name="builtin",
        source="built-in motion",
        time=time,
        rotations=now.rotations,
        angular_velocities=log_so3(turn) / (2.0 * _MOMENT),
        positions=now.positions,
        linear_velocities=(after.positions - before.positions) / (2.0 * _MOMENT),
        size=size,
        notes=(f"generated at {rate:g} Hz for a person of {height:g} m",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Poses:
    """The person at several times: rotations (t, 23, 3, 3), positions (t, 23, 3)."""

    rotations: Array
    positions: Array


def _pose(size: HumanSize, time: Array) -> _Poses:
    """Evaluate the motion at any times (t,) [s]."""
    steps = script.steps(size)
    feet = {side: foot_path(size, side, steps, time) for side in ("Left", "Right")}
    neutral = _neutral_com(size)
    body = body_path(size, steps, neutral, time)
    pelvis = _pelvis_rotation(size, feet, body.yaw, time)
    look = body_path(size, steps, neutral, time + _LOOK_AHEAD).yaw - body.yaw
    angles = script.body_angles(time, _stride(size, feet, body.yaw), look)
    rotations = segment_rotations(pelvis, angles)
    offset = (rotation_z(body.yaw) @ neutral)[:, :2]
    for _ in range(_ROUNDS):
        hips = _pelvis_position(size, pelvis, feet, body.com - offset, time)
        _set_legs(size, rotations, hips, feet)
        positions = size.positions(rotations, hips)
        offset = center_of_mass(size, rotations, positions)[:, :2] - hips[:, :2]
    return _Poses(rotations=rotations, positions=positions)


def _neutral_com(size: HumanSize) -> Array:
    rotations = np.broadcast_to(np.eye(3), (1, len(SEGMENT_INDEX), 3, 3))
    positions = size.positions(rotations, size.joints["Pelvis"])
    return center_of_mass(size, rotations, positions)[0]


def _stride(size: HumanSize, feet: dict[str, FootPath], yaw: Array) -> Array:
    """Return how far the left foot is ahead, in step lengths (t,)."""
    apart = feet["Left"].ball - feet["Right"].ball
    ahead = apart[:, 0] * np.cos(yaw) + apart[:, 1] * np.sin(yaw)
    return ahead / (script.STEP_LENGTH * size.height)


def _pelvis_rotation(
    size: HumanSize, feet: dict[str, FootPath], yaw: Array, time: Array
) -> Array:
    """Turn with the steps, drop the hip of the lifted leg, lean in the squat."""
    forth = 0.07 * _stride(size, feet, yaw) * script.walking(time)
    lifted = (feet["Right"].ball - feet["Left"].ball)[:, 2] / size.height
    lean = 0.42 * script.squat_depth(time) + 0.03 * script.walking(time)
    return (
        rotation_z(yaw - forth)
        @ rotation_y(lean)
        @ rotation_x(0.05 * np.tanh(lifted / 0.05))
    )


def _pelvis_position(
    size: HumanSize,
    pelvis: Array,
    feet: dict[str, FootPath],
    above: Array,
    time: Array,
) -> Array:
    """Put the pelvis over `above` (t, 2), as high as both legs allow (t, 3) [m]."""
    straight = size.leg_length - float(size.joints["LeftFoot"][2])
    squat = _SQUAT * size.height * script.squat_depth(time)
    walk = _WALK_LOWER * size.height * script.walking(time)
    standing = size.leg_length - (1.0 - _STANDING) * straight - squat - walk
    limits = [standing]
    for side, foot in feet.items():
        hip = pelvis @ (size.joints[f"{side}UpperLeg"] - size.joints["Pelvis"])
        gap = above + hip[:, :2] - foot.ankle[:, :2]
        reach = (_SOFT_KNEE * straight) ** 2 - np.sum(gap**2, axis=-1)
        margin = np.sqrt(np.maximum(reach, (0.3 * straight) ** 2))
        limits.append(foot.ankle[:, 2] + margin - hip[:, 2])
    soft = _BLEND * size.height
    low = np.min(limits, axis=0)
    height = low - soft * np.log(sum(np.exp((low - limit) / soft) for limit in limits))
    # squared, so that the knees set out as smoothly as the rest from a straight leg
    moving = script.activity(time) ** 2
    z = float(size.joints["Pelvis"][2]) * (1.0 - moving) + height * moving
    return np.concatenate([above, z[:, None]], axis=-1)


def _set_legs(
    size: HumanSize, rotations: Array, hips: Array, feet: dict[str, FootPath]
) -> None:
    """Write the rotations of both legs into `rotations`."""
    pelvis = rotations[:, SEGMENT_INDEX["Pelvis"]]
    for side, foot in feet.items():
        names = [f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toe")]
        hip, knee, ankle = (size.joints[name] for name in names[:3])
        leg = leg_pose(
            hips + pelvis @ (hip - size.joints["Pelvis"]),
            foot.ankle,
            pelvis[..., 0] + foot.toe[..., 0],
            (float(np.linalg.norm(knee - hip)), float(np.linalg.norm(ankle - knee))),
        )
        parts = (leg.thigh, leg.shank, foot.foot, foot.toe)
        for name, rotation in zip(names, parts, strict=True):
            rotations[:, SEGMENT_INDEX[name]] = rotation
