"""Which solids of a robot may meet, found by trying postures."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from telexist.retarget.compiled import Ints, Records, jit_release_gil
from telexist.retarget.distance import (
    Nearness,
    corner_in_world,
    lay_out_solids,
    separation,
)
from telexist.retarget.ik import (
    IkSettings,
    forward_kinematics,
    make_mechanism,
    settle,
)
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.link_hull import Meetings, RoundedHull
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["FAR", "find_gaps", "find_meetings", "on_bodies"]

TRIES = 4000  # postures, evenly spread over the joints' range
AT_ONCE = 500  # of them: room for all distances of some
WIDEST = np.pi  # [rad] of a joint's range that is tried, about neutral
APART = 0.004  # [m] that is left between solids
NEAR = 0.03  # [m] nearer than this at least once: they may meet
ALWAYS = 0.6  # share of the postures in which neighbours overlap that always do
SAME_PLACE = 0.02  # [m] between joints that are as good as one
LINKED = 3  # joints between bodies that cannot rock on each other
SLACK = 0.006  # [m] by which such may be deeper: covers slide over each other there
SEEN = 0.1  # [m] between balls around solids beyond which distances are not asked for
FAR = 10.0  # [m] stands for those


def on_bodies(
    kinematics: Kinematics, hulls: Sequence[RoundedHull]
) -> tuple[list[int], list[RoundedHull]]:
    """Return the body that carries each solid, and the solids in its axes."""
    carriers, moved = [], []
    for hull in hulls:
        carrier, R, p = kinematics.attachment(kinematics.frame(hull.link))
        corners = p + hull.corners @ R.T
        carriers.append(carrier)
        moved.append(RoundedHull(link=hull.link, corners=corners, radius=hull.radius))
    return carriers, moved


def find_meetings(body: RobotBody, hulls: Sequence[RoundedHull]) -> Meetings:
    """Find the pairs of solids that may meet, and how near each may get.

    Solids of one body, of bodies with one joint between them, or joints in one place,
    are no pairs. What touches in the neutral posture may be as deep as there. What is
    in each other in most postures is a matter of construction, and left out.

    Args:
        body: The robot.
        hulls: Its solids.
    """
    carriers, _ = on_bodies(body.kinematics, hulls)
    tree = body.kinematics.tree()
    parents, places = np.asarray(tree.parent), np.asarray(tree.position)
    pairs = np.array(
        [
            (a, b)
            for a, b in combinations(range(len(hulls)), 2)
            if not _are_neighbours(parents, places, carriers[a], carriers[b])
        ],
        dtype=np.int64,
    ).reshape(-1, 2)
    joints = np.array(
        [_joints_between(parents, carriers[a], carriers[b]) for a, b in pairs],
        dtype=np.int64,
    )
    neutral = find_gaps(body, hulls, pairs, body.neutral.q[None])[0]
    least = np.minimum(APART, neutral - np.where(joints <= LINKED, SLACK, 0.0))
    meets, inside = np.zeros(len(pairs), dtype=np.bool_), np.zeros(len(pairs))
    for postures in np.array_split(_postures(body), TRIES // AT_ONCE):
        gaps = find_gaps(body, hulls, pairs, postures)
        meets |= (gaps < least + NEAR).any(axis=0)
        inside += np.sum(gaps < np.minimum(0.0, neutral) - APART, axis=0)
    kept = meets & (inside <= ALWAYS * TRIES) & np.isfinite(neutral)
    return Meetings(pairs=pairs[kept], least=least[kept], ends=joints[kept] > LINKED)


def _are_neighbours(parents: np.ndarray, places: Array, one: int, other: int) -> bool:
    """Return whether one joint, or joints in one place, join two bodies."""
    inner, body = min(one, other), max(one, other)
    while body > inner:
        joint, body = body - 1, int(parents[body - 1])
        if body > inner and np.linalg.norm(places[joint]) > SAME_PLACE:
            return False
    return body == inner


def _joints_between(parents: np.ndarray, one: int, other: int) -> int:
    """Return how many joints are between two bodies."""
    count = 0
    while one != other:
        if one > other:
            one = int(parents[one - 1])
        else:
            other = int(parents[other - 1])
        count += 1
    return count


def _postures(body: RobotBody) -> Array:
    """Return postures (k, n) that fill the joints' range."""
    q = body.neutral.q
    lower = np.maximum(body.lower, q - WIDEST)
    upper = np.minimum(body.upper, q + WIDEST)
    shares = np.random.default_rng(0).random((TRIES, len(q)))
    return np.asarray(lower + shares * (upper - lower))


def find_gaps(
    body: RobotBody, hulls: Sequence[RoundedHull], pairs: np.ndarray, q: Array
) -> Array:
    """Return the distance of pairs of solids in some postures (t, p) [m].

    Negative where they are in each other by less than they are round; -inf where they
    are deeper, `FAR` where they are much farther apart than any step can bring them.

    Args:
        body: The robot.
        hulls: Its solids.
        pairs: Numbers of two of them (p, 2).
        q: Joint positions (t, n).
    """
    carriers, moved = on_bodies(body.kinematics, hulls)
    none = np.zeros(len(pairs))
    meetings = Meetings(pairs=pairs, least=none, ends=none.astype(np.bool_))
    near = lay_out_solids(carriers, moved, meetings)
    gaps = np.full((len(q), len(pairs)), FAR)
    if len(pairs):
        mechanism = make_mechanism(
            body, IkSettings(), orientations=0, points=0, floor=0
        )
        numbers = np.ascontiguousarray(pairs, dtype=np.int64)
        _find_gaps(mechanism.bodies, near, numbers, np.ascontiguousarray(q), gaps)
    return gaps


@jit_release_gil
def _find_gaps(
    bodies: Records, near: Nearness, pairs: Ints, q: Array, gaps: Array
) -> None:
    """Fill the distances of all pairs in postures."""
    s, spans = near.search[0], near.spans
    for t in range(len(q)):
        for i in range(q.shape[1]):
            bodies[i + 1].q = q[t, i]
        settle(bodies)
        forward_kinematics(bodies)
        for solid in near.solids:
            corner_in_world(bodies[solid.body], solid.middle, solid.world)
        for k in range(len(pairs)):
            one, other = near.solids[pairs[k, 0]], near.solids[pairs[k, 1]]
            square, reach = 0.0, one.reach + other.reach + SEEN
            for r in range(3):
                s.way[r] = other.world[r] - one.world[r]
                square += s.way[r] * s.way[r]
            if square >= reach * reach:
                continue
            for r in range(3):
                s.way[r] /= max(np.sqrt(square), 1e-9)
            spans[0], spans[1], spans[2] = one.body, one.first, one.end
            spans[3], spans[4], spans[5] = other.body, other.first, other.end
            gap = separation(bodies, near.corners, spans, np.inf, s)
            gaps[t, k] = gap - one.radius - other.radius if gap > 0.0 else -np.inf
