"""A person's hand: 21 points seen from the palm, at any place, size and side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = [
    "PersonHand",
    "closing_of",
    "hand_closing",
    "landmarks",
    "palm_points",
    "read_hand",
]

WEBXR = np.setdiff1d(np.arange(25), [5, 10, 15, 20])
"""Of the 25 joints of WebXR all but the metacarpals of the four fingers."""
COUNTS = {21: np.arange(21), 25: WEBXR}
KNUCKLES = np.array([5, 9, 13, 17])
SMALLEST = 0.01  # [m] a palm below this is none
FAR_PINCH = 0.9  # thumb lengths between the tips of thumb and index: an open hand
CLOSE_PINCH = 0.15  # a closed one
CURL = np.array([2.0, 4.2, 4.2, 4.2, 4.2])  # [rad] sum of the bends of a closed finger


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonHand:
    """What a robot's fingers follow; directions are along the palm's.

    Attributes:
        tips: From knuckle to tip, in lengths of the finger (5, 3).
        pinches: From the thumb's tip to each other, in lengths of the thumb (4, 3).
        curls: How far each finger is closed, 0 to 1 (5,).
    """

    tips: Array
    pinches: Array
    curls: Array


def landmarks(points: Array) -> Array | None:
    """Return wrist, thumb and fingers, four each, of a hand's points (21, 3).

    Args:
        points: The 25 joints of WebXR or the 21 landmarks of MediaPipe [m].

    Returns:
        None if a point is missing (not finite) or they are no hand.

    Raises:
        BadInput: If there are not 21 or 25 points.
    """
    if points.ndim != 2 or points.shape[1] != 3 or len(points) not in COUNTS:
        raise BadInput(f"points of a hand are {points.shape}: 25 or 21 by 3")
    chosen = points[COUNTS[len(points)]]
    if not np.isfinite(chosen).all():
        return None
    across = np.linalg.norm(chosen[KNUCKLES[0]] - chosen[KNUCKLES[3]])
    along = np.linalg.norm(chosen[KNUCKLES].mean(axis=0) - chosen[0])
    return chosen if SMALLEST < across < 1.0 and SMALLEST < along < 1.0 else None


def palm_points(points: Array, side: str) -> Array:
    """Return the 21 points from the wrist, along the palm's directions (21, 3) [m].

    These are, as `RobotHand.palm`: along the fingers, towards the thumb, out of the
    back. So a left hand and its mirror image are the same.
    """
    points = points - points[0]
    x = _unit(points[KNUCKLES].mean(axis=0))
    y = points[KNUCKLES[0]] - points[KNUCKLES[3]]
    y = _unit(y - x * (y @ x))
    z = np.cross(x, y) if side == "right" else np.cross(y, x)
    return points @ np.stack([x, y, z], axis=1)


def read_hand(points: Array) -> PersonHand:
    """Return what 21 points along the palm's directions say (21, 3) [m]."""
    fingers = points[1:].reshape(5, 4, 3)
    bones = np.diff(fingers, axis=1)
    lengths = np.maximum(np.linalg.norm(bones, axis=2), 1e-4)
    whole = lengths.sum(axis=1)
    tips = (fingers[:, 3] - fingers[:, 0]) / whole[:, None]
    pinches = (fingers[1:, 3] - fingers[0, 3]) / whole[0]
    along = bones / lengths[..., None]
    bends = _angles(along[:, :-1], along[:, 1:]).sum(axis=1)
    bends[1:] += _angles(along[1:, 0], np.array([1.0, 0.0, 0.0]))
    return PersonHand(tips=tips, pinches=pinches, curls=np.clip(bends / CURL, 0, 1))


def closing_of(person: PersonHand) -> float:
    """Return how far a hand is closed, 0 to 1: by its fingers or by thumb and index."""
    gap = float(np.linalg.norm(person.pinches[0]))
    pinched = (FAR_PINCH - gap) / (FAR_PINCH - CLOSE_PINCH)
    return min(max(pinched, float(np.mean(person.curls[1:])), 0.0), 1.0)


def hand_closing(points: Array, side: str) -> float | None:
    """Return how far a hand of 25 or 21 points is closed; None if it is not seen.

    Raises:
        BadInput: If there are not 21 or 25 points.
    """
    seen = landmarks(points)
    return None if seen is None else closing_of(read_hand(palm_points(seen, side)))


def _angles(a: Array, b: Array) -> Array:
    return np.asarray(np.arccos(np.clip((a * b).sum(axis=-1), -1.0, 1.0)))


def _unit(v: Array) -> Array:
    return v / np.sqrt(v @ v)
