"""The nearest points of two convex solids (Gilbert, Johnson, Keerthi), compiled.

A solid is the hull of some corners, rounded by a radius. While those hulls are apart
the distance between the solids is exact, also where the rounded ones are in each other;
beyond that it is measured along the way on which they were last apart.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Ints, Record, Records, jit_internal
from telexist.retarget.so3 import Array

__all__ = ["corner_in_world", "separation"]

MOST = 24  # points taken in: a handful suffices but for the worst
TOUCH = 1e-5  # [m] between corners' hulls below which they are in each other
CLOSE = 1e-7  # share of a square distance that is not searched for


@jit_internal
def corner_in_world(own: Record, c: Array, out: Array) -> None:
    """Fill the place of a point of a body."""
    R, p = own.R, own.p
    for r in range(3):
        out[r] = p[r] + R[r, 0] * c[0] + R[r, 1] * c[1] + R[r, 2] * c[2]


@jit_internal
def _farthest(
    own: Record, corners: Array, span: tuple[int, int], d: Array, sign: float
) -> int:
    """Return which corner lies farthest along a way d, times a sign, in the world."""
    R = own.R
    x = sign * (R[0, 0] * d[0] + R[1, 0] * d[1] + R[2, 0] * d[2])
    y = sign * (R[0, 1] * d[0] + R[1, 1] * d[1] + R[2, 1] * d[2])
    z = sign * (R[0, 2] * d[0] + R[1, 2] * d[1] + R[2, 2] * d[2])
    best, most = span[0], -np.inf
    for k in range(span[0], span[1]):
        along = corners[k, 0] * x + corners[k, 1] * y + corners[k, 2] * z
        if along > most:
            best, most = k, along
    return best


@jit_internal
def _dot(a: Array, b: Array) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@jit_internal
def _try_edge(s: Record, i: int, j: int, best: float) -> float:
    """Take the nearest point of an edge, or of its second end, if it is nearer."""
    w, t = s.w, 0.0
    along, square = 0.0, 0.0
    for r in range(3):
        e = w[j, r] - w[i, r]
        along -= w[i, r] * e
        square += e * e
    t = min(max(along / square, 0.0), 1.0) if square > 0.0 else 1.0
    distance = 0.0
    for r in range(3):
        s.trial[r] = (1.0 - t) * w[i, r] + t * w[j, r]
        distance += s.trial[r] * s.trial[r]
    if distance >= best:
        return best
    for k in range(4):
        s.kept[k] = 0.0
    s.kept[i] += 1.0 - t
    s.kept[j] += t
    return distance


@jit_internal
def _try_face(s: Record, i: int, j: int, k: int, best: float) -> float:
    """Take the point of a triangle nearest to zero, if it is inside and nearer."""
    w = s.w
    a, b, c = w[i], w[j], w[k]
    aa, bb, cc = _dot(a, a), _dot(b, b), _dot(c, c)
    ab, bc, ca = _dot(a, b), _dot(b, c), _dot(c, a)
    # twice the squared areas seen from zero: barycentric coordinates
    u = bb * cc - bc * bc + ab * bc - ca * bb + ca * bc - ab * cc
    v = aa * cc - ca * ca + ca * bc - ab * cc + ab * ca - aa * bc
    t = aa * bb - ab * ab + ab * ca - aa * bc + ab * bc - ca * bb
    whole = u + v + t
    if whole <= 1e-14 * aa * bb or u < 0.0 or v < 0.0 or t < 0.0:
        return best
    u, v, t = u / whole, v / whole, t / whole
    distance = 0.0
    for r in range(3):
        p = u * a[r] + v * b[r] + t * c[r]
        distance += p * p
    if distance >= best:
        return best
    for n in range(4):
        s.kept[n] = 0.0
    s.kept[i], s.kept[j], s.kept[k] = u, v, t
    return distance


@jit_internal
def _surrounds(w: Array) -> bool:
    """Return whether zero is inside a tetrahedron."""
    sign = 0.0
    for k in range(4):
        a, b, c, d = w[k], w[(k + 1) % 4], w[(k + 2) % 4], w[(k + 3) % 4]
        x, y, z = b[0], b[1], b[2]
        e0, e1, e2 = c[0] - x, c[1] - y, c[2] - z
        f0, f1, f2 = d[0] - x, d[1] - y, d[2] - z
        n0, n1, n2 = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
        inside = -(n0 * x + n1 * y + n2 * z)
        there = n0 * (a[0] - x) + n1 * (a[1] - y) + n2 * (a[2] - z)
        sign = inside * there
        if sign <= 0.0:
            return False
    return True


@jit_internal
def _reduce(s: Record) -> bool:
    """Find the simplex's point nearest to zero, and drop what it does not need.

    Returns:
        Whether zero is outside.
    """
    n, best = s.count, np.inf
    if n == 4 and _surrounds(s.w):
        return False
    # the newest point is part of every candidate: without it there was no better one
    last = n - 1
    for i in range(last):
        best = _try_edge(s, i, last, best)
    for i in range(last):
        for j in range(i):
            best = _try_face(s, i, j, last, best)
    left = 0
    for k in range(n):
        if s.kept[k] > 0.0:
            for r in range(3):
                s.w[left, r], s.a[left, r] = s.w[k, r], s.a[k, r]
                s.b[left, r] = s.b[k, r]
            s.share[left] = s.kept[k]
            left += 1
    s.count = left
    for r in range(3):
        s.v[r] = 0.0
        for k in range(left):
            s.v[r] += s.share[k] * s.w[k, r]
    return True


@jit_internal
def _support(
    bodies: Records, corners: Array, spans: Ints, d: Array, s: Record
) -> float:
    """Find the points that are nearest along d; return how far they are apart on it."""
    one, other = bodies[spans[0]], bodies[spans[3]]
    here = _farthest(one, corners, (spans[1], spans[2]), d, 1.0)
    there = _farthest(other, corners, (spans[4], spans[5]), d, -1.0)
    corner_in_world(one, corners[here], s.a_new)
    corner_in_world(other, corners[there], s.b_new)
    return (
        d[0] * (s.b_new[0] - s.a_new[0])
        + d[1] * (s.b_new[1] - s.a_new[1])
        + d[2] * (s.b_new[2] - s.a_new[2])
    )


@jit_internal
def _take_point(s: Record) -> None:
    n = s.count
    for r in range(3):
        s.a[n, r], s.b[n, r] = s.a_new[r], s.b_new[r]
        s.w[n, r] = s.b_new[r] - s.a_new[r]
    s.count = n + 1


@jit_internal
def separation(
    bodies: Records, corners: Array, spans: Ints, enough: float, s: Record
) -> float:
    """Return the distance between the hulls of two groups of corners [m].

    Args:
        bodies: In place.
        corners: Of all solids.
        spans: Body, first corner and end of the one, then of the other (6,).
        enough: Distance beyond which nobody asks [m].
        s: `SEARCH`; `way` is where to begin, on return the unit vector from one to the
            other, with the nearest points in `near_one` and `near_other`.

    Returns:
        The distance; something larger than `enough` if it is; negative, along the way
        that was given, if the hulls are in each other.
    """
    first = _support(bodies, corners, spans, s.way, s)
    if first > enough:
        return first
    for r in range(3):
        s.near_one[r], s.near_other[r] = s.a_new[r], s.b_new[r]
    s.count = 0
    _take_point(s)
    s.share[0] = 1.0
    for r in range(3):
        s.v[r] = s.w[0, r]
    for _ in range(MOST):
        square = _dot(s.v, s.v)
        if square < TOUCH * TOUCH:
            return min(first, 0.0)
        along = _support(bodies, corners, spans, s.v, s)
        if along > 0.0 and along * along > square * enough * enough:
            length = np.sqrt(square)
            for r in range(3):
                s.way[r] = s.v[r] / length
            return along / length
        if square - along <= CLOSE * square:
            break
        _take_point(s)
        if not _reduce(s):
            return min(first, 0.0)
        if _dot(s.v, s.v) >= square:  # as near as rounding lets it
            break
    distance = np.sqrt(_dot(s.v, s.v))
    if distance < TOUCH:
        return min(first, 0.0)
    for r in range(3):
        s.way[r] = s.v[r] / distance
        s.near_one[r] = s.near_other[r] = 0.0
        for k in range(s.count):
            s.near_one[r] += s.share[k] * s.a[k, r]
            s.near_other[r] += s.share[k] * s.b[k, r]
    return distance
