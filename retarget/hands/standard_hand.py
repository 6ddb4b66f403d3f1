"""A grown-up's hand from its joint angles: for simulators, and where only angles come.

The palm's directions are those of `RobotHand.palm`: x along the fingers, y towards the
thumb, z out of the back.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array, exp_so3, rotation_y, rotation_z

__all__ = ["OPEN_HAND", "standard_hand"]

KNUCKLES = np.array(
    [[0.095, 0.025, 0.0], [0.096, 0.003, 0.003], [0.09, -0.018, 0.0]]
    + [[0.08, -0.037, -0.004]]
)  # [m] index, middle, ring, little, from the wrist
METACARPALS = 0.25 * KNUCKLES + np.array([0.012, 0.0, 0.0])  # [m] their other ends
PHALANGES = np.array(
    [[0.045, 0.026, 0.022], [0.05, 0.03, 0.023], [0.046, 0.028, 0.023]]
    + [[0.036, 0.021, 0.02]]
)  # [m]
THUMB_BASE = np.array([0.02, 0.025, -0.012])  # [m]
THUMB = np.array([0.045, 0.032, 0.027])  # [m]
THUMB_AXIS = np.array([0.0, 0.64, -0.77])  # about it bends the thumb, along its bone

OPEN_HAND = np.array([[0.7, 0.3, 0.1, 0.1]] + 4 * [[0.0, 0.05, 0.05, 0.05]])
"""Angles of a relaxed open hand (5, 4) [rad]; see `standard_hand`."""


def standard_hand(angles: Array, side: str) -> Array:
    """Return the 25 WebXR joints of a hand with its wrist at the origin (25, 3) [m].

    Args:
        angles: One row a finger, the thumb first (5, 4) [rad]: thumb away from the
            fingers, thumb before the palm, its two bends; fingers towards the thumb,
            and their three bends.
        side: "left" or "right"; y points to the thumb for right, away for left.
    """
    joints = np.zeros((25, 3))
    R = rotation_z(angles[0, 0]) @ rotation_y(angles[0, 1])
    _chain(joints[1:5], THUMB_BASE, R, THUMB, (*angles[0, 2:], 0.0), THUMB_AXIS)
    flat = np.array([0.0, 1.0, 0.0])
    for k in range(4):
        turn, *bends = angles[k + 1]
        first = 5 + 5 * k
        joints[first] = METACARPALS[k]
        R = rotation_z(turn) @ rotation_y(bends[0])
        row = joints[first + 1 : first + 5]
        _chain(row, KNUCKLES[k], R, PHALANGES[k], (*bends[1:], 0.0), flat)
    if side == "left":
        joints[:, 1] *= -1.0
    return joints


def _chain(
    joints: Array,
    base: Array,
    R: Array,
    bones: Array,
    bends: tuple[float, ...],
    axis: Array,
) -> None:
    joints[0] = base
    for k, (bone, bend) in enumerate(zip(bones, bends, strict=True)):
        joints[k + 1] = joints[k] + R[:, 0] * bone
        R = R @ exp_so3(bend * axis)
