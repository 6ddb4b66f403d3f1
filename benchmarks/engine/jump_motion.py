"""A jump of a person, synthesised: crouch, push, flight, landing; and its markers.

The pelvis flies freely between take-off and landing (2.2 m/s, 0.45 s). Markers carry
noise and wander on the skin, so that no posture meets them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from telexist.retarget.human.musculoskeletal import body_markers
from telexist.retarget.human_size import HumanSize
from telexist.retarget.recordings.builtin import leg_pose, segment_rotations
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, rotation_y

__all__ = ["Jump", "make_jump"]

TAKE_OFF, SPEED, GRAVITY = 1.0, 2.2, 9.81  # [s], [m/s], [m/s^2]
LANDING = TAKE_OFF + 2.0 * SPEED / GRAVITY  # [s]
DURATION = 2.6  # [s]
NOISE = 0.5e-3  # [m] of a marker in a frame, each axis
WANDER = 4e-3  # [m] of a marker on the skin, each axis

Keys = Sequence[tuple[float, float, float]]

# time [s], value, slope
_HEIGHT: Keys = (
    (0.0, 0.0, 0.0),
    (0.25, 0.0, 0.0),
    (0.72, -0.36, 0.0),
    (TAKE_OFF, 0.02, SPEED),
    (LANDING, 0.02, -SPEED),
    (1.72, -0.28, 0.0),
    (2.3, 0.0, 0.0),
    (DURATION, 0.0, 0.0),
)
_ANKLE: Keys = (
    (0.0, 0.0, 0.0),
    (0.9, 0.0, 0.0),
    (TAKE_OFF, 0.05, 1.8),
    (LANDING, 0.05, -1.8),
    (1.54, 0.0, 0.0),
    (DURATION, 0.0, 0.0),
)
_FOOT: Keys = (
    (0.0, 0.0, 0.0),
    (0.88, 0.0, 0.0),
    (1.05, 0.75, 0.0),
    (1.4, 0.45, 0.0),
    (1.54, 0.0, 0.0),
    (DURATION, 0.0, 0.0),
)
_PELVIS: Keys = (
    (0.0, 0.0, 0.0),
    (0.25, 0.0, 0.0),
    (0.72, 0.55, 0.0),
    (1.05, -0.05, 0.0),
    (1.4, 0.05, 0.0),
    (1.72, 0.45, 0.0),
    (2.3, 0.0, 0.0),
    (DURATION, 0.0, 0.0),
)
_ARMS: Keys = (
    (0.0, 0.0, 0.0),
    (0.2, 0.0, 0.0),
    (0.68, 0.85, 0.0),
    (1.08, -2.5, 0.0),
    (1.35, -2.2, 0.0),
    (1.75, -0.4, 0.0),
    (2.3, 0.0, 0.0),
    (DURATION, 0.0, 0.0),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A jump as an optical system sees it.

    Attributes:
        time: (t,) [s].
        markers: Names, in the order of `positions`.
        positions: As measured (t, k, 3) [m].
    """

    time: Array
    markers: tuple[str, ...]
    positions: Array


def make_jump(size: HumanSize, rate: float = 200.0, *, seed: int = 0) -> Jump:
    """Let a person jump.

    Args:
        size: The person.
        rate: Frames per second.
        seed: Of the noise.
    """
    time = np.arange(0.0, DURATION, 1.0 / rate)
    rotations, pelvis = _postures(size, time)
    origins = size.positions(rotations, pelvis)
    markers = body_markers(size)
    rng = np.random.default_rng(seed)
    places = []
    for point in markers.values():
        i = SEGMENT_INDEX[point.segment]
        skin = point.segment_p_point + _wander(rng, time)
        place = origins[:, i] + np.einsum("tab,tb->ta", rotations[:, i], skin)
        places.append(place + NOISE * rng.normal(size=(len(time), 3)))
    return Jump(time=time, markers=tuple(markers), positions=np.stack(places, axis=1))


def _wander(rng: np.random.Generator, time: Array) -> Array:
    """Return a slow, small displacement (t, 3) [m]."""
    rate = rng.uniform(0.5, 3.0, size=3)  # [Hz]
    phase = rng.uniform(0.0, 2.0 * np.pi, size=3)
    return WANDER * np.sin(2.0 * np.pi * rate * time[:, None] + phase)


def _path(keys: Keys, time: Array) -> Array:
    times, values, slopes = np.array(keys).T
    return CubicHermiteSpline(times, values, slopes)(time)


def _postures(size: HumanSize, time: Array) -> tuple[Array, Array]:
    """Return the rotations of all segments (t, 23, 3, 3) and the pelvis (t, 3)."""
    scale = size.leg_length / 0.93
    pelvis = np.tile(size.joints["Pelvis"], (len(time), 1))
    pelvis[:, 2] += scale * _path(_HEIGHT, time)
    lean = _path(_PELVIS, time)
    pelvis[:, 0] -= 0.10 * scale * lean
    rotations = segment_rotations(rotation_y(lean), _angles(time, lean))
    ahead = np.tile([1.0, 0.0, 0.0], (len(time), 1))
    for side in ("Left", "Right"):
        thigh, shank, foot, toe = (
            f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toe")
        )
        offset = size.joints[thigh] - size.joints["Pelvis"]
        hip = pelvis + rotation_y(lean) @ offset
        ankle = np.tile(size.joints[foot], (len(time), 1))
        ankle[:, 2] += scale * _path(_ANKLE, time)
        bones = (
            float(np.linalg.norm(size.joints[shank] - size.joints[thigh])),
            float(np.linalg.norm(size.joints[foot] - size.joints[shank])),
        )
        leg = leg_pose(hip, ankle, ahead, bones)
        rotations[:, SEGMENT_INDEX[thigh]] = leg.thigh
        rotations[:, SEGMENT_INDEX[shank]] = leg.shank
        tilt = rotation_y(_path(_FOOT, time))
        rotations[:, SEGMENT_INDEX[foot]] = tilt
        rotations[:, SEGMENT_INDEX[toe]] = tilt @ rotation_y(-0.5 * _path(_FOOT, time))
    return rotations, pelvis


def _angles(time: Array, lean: Array) -> dict[str, Array]:
    """Return the turns about y, x, z of the trunk and the arms."""
    zero = np.zeros_like(time)
    swing = _path(_ARMS, time)
    bend = np.stack([0.15 * lean, zero, zero], axis=-1)
    angles = {name: bend for name in ("L5", "L3", "T12", "T8")}
    angles["Neck"] = -2.0 * bend
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        aside = left * 0.15 * np.abs(swing)
        angles[f"{side}UpperArm"] = np.stack([swing, aside, zero], axis=-1)
        elbow = -0.25 * np.abs(swing)
        angles[f"{side}ForeArm"] = np.stack([elbow, zero, 0.2 * swing], axis=-1)
    return angles
