"""Solids of a robot and the pairs that may meet, as records, for compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Ints, Records
from telexist.retarget.link_hull import Meetings, RoundedHull
from telexist.retarget.so3 import Array

__all__ = [
    "BALL",
    "GROUP",
    "PAIR",
    "SEARCH",
    "SOLID",
    "Nearness",
    "copied",
    "lay_out_solids",
]

END = 0.25  # of a solid's length that counts as its end

SOLID = np.dtype(
    [
        ("body", "i8"),  # that carries it
        ("first", "i8"),  # its corners: first <= k < end
        ("end", "i8"),
        ("low_end", "i8"),  # corners before this one are at one end of it,
        ("high_end", "i8"),  # those from this one on at the other
        ("radius", "f8"),  # by which it is rounder than its corners [m]
        ("middle", "f8", (3,)),  # of the ball that holds it, on the body [m]
        ("reach", "f8"),  # radius of that ball [m]
        ("world", "f8", (3,)),  # where the middle is [m]
    ],
    align=True,
)
"""A rounded convex solid: all points within a radius of the hull of its corners."""

BALL = np.dtype(
    [
        ("body", "i8"),
        ("middle", "f8", (3,)),  # on the body [m]
        ("reach", "f8"),  # radius [m]
        ("world", "f8", (3,)),  # where the middle is [m]
        ("guarded", "i8"),  # whether the body must stay above the floor
        ("base_p", "f8", (3,)),  # where it was when last looked at, seen from the base
        ("base_R", "f8", (3, 3)),  # and how its body was turned
        ("moved", "f8"),  # how far a point of it can have moved since [m]
    ],
    align=True,
)
"""A ball that holds all solids of a body."""

GROUP = np.dtype(
    [
        ("one", "i8"),  # balls
        ("other", "i8"),
        ("first", "i8"),  # its pairs: first <= k < end
        ("end", "i8"),
        ("travel", "f8"),  # way that its bodies have made towards each other at most
        ("pace", "f8"),  # most of it in one of the last steps [m]
        ("due", "f8"),  # travel at which one of its pairs may have met
    ],
    align=True,
)
"""All pairs of solids of two bodies."""

PAIR = np.dtype(
    [
        ("one", "i8"),
        ("other", "i8"),
        ("least", "f8"),  # distance that it may have [m]; negative: in each other
        ("way", "f8", (3,)),  # from one to the other, when last looked at
        ("ends", "i8"),  # whether their ends are looked at, too, where they touch
        ("touches", "i8"),  # whether they do
        ("due", "f8"),  # travel of the group at which they may have met
        ("status", "i8", (5,)),  # of its rows at the end of the last step
    ],
    align=True,
)
"""Two solids that can meet."""

SEARCH = np.dtype(
    [
        ("count", "i8"),  # points that span the simplex
        ("w", "f8", (4, 3)),  # them: from a point of one to a point of the other
        ("a", "f8", (4, 3)),  # those points of the one
        ("b", "f8", (4, 3)),  # and of the other
        ("share", "f8", (4,)),  # of each in the point that is nearest to zero
        ("v", "f8", (3,)),  # that point
        ("trial", "f8", (3,)),
        ("a_new", "f8", (3,)),
        ("b_new", "f8", (3,)),
        ("kept", "f8", (4,)),
        ("near_one", "f8", (3,)),  # the points that were found
        ("near_other", "f8", (3,)),
        ("way", "f8", (3,)),  # unit vector from one to the other
    ],
    align=True,
)
"""Room for the search for the nearest points of two solids, and what it finds."""


class Nearness(NamedTuple):
    """What a step has to know of a robot's solids; changed in place.

    Attributes:
        solids: `SOLID` (s,).
        corners: Of all solids, on their bodies (c, 3) [m].
        balls: `BALL` (b,).
        groups: `GROUP` (g,).
        pairs: `PAIR` (p,).
        search: `SEARCH` (1,).
        spans: Room for two groups of corners (6,).
    """

    solids: Records
    corners: Array
    balls: Records
    groups: Records
    pairs: Records
    search: Records
    spans: Ints


def lay_out_solids(
    carriers: Sequence[int], hulls: Sequence[RoundedHull], meetings: Meetings
) -> Nearness:
    """Lay solids out for compiled code.

    Args:
        carriers: Body of each solid; its corners must be in that body's axes.
        hulls: The solids.
        meetings: Which of them may meet.
    """
    solids = np.zeros(len(hulls), dtype=SOLID)
    first, corners = 0, [np.zeros((0, 3))]
    for solid, carrier, hull in zip(solids, carriers, hulls, strict=True):
        points, low, high = _along_its_length(hull.corners)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
        reach = np.linalg.norm(points - middle, axis=1).max() + hull.radius
        solid["body"], solid["radius"] = carrier, hull.radius
        solid["middle"], solid["reach"] = middle, reach
        solid["first"], solid["end"] = first, first + len(points)
        solid["low_end"], solid["high_end"] = first + low, first + high
        corners.append(points)
        first += len(points)
    balls = _balls(solids)
    pairs, groups = _pairs(solids, balls, meetings)
    return Nearness(
        solids=solids,
        corners=np.ascontiguousarray(np.concatenate(corners)),
        balls=balls,
        groups=groups,
        pairs=pairs,
        search=np.zeros(1, dtype=SEARCH),
        spans=np.zeros(6, dtype=np.int64),
    )


def copied(near: Nearness) -> Nearness:
    """Return solids that may be changed apart from the given ones."""
    return Nearness(
        solids=near.solids.copy(),
        corners=near.corners.copy(),
        balls=near.balls.copy(),
        groups=near.groups.copy(),
        pairs=near.pairs.copy(),
        search=near.search.copy(),
        spans=near.spans.copy(),
    )


def _balls(solids: Records) -> Records:
    """Return a ball around all solids of each body that has any."""
    bodies = np.unique(solids["body"])
    balls = np.zeros(len(bodies), dtype=BALL)
    for ball, body in zip(balls, bodies, strict=True):
        own = solids[solids["body"] == body]
        reach = own["reach"][:, None]
        low = (own["middle"] - reach).min(axis=0)
        high = (own["middle"] + reach).max(axis=0)
        ball["body"], ball["middle"] = body, (low + high) / 2.0
        away = np.linalg.norm(own["middle"] - ball["middle"], axis=1)
        ball["reach"] = (away + own["reach"]).max()
    return balls


def _pairs(
    solids: Records, balls: Records, meetings: Meetings
) -> tuple[Records, Records]:
    """Return the pairs, those of two bodies one after the other, and such groups."""
    pairs = np.zeros(len(meetings.pairs), dtype=PAIR)
    if not len(pairs):
        return pairs, np.zeros(0, dtype=GROUP)
    ball_of = np.searchsorted(balls["body"], solids["body"])
    on = ball_of[meetings.pairs]
    order = np.lexsort((on[:, 1], on[:, 0]))
    pairs["one"], pairs["other"] = meetings.pairs[order].T
    pairs["least"], pairs["ends"] = meetings.least[order], meetings.ends[order]
    pairs["due"] = -np.inf
    bounds, first = np.unique(on[order], axis=0, return_index=True)
    groups = np.zeros(len(bounds), dtype=GROUP)
    groups["one"], groups["other"] = bounds.T
    groups["due"] = -np.inf
    groups["first"], groups["end"] = first, [*first[1:], len(pairs)]
    return pairs, groups


def _along_its_length(corners: Array) -> tuple[Array, int, int]:
    """Return corners from one end to the other, and where the ends end and begin."""
    middle = corners.mean(axis=0)
    axis = np.linalg.svd(corners - middle)[2][0]
    along = (corners - middle) @ axis
    order = np.argsort(along, kind="stable")
    along = along[order]
    share = (along - along[0]) / max(along[-1] - along[0], 1e-9)
    low = int(np.count_nonzero(share < END))
    high = len(along) - int(np.count_nonzero(share > 1.0 - END))
    return corners[order], max(low, 1), min(high, len(along) - 1)
