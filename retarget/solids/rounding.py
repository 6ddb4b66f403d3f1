"""A link's shape as few rounded convex solids: close to its surface, quick to compare.

A shape is cut in two, again and again, where that takes most off its hull: an elbow or
a trunk with shoulders becomes several convex pieces. Each is moved inwards by a radius
(its core) and given back as that core's corners, rounded by the radius.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError
from telexist.retarget.link_hull import RoundedHull
from telexist.retarget.so3 import Array

__all__ = ["cut_in_pieces", "rounded_hull"]

MOST_PIECES = 6  # of one shape
WORTH = 0.1  # share of a hull's volume that a cut must take off
LEAST_VOLUME = 5e-5  # [m^3] the same, whatever the size
GRAIN = 0.003  # [m] to which shapes are rounded before they are cut
CUTS = (0.3, 0.5, 0.7)  # places along an axis where a piece may be cut
OVERLAP = 0.012  # [m] by which parts reach beyond a cut: rounding leaves no notch
ROUND = 0.015  # [m] greatest radius
DEEP = 0.6  # of the radius of the largest ball inside: at most so round
MOST_CORNERS = 40
MISSED = 0.002  # [m] by which a core may miss its shape
THIN = 1e-3  # [m] thickness given to what is flat


def cut_in_pieces(triangles: Array) -> list[Array]:
    """Cut a shape in pieces whose hulls are close to it.

    Args:
        triangles: Of its surface (t, 3, 3) [m].

    Returns:
        Points whose hull is a piece (k, 3), for each.
    """
    triangles = _coarse(triangles)
    pieces = [triangles]
    volumes = [_volume(triangles)]
    cuts = [_best_cut(triangles, volumes[0])]
    while len(pieces) < MOST_PIECES:
        gains = [cut[0] if cut else 0.0 for cut in cuts]
        k = int(np.argmax(gains))
        cut = cuts[k]
        if cut is None:
            break
        parts = cut[1]
        pieces[k : k + 1] = parts
        volumes[k : k + 1] = [_volume(part) for part in parts]
        new = zip(parts, volumes[k : k + 2], strict=True)
        cuts[k : k + 1] = [_best_cut(part, volume) for part, volume in new]
    return [_hull_points(piece.reshape(-1, 3)) for piece in pieces]


def _coarse(triangles: Array) -> Array:
    """Return triangles with corners on a fine grid, those that vanish left out."""
    corners = np.round(triangles / GRAIN).astype(np.int64)
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    flat = (a == b).all(axis=1) | (b == c).all(axis=1) | (c == a).all(axis=1)
    return GRAIN * np.unique(corners[~flat], axis=0) if (~flat).any() else triangles


def _best_cut(
    triangles: Array, volume: float
) -> tuple[float, tuple[Array, Array]] | None:
    """Return what the best cut takes off the hull [m^3], and both parts."""
    if volume < 2.0 * LEAST_VOLUME:
        return None
    points = triangles.reshape(-1, 3)
    middle = points.mean(axis=0)
    axes = np.linalg.eigh(np.cov((points - middle).T))[1].T
    least = max(WORTH * volume, LEAST_VOLUME)
    best: tuple[float, tuple[Array, Array]] | None = None
    for axis in axes:
        along = points @ axis
        for share in CUTS:
            at = along.min() + share * np.ptp(along)
            parts = (
                _beside(triangles, axis, at + OVERLAP),
                _beside(triangles, -axis, OVERLAP - at),
            )
            if min(len(part) for part in parts) < 4:
                continue
            gain = volume - sum(_volume(part) for part in parts)
            if gain > least:
                best, least = (gain, parts), gain
    return best


def _beside(triangles: Array, axis: Array, at: float) -> Array:
    """Return triangles cut off where they are beyond a plane (their hull is right)."""
    height = triangles @ axis - at
    inside = np.all(height <= 0.0, axis=1)
    crossing = ~inside & np.any(height < 0.0, axis=1)
    cut, high = triangles[crossing], height[crossing]
    # each corner beyond the plane moves along both its edges to where they meet it
    moved = []
    for k in range(3):
        for j in ((k + 1) % 3, (k + 2) % 3):
            below = (high[:, k] <= 0.0) | (high[:, j] >= 0.0)
            span = np.where(below, 1.0, high[:, k] - high[:, j])
            t = np.where(below, 0.0, high[:, k] / span)
            point = cut[:, k] + t[:, None] * (cut[:, j] - cut[:, k])
            keep = (high[:, k] <= 0.0) | ~below
            moved.append(point[keep])
    rim = np.concatenate(moved) if moved else np.zeros((0, 3))
    rim = np.concatenate([rim, rim[:2], rim[:2]])[: 3 * ((len(rim) + 2) // 3)]
    return np.concatenate([triangles[inside], rim.reshape(-1, 3, 3)])


def _volume(triangles: Array) -> float:
    try:
        return float(ConvexHull(triangles.reshape(-1, 3)).volume)
    except (QhullError, ValueError):
        return 0.0


def _hull_points(points: Array) -> Array:
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except (QhullError, ValueError):
        return points


def rounded_hull(link: str, points: Array) -> RoundedHull | None:
    """Wrap points of a link in a rounded hull; None if there is nothing to wrap.

    Args:
        link: The link.
        points: In link axes (k, 3) [m].
    """
    if len(points) < 2 or not np.isfinite(points).all():
        return None
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return _flat(link, points)
    middle, inside = _largest_ball(hull)
    radius = min(ROUND, DEEP * inside)
    if inside < THIN:
        return _flat(link, points)
    planes = np.unique(np.round(hull.equations, 6), axis=0)
    planes[:, 3] += radius
    try:
        core = HalfspaceIntersection(planes, middle).intersections
    except (QhullError, ValueError):
        return _flat(link, points)
    return RoundedHull(link=link, corners=_spread_out(core), radius=radius)


def _flat(link: str, points: Array) -> RoundedHull:
    return RoundedHull(link=link, corners=_spread_out(points), radius=THIN)


def _largest_ball(hull: ConvexHull) -> tuple[Array, float]:
    """Return middle and radius of the largest ball inside a hull."""
    normals, offsets = hull.equations[:, :3], hull.equations[:, 3]
    A = np.concatenate([normals, np.ones((len(normals), 1))], axis=1)
    free = [(None, None)] * 3 + [(0.0, None)]
    found = linprog([0.0, 0.0, 0.0, -1.0], A_ub=A, b_ub=-offsets, bounds=free)
    if not found.success:
        return hull.points.mean(axis=0), 0.0
    return found.x[:3], float(found.x[3])


def _spread_out(points: Array) -> Array:
    """Return few of the points with nearly the same hull, one more after the other."""
    points = np.unique(np.round(points, 5), axis=0)
    along = points @ _all_round().T
    chosen = list(dict.fromkeys(along.argmax(axis=0).tolist()))
    while len(chosen) < min(MOST_CORNERS, len(points)):
        away = _beyond(points, points[chosen])
        farthest = int(np.argmax(away))
        if away[farthest] < MISSED:
            break
        chosen.append(farthest)
    return points[chosen]


def _all_round() -> Array:
    """Return directions to the sides, edges and corners of a cube (26, 3)."""
    steps = np.array(np.meshgrid(*3 * [[-1.0, 0.0, 1.0]])).reshape(3, -1).T
    steps = steps[np.any(steps != 0.0, axis=1)]
    return np.asarray(steps / np.linalg.norm(steps, axis=1, keepdims=True))


def _beyond(points: Array, corners: Array) -> Array:
    """Return how far points are outside the hull of some corners, at least."""
    try:
        planes = ConvexHull(corners).equations
        return np.asarray((points @ planes[:, :3].T + planes[:, 3]).max(axis=1))
    except (QhullError, ValueError):  # they lie in a plane, or on a line
        return np.zeros(len(points))
