"""Which corners of the soles bear load, where they rest, and what they span."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ahead.body_motion import Placed
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = [
    "EDGES",
    "FREE",
    "SoleCorners",
    "Stands",
    "find_stands",
    "runs",
    "sole_corners",
]

NEAR = 0.005  # [m] over the floor: a corner of a planted sole that bears load
LEVEL = 0.002  # [m] above the lowest: the same of a sole that hovers a little
CREEP = 0.006  # [m] by which a corner may wander and is held on the spot
MARGIN = 0.010  # [m] that the ZMP keeps from an edge, at most
SHARE = 0.35  # of the way from an edge to the middle, at most
EDGES = 8  # of the hull of two rectangles
FREE = 1e6  # [m] to an edge that is none
BRIEF = 0.15  # [s] alone on the edge of a sole: too short to put it flat
RESTS = 0.06  # [m/s] of a sole that does not travel


class SoleCorners(NamedTuple):
    """Corners of a sole on the body that carries it.

    Attributes:
        body: Its number.
        places: Of the corners in its axes (4, 3) [m].
    """

    body: int
    places: Array

    def at(self, placed: Placed) -> Array:
        """Return the corners (t, 4, 3) [m]."""
        R, p = placed.R[self.body], placed.p[self.body]
        return np.asarray(p[:, None] + self.places @ np.swapaxes(R, -1, -2))


class Stands(NamedTuple):
    """What stands, k soles over t frames.

    Attributes:
        on: Whether a corner bears load (k, t, 4).
        still: Whether a sole that is not flat does not travel along the floor (k, t).
        places: Where the corners rest, or were (k, t, 4, 3) [m].
        normals: Of the edges of what they span, outwards (t, EDGES, 2).
        limits: How far along them the ZMP may be (t, EDGES) [m].
    """

    on: NDArray[np.bool_]
    still: NDArray[np.bool_]
    places: Array
    normals: Array
    limits: Array

    @property
    def supported(self) -> NDArray[np.bool_]:
        """Whether anything stands (t,)."""
        return np.asarray(self.on.any(axis=(0, 2)))

    @property
    def one_leg(self) -> NDArray[np.bool_]:
        """Whether one sole stands alone (t,)."""
        return np.asarray(self.on.any(axis=2).sum(axis=0) == 1)


def sole_corners(body: RobotBody) -> tuple[SoleCorners, ...]:
    """Return the soles of a robot, left first."""
    found = []
    for side in ("left", "right"):
        if side in body.soles:
            sole, kinematics = body.soles[side], body.kinematics
            carrier, R, p = kinematics.attachment(kinematics.frame(sole.link))
            local = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
            found.append(SoleCorners(body=carrier, places=p + local @ R.T))
    return tuple(found)


def find_stands(
    soles: tuple[SoleCorners, ...],
    placed: Placed,
    planted: NDArray[np.bool_],
    dt: float,
) -> Stands:
    """Return what stands in a motion.

    Args:
        soles: Of the robot.
        placed: Its bodies.
        planted: Which soles are said to bear load (t, k).
        dt: Between two frames [s].
    """
    t = placed.p.shape[1]
    places = np.empty((len(soles), t, 4, 3))
    on = np.zeros((len(soles), t, 4), dtype=bool)
    still = np.zeros((len(soles), t), dtype=bool)
    for k, sole in enumerate(soles):
        corners = sole.at(placed)
        lowest = corners[..., 2].min(axis=1)
        near = np.maximum(NEAR, lowest + LEVEL)
        on[k] = planted[:, k, None] & (corners[..., 2] < near[:, None])
        places[k] = corners
        places[k, ..., 2] -= np.where(on[k].any(axis=1), lowest, 0.0)[:, None]
        speed = np.gradient(corners[..., :2].mean(axis=1), dt, axis=0)
        still[k] = ~on[k].all(axis=1) & (np.linalg.norm(speed, axis=1) < RESTS)
    alone = on.any(axis=2).sum(axis=0) == 1
    for begin, end in runs(alone):
        alone[begin:end] = (end - begin) * dt > BRIEF
    for k in range(len(soles)):
        _flatten(on[k], places[k], alone)
        for c in range(4):
            for begin, end in runs(on[k, :, c]):
                _settle(places[k, begin:end, c])
    normals, limits = np.zeros((t, EDGES, 2)), np.full((t, EDGES), FREE)
    known: tuple[bytes, Array, Array] | None = None
    for i in range(t):
        points = places[:, i, :, :2][on[:, i]]
        if not len(points):
            continue
        key = points.tobytes()
        if known is None or known[0] != key:
            known = (key, *_edges(points))
        normals[i], limits[i] = known[1], known[2]
    return Stands(on=on, still=still, places=places, normals=normals, limits=limits)


def _flatten(on: NDArray[np.bool_], places: Array, alone: NDArray[np.bool_]) -> None:
    """Put a sole flat that carries the robot alone.

    A person rolls over heel and ball; on the edge of a sole without toes nobody stands.
    It stays where it is flat next before or after, on the same step.
    """
    for begin, end in runs(np.asarray(on.any(axis=1))):
        flat = begin + np.flatnonzero(on[begin:end].all(axis=1))
        if not len(flat):
            continue
        for i in begin + np.flatnonzero(alone[begin:end]):
            if not on[i].all():
                nearest = flat[np.argmin(np.abs(flat - i))]
                on[i], places[i] = True, places[nearest]


def _settle(corner: Array) -> None:
    """Put a corner that rests on the floor, and on one spot if it hardly wanders."""
    corner[:, 2] = 0.0
    if np.ptp(corner[:, :2], axis=0).max() < CREEP:
        corner[:, :2] = corner[:, :2].mean(axis=0)


def runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield begin and end of every stretch of true flags."""
    padded = np.concatenate([[False], flags, [False]])
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _edges(points: Array) -> tuple[Array, Array]:
    """Return normals and limits of what points span, less a margin."""
    hull = _hull(points)
    middle = hull.mean(axis=0)
    along = np.roll(hull, -1, axis=0) - hull
    length = np.linalg.norm(along, axis=1)
    along, hull = along[length > 1e-9], hull[length > 1e-9]
    normals, limits = np.zeros((EDGES, 2)), np.full(EDGES, FREE)
    if not len(hull):  # all in one point
        normals[:4] = [[1, 0], [-1, 0], [0, 1], [0, -1]]
        limits[:4] = normals[:4] @ middle
        return normals, limits
    outwards = np.stack([along[:, 1], -along[:, 0]], axis=1)
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    far = np.sum(outwards * hull, axis=1)
    deep = far - outwards @ middle
    k = min(len(hull), EDGES)
    normals[:k] = outwards[:k]
    limits[:k] = (far - np.minimum(MARGIN, SHARE * deep))[:k]
    if len(hull) == 2:  # a line has ends
        tips = along / np.linalg.norm(along, axis=1, keepdims=True)
        reach = np.max(tips @ points.T, axis=1)
        deep = reach - tips @ middle
        normals[2:4] = tips
        limits[2:4] = reach - np.minimum(MARGIN, SHARE * deep)
    return normals, limits


def _hull(points: Array) -> Array:
    """Return the convex hull, counter-clockwise (monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) <= 2:
        return np.array(ordered)
    chains = []
    for way in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for point in way:
            while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 1e-9:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _turn(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]
) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
