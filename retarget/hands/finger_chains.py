"""The 25 points of a hand from chains of joints, as suits and gloves have them.

A finger is three joints and a tip: for the thumb from its metacarpal on, for the others
from the knuckle on.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["MVN_HAND", "finger_tips", "hand_of_chains", "hand_of_mvn"]

TIP_SHARE = 0.85  # of the bone before it: the length of a last one
MVN_HAND = 20
"""Segments of a hand of Xsens' MVN: carpus, three of the thumb, four of each finger."""
MVN_JOINTS = np.array(
    [[1, 2, 3]] + [[4 * k + 1 + i for i in range(3)] for k in (1, 2, 3, 4)]
)
METACARPAL = 0.25  # of the way from wrist to knuckle: where WebXR's metacarpal is


def hand_of_chains(wrist: Array, fingers: Array) -> Array:
    """Return WebXR's 25 joints of a hand (..., 25, 3) [m].

    Args:
        wrist: (..., 3) [m].
        fingers: Three joints and tip of each, the thumb first (..., 5, 4, 3) [m].
    """
    points = np.empty((*wrist.shape[:-1], 25, 3))
    points[..., 0, :] = wrist
    points[..., 1:5, :] = fingers[..., 0, :, :]
    for k in range(1, 5):
        knuckle = fingers[..., k, 0, :]
        points[..., 5 * k, :] = wrist + METACARPAL * (knuckle - wrist)
        points[..., 5 * k + 1 : 5 * k + 5, :] = fingers[..., k, :, :]
    return points


def finger_tips(joints: Array, rotations: Array) -> Array:
    """Return fingers with tips (..., 5, 4, 3) where only their joints are known.

    The last bone goes on as the one before did when the finger was straight: in that
    posture all its frames were parallel.

    Args:
        joints: Three joints of each finger (..., 5, 3, 3) [m].
        rotations: Of their frames, parallel when straight (..., 5, 3, 3, 3).
    """
    bone = joints[..., 2, :] - joints[..., 1, :]
    own = np.einsum("...ji,...j->...i", rotations[..., 1, :, :], bone)
    last = TIP_SHARE * np.einsum("...ij,...j->...i", rotations[..., 2, :, :], own)
    tip = joints[..., 2, :] + last
    return np.concatenate([joints, tip[..., None, :]], axis=-2)


def hand_of_mvn(positions: Array, rotations: Array) -> Array:
    """Return WebXR's 25 joints (..., 25, 3) [m] of a hand of MVN.

    Args:
        positions: Origins of its segments (..., 20, 3) [m].
        rotations: Of its segments, parallel to each other in T-pose (..., 20, 3, 3).
    """
    joints = positions[..., MVN_JOINTS, :]
    fingers = finger_tips(joints, rotations[..., MVN_JOINTS, :, :])
    return hand_of_chains(positions[..., 0, :], fingers)
