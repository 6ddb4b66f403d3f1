"""Where all bodies of a robot are at all times, and how velocities move them.

Everything is stacked over time: one pass over the tree does a whole clip. Columns are
6 of the base, linear and angular in world axes, and n of the joints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.ahead.even_motion import Postures
from telexist.retarget.so3 import Array, exp_so3
from telexist.retarget.tree import Tree

__all__ = ["Placed", "branches", "place_bodies", "point_columns", "turn_columns"]


class Placed(NamedTuple):
    """Bodies and joint axes at t times.

    Attributes:
        R: Axes of the n + 1 bodies (n + 1, t, 3, 3).
        p: Origins of the bodies (n + 1, t, 3) [m].
        axis: Of the 6 + n columns, world axes (6 + n, t, 3).
        at: A point on each axis (6 + n, t, 3) [m].
        slides: Whether a column slides rather than turns (6 + n,).
        moves: Whether a column moves a body (n + 1, 6 + n).
    """

    R: Array
    p: Array
    axis: Array
    at: Array
    slides: np.ndarray
    moves: np.ndarray


def branches(tree: Tree) -> np.ndarray:
    """Return which columns move each body (n + 1, 6 + n) bool."""
    n = len(tree.parent)
    moves = np.zeros((n + 1, 6 + n), dtype=bool)
    moves[:, :6] = True
    for i, parent in enumerate(tree.parent):
        moves[i + 1] |= moves[parent]
        moves[i + 1, 6 + i] = True
    return moves


def place_bodies(tree: Tree, given: Postures) -> Placed:
    """Return where everything is."""
    t, n = given.q.shape
    R, p = np.empty((n + 1, t, 3, 3)), np.empty((n + 1, t, 3))
    axis, at = np.empty((6 + n, t, 3)), np.empty((6 + n, t, 3))
    R[0], p[0] = given.R, given.p
    axis[:6] = np.tile(np.eye(3), (2, 1))[:, None]
    at[:6] = given.p
    for i, parent in enumerate(tree.parent):
        joint_R = R[parent] @ tree.rotation[i]
        joint_p = p[parent] + R[parent] @ tree.position[i]
        axis[6 + i] = joint_R @ tree.axis[i]
        at[6 + i] = joint_p
        way = given.q[:, i, None] * tree.axis[i]
        if tree.slides[i]:
            R[i + 1], p[i + 1] = (
                joint_R,
                joint_p + np.einsum("tab,tb->ta", joint_R, way),
            )
        else:
            R[i + 1], p[i + 1] = joint_R @ exp_so3(way), joint_p
    slides = np.concatenate([np.repeat([True, False], 3), tree.slides])
    return Placed(R=R, p=p, axis=axis, at=at, slides=slides, moves=branches(tree))


def turn_columns(placed: Placed, body: int) -> Array:
    """Return how columns turn a body (t, 3, 6 + n), world axes."""
    on = placed.moves[body] & ~placed.slides
    return np.moveaxis(placed.axis * on[:, None, None], 0, -1)


def point_columns(placed: Placed, body: int, points: Array) -> Array:
    """Return how columns move points of a body (t, 3, 6 + n).

    Args:
        placed: The bodies.
        body: The number of the body.
        points: In world axes (t, 3) [m].
    """
    turned = np.cross(placed.axis, points - placed.at)
    columns = np.where(placed.slides[:, None, None], placed.axis, turned)
    return np.moveaxis(columns * placed.moves[body][:, None, None], 0, -1)
