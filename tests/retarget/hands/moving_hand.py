"""A person's hand that pinches with every finger, makes a fist, spreads and points."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.optimize import least_squares
from telexist.retarget.hands import OPEN_HAND, standard_hand

TIPS = (9, 14, 19, 24)
LOWEST = np.array([-0.4, -0.2, -0.3, 0.0, -0.4, 0.0, 0.0, 0.0])
HIGHEST = np.array([1.2, 1.4, 0.9, 1.2, 0.3, 1.5, 1.8, 1.2])


@cache
def pinch(finger: int) -> np.ndarray:
    """Return angles (5, 4) at which thumb and finger 0 to 3 touch."""

    def posture(x: np.ndarray) -> np.ndarray:
        angles = OPEN_HAND.copy()
        angles[0], angles[finger + 1] = x[:4], x[4:]
        return angles

    def gap(x: np.ndarray) -> np.ndarray:
        points = standard_hand(posture(x), "right")
        return np.append(100.0 * (points[TIPS[finger]] - points[4]), 0.02 * (x - start))

    start = np.array([0.6, 0.7, 0.3, 0.4, 0.0, 0.7, 0.7, 0.4])
    return posture(least_squares(gap, start, bounds=(LOWEST, HIGHEST)).x)


def fist() -> np.ndarray:
    return np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])


def spread() -> np.ndarray:
    angles = OPEN_HAND.copy()
    angles[:, 0] = [1.0, 0.25, 0.05, -0.15, -0.3]
    return angles


def point() -> np.ndarray:
    angles = fist()
    angles[1] = OPEN_HAND[1]
    return angles


def motion(side: str, rate: float = 60.0) -> tuple[np.ndarray, dict[int, int]]:
    """Return frames (t, 25, 3), and which finger is pinched at which frame."""
    keys = [OPEN_HAND, pinch(0), OPEN_HAND, pinch(1), OPEN_HAND, pinch(2), OPEN_HAND]
    keys += [pinch(3), OPEN_HAND, fist(), spread(), point(), OPEN_HAND]
    way, stay = round(0.4 * rate), round(0.4 * rate)
    frames, pinched = [], {}
    for k in range(len(keys) - 1):
        for t in np.arange(way) / way:
            s = t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
            frames.append(keys[k] + s * (keys[k + 1] - keys[k]))
        frames += [keys[k + 1]] * stay
        if k < 8 and k % 2 == 0:
            pinched[len(frames) - 1] = k // 2
    return np.array([standard_hand(a, side) for a in frames]), pinched
