"""A robot as plain arrays, for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.so3 import Array

__all__ = ["Tree"]


class Tree(NamedTuple):
    """Bodies joined by one-degree-of-freedom joints, parents before children.

    Body 0 is the base; joint i moves body i + 1. A ball joint is three of them: the
    first carries its whole rotation, the others lie on it, and the last carries links.

    Attributes:
        parent: Body that carries each joint (n,).
        rotation: Orientation of the joint on that body at zero (n, 3, 3).
        position: Place of the joint on that body (n, 3) [m].
        axis: Direction of the joint in its own axes (n, 3).
        slides: Whether the joint is prismatic (n,).
        ball: 1, 2, 3 for x, y, z of a ball joint, else 0 (n,).
    """

    parent: NDArray[np.int64]
    rotation: Array
    position: Array
    axis: Array
    slides: NDArray[np.bool_]
    ball: NDArray[np.int64]
