"""What the person of the built-in motion does, and when.

N-pose, a wave with the right hand, both arms up, a squat, a stand on each leg, a walk
ahead, a turn to the left on the spot, the walk back, N-pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.builtin.steps import Place, Step
from telexist.retarget.recordings.builtin.tracks import key_path
from telexist.retarget.so3 import Array

__all__ = [
    "DURATION",
    "STEP_LENGTH",
    "activity",
    "body_angles",
    "squat_depth",
    "steps",
    "walking",
]

# When each act begins [s].
_WAVE, _REACH, _SQUAT, _STAND, _WALK, _TURN, _BACK, _END, DURATION = (
    1.5,
    5.6,
    8.8,
    12.6,
    20.4,
    24.4,
    28.4,
    32.2,
    35.2,
)

_STEP_TIME, _SWING_TIME = 0.62, 0.45  # [s] of walking: from step to step, off the floor
_TURN_TIME, _TURN_SWING = 0.50, 0.36  # [s] of turning on the spot
STEP_LENGTH = 0.28  # of the stature: 0.49 m for an adult
_TURNS = 4  # pairs of steps for half a turn
_STRIDES = 6  # steps in a row, the first and the last half as long


def activity(time: Array) -> Array:
    """Return 0 in N-pose and 1 while moving, when knees are a little soft (t,)."""
    return key_path(
        [(_WAVE, 0.0), (_WAVE + 0.8, 1.0), (_END, 1.0), (_END + 1.2, 0.0)], time
    )


def walking(time: Array) -> Array:
    """Return 1 while walking, when elbows are bent and arms swing (t,)."""
    keys = [
        (_WALK - 0.3, 0.0),
        (_WALK + 0.5, 1.0),
        (_END - 0.9, 1.0),
        (_END + 0.1, 0.0),
    ]
    return key_path(keys, time)


def squat_depth(time: Array) -> Array:
    """Return 1 at the bottom of the squat, else 0 (t,)."""
    return _act(time, _SQUAT, (0.1, 1.6, 2.1, 3.6))


def steps(size: HumanSize) -> tuple[Step, ...]:
    """Return every step of the built-in motion, in order of time."""
    return _steps(size.height, float(size.joints["LeftFoot"][1]))


@cache
def _steps(height: float, half_width: float) -> tuple[Step, ...]:
    length = STEP_LENGTH * height
    far = (_STRIDES - 1.5) * length
    feet = {"Left": half_width, "Right": -half_width}
    stands = [
        Step(
            side=side,
            start=_STAND + late,
            end=_STAND + late + 2.0,
            place=Place(x=0.0, y=feet[side], yaw=0.0),
            lift=0.17 * height,
            hold=0.5,
            roll=0.6,
            settle=0.45,
        )
        for side, late in (("Right", 1.15), ("Left", 4.65))
    ]
    return (
        *stands,
        *_walk(height, feet, start=_WALK, x=0.0, yaw=0.0),
        *_turn(height, feet, x=far),
        *_walk(height, feet, start=_BACK, x=far, yaw=np.pi),
    )


def _walk(
    height: float, feet: Mapping[str, float], *, start: float, x: float, yaw: float
) -> list[Step]:
    """Walk straight: half a step, whole steps, and the other foot comes beside."""
    length, ahead = STEP_LENGTH * height, float(np.cos(yaw))
    reached = [length * (0.5 + i) for i in range(_STRIDES - 1)]
    walk = []
    for i, forth in enumerate([*reached, reached[-1]]):
        side = ("Right", "Left")[i % 2]
        halved = i in (0, _STRIDES - 1)
        walk.append(
            Step(
                side=side,
                start=start + i * _STEP_TIME,
                end=start + i * _STEP_TIME + _SWING_TIME,
                place=Place(x=x + ahead * forth, y=ahead * feet[side], yaw=yaw),
                lift=0.035 * height,
                roll=0.35 if halved else 0.65,
                advance=0.02 * height,
            )
        )
    return walk


def _turn(height: float, feet: Mapping[str, float], *, x: float) -> list[Step]:
    """Turn half round to the left about the point between the feet."""
    turn = []
    for i in range(2 * _TURNS):
        side, yaw = ("Left", "Right")[i % 2], np.pi * (i // 2 + 1) / _TURNS
        turn.append(
            Step(
                side=side,
                start=_TURN + i * _TURN_TIME,
                end=_TURN + i * _TURN_TIME + _TURN_SWING,
                place=Place(
                    x=x - feet[side] * float(np.sin(yaw)),
                    y=feet[side] * float(np.cos(yaw)),
                    yaw=float(yaw),
                ),
                lift=0.03 * height,
                roll=0.2,
            )
        )
    return turn


def _act(time: Array, start: float, keys: tuple[float, float, float, float]) -> Array:
    """Rise to 1, stay and fall again, at the four times after `start`."""
    up, stay, down, gone = (start + key for key in keys)
    return key_path([(up, 0.0), (stay, 1.0), (down, 1.0), (gone, 0.0)], time)


def body_angles(time: Array, stride: Array, look: Array) -> Mapping[str, Array]:
    """Return the joint angles of trunk and arms.

    Args:
        time: (t,) [s].
        stride: How far the left foot is ahead of the right one, in step lengths (t,).
        look: How far the head is turned ahead of the body [rad] (t,).

    Returns:
        For each segment the turns (t, 3) [rad] about y, x, z.
    """
    wave = _act(time, _WAVE, (0.1, 1.1, 3.1, 4.1))
    up = _act(time, _REACH, (0.0, 1.3, 1.8, 3.1))
    squat = squat_depth(time)
    balance = _act(time, _STAND, (0.5, 1.3, 6.4, 7.3))
    walk = walking(time)
    none = np.zeros_like(time)
    bend = 0.10 * squat - 0.03 * up + 0.01 * walk
    twist = 0.035 * stride * walk
    angles = {
        name: np.stack([bend, none, twist], axis=-1)
        for name in ("L5", "L3", "T12", "T8")
    }
    gaze = -0.25 * squat - 0.12 * up
    angles["Neck"] = np.stack([gaze, none, 0.6 * look - 2.0 * twist], axis=-1)
    angles["Head"] = np.stack([0.6 * gaze, none, 0.4 * look], axis=-1)
    swing = stride * walk
    angles.update(_arm("Right", wave, up, squat, balance, walk=walk, swing=swing))
    angles.update(_arm("Left", none, up, squat, balance, walk=walk, swing=-swing))
    shaking = 0.45 * np.sin(2.0 * np.pi * 1.5 * (time - _WAVE - 1.1))
    angles["RightForeArm"][:, 0] += shaking * _act(time, _WAVE, (0.9, 1.5, 2.8, 3.3))
    return angles


def _arm(
    side: str,
    wave: Array,
    up: Array,
    squat: Array,
    balance: Array,
    *,
    walk: Array,
    swing: Array,
) -> dict[str, Array]:
    """Angles of one arm; x and z of the left one are mirrored."""
    out = -1.0 if side == "Right" else 1.0
    none = np.zeros_like(wave)
    flexion = 2.75 * up + 2.00 * squat + 0.15 * wave + 0.42 * swing - 0.05 * walk
    abduction = 1.25 * wave + 0.12 * up + 0.10 * squat + 0.45 * balance + 0.08 * walk
    outward = 1.45 * wave
    elbow = 1.75 * wave + 0.15 * up + 0.15 * squat + 0.25 * balance
    elbow = elbow + walk * (0.45 + 0.25 * swing)
    return {
        f"{side}Shoulder": np.stack(
            [none, out * (0.25 * up + 0.1 * wave), none], axis=-1
        ),
        f"{side}UpperArm": np.stack(
            [-flexion, out * abduction, out * outward], axis=-1
        ),
        f"{side}ForeArm": np.stack([-elbow, none, none], axis=-1),
        f"{side}Hand": np.stack([none, out * -0.1 * walk, none], axis=-1),
    }
