"""In which frames a robot touches itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

import coal
import numpy as np
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.link_segments import are_neighbours, link_segments
from telexist.retarget.metrics.link_motion import LinkMotion, link_motion
from telexist.retarget.metrics.near_hulls import lowest_points, near_pairs, stack_hulls
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array
from telexist.retarget.whole_clip import link_poses

__all__ = ["Collisions", "find_collisions"]

MOST_FRAMES = 200  # checked in a clip, evenly spread: about 0.3 s for 30 links
DEEP = 0.01  # [m] of penetration that no rounding of shapes explains
NEAR_JOINTS = 2  # links this many joints apart or fewer may touch


@dataclass(frozen=True, slots=True, kw_only=True)
class Collisions:
    """Self-collision of the links' convex hulls.

    Attributes:
        checked: Number of frames looked at.
        every: One frame in this many was looked at.
        frames: How many of them had a collision.
        pairs: Pairs of links that collided, "a / b", and in how many frames.
        deep_frames: In how many a pair was deeper in each other than 10 mm; pairs that
            touch in the neutral posture: than 10 mm beyond that.
        floor_frames: In how many a body other than the feet was 10 mm below z = 0.
        floor_depth: How far one ever was [m].
        skipped: Why nothing was checked; empty if something was.
    """

    checked: int = 0
    every: int = 1
    frames: int = 0
    pairs: Mapping[str, int] = field(default_factory=dict)
    deep_frames: int = 0
    floor_frames: int = 0
    floor_depth: float = 0.0
    skipped: str = ""

    def to_json(self) -> dict[str, object]:
        """Return plain tables."""
        return {
            "checked_frames": self.checked,
            "one_frame_in": self.every,
            "colliding_frames": self.frames,
            "colliding_pairs_frames": dict(self.pairs),
            "deeper_than_10_mm_frames": self.deep_frames,
            "below_floor_frames": self.floor_frames,
            "below_floor_max_mm": 1e3 * self.floor_depth,
            "skipped": self.skipped,
        }


def find_collisions(
    body: RobotBody, motion: RobotMotion, hulls: Sequence[LinkHull]
) -> Collisions:
    """Look for links that pass through each other.

    Links of the same part of the body, of neighbouring parts (chest and upper arm) or
    within two joints of each other are not looked at. Pairs that touch in the neutral
    posture count where they are 10 mm deeper than there. Long motions are sampled.

    Args:
        body: The robot.
        motion: Its motion.
        hulls: Convex collision shapes, any number on a link.
    """
    if len({hull.link for hull in hulls}) < 2:
        return Collisions(skipped="the model has no collision shapes")
    every = max(1, int(np.ceil(len(motion.time) / MOST_FRAMES)))
    frames = range(0, len(motion.time), every)
    checker = _checker(body, tuple(hulls))
    poses = link_motion(body, motion, (hull.link for hull in hulls), frames)
    depths = checker.depths(poses)
    below = np.zeros(len(frames)) if body.fixed_base else checker.below_floor(poses)
    found: dict[str, int] = {}
    for pair in (pair for pairs in depths for pair in pairs):
        label = " / ".join(pair)
        found[label] = found.get(label, 0) + 1
    return Collisions(
        checked=len(frames),
        every=every,
        frames=sum(bool(pairs) for pairs in depths),
        pairs=dict(sorted(found.items(), key=lambda item: -item[1])),
        deep_frames=sum(max(p.values(), default=0.0) > DEEP for p in depths),
        floor_frames=int((below > DEEP).sum()),
        floor_depth=max(0.0, float(below.max())),
    )


@lru_cache(maxsize=4)
def _checker(body: RobotBody, hulls: tuple[LinkHull, ...]) -> _Checker:
    """Return what is the same for all motions of a robot."""
    return _Checker(body, hulls)


class _Checker:
    """Holds the hulls as coal shapes, and the pairs worth looking at."""

    def __init__(self, body: RobotBody, hulls: Sequence[LinkHull]) -> None:
        self._hulls = hulls
        self._shapes = [_shape(hull) for hull in hulls]
        self._solids = stack_hulls(hulls)
        self._request = coal.CollisionRequest()
        self._request.enable_contact = True
        self._pairs = self._far_pairs(body)
        self._neutral: dict[tuple[str, str], float] = {}
        self._neutral = self.depths(self._in_neutral(body))[0]
        feet = {sole.link for sole in body.soles.values()}
        self._not_feet = [k for k, hull in enumerate(hulls) if hull.link not in feet]

    def _in_neutral(self, body: RobotBody) -> LinkMotion:
        names = tuple(dict.fromkeys(hull.link for hull in self._hulls))
        at = body.neutral
        base = (at.world_R_base[None], at.world_p_base[None])
        rotations, positions = link_poses(body, names, base, at.q[None])
        return LinkMotion(links=names, rotations=rotations, positions=positions)

    def _far_pairs(self, body: RobotBody) -> np.ndarray:
        """Return pairs of hulls that are no neighbours."""
        kinematics = body.kinematics
        frames = [kinematics.frame(hull.link) for hull in self._hulls]
        support = np.array([kinematics.support(frame) for frame in frames])
        segments = link_segments(body)
        part = [segments[hull.link] for hull in self._hulls]
        pairs = [
            (i, j)
            for i, j in combinations(range(len(self._hulls)), 2)
            if np.count_nonzero(support[i] ^ support[j]) > NEAR_JOINTS
            and not are_neighbours(body, part[i], part[j])
        ]
        return np.array(pairs, dtype=np.intp).reshape(-1, 2)

    def _label(self, i: int, j: int) -> tuple[str, str]:
        return self._hulls[i].link, self._hulls[j].link

    def depths(self, links: LinkMotion) -> list[dict[tuple[str, str], float]]:
        """Return, for every frame, the pairs that touch, and how deep they are [m].

        A pair that touches in the neutral posture is as deep as beyond that, and only
        counts where that is more than `DEEP`.
        """
        R, p = self._poses(links)
        found: list[dict[tuple[str, str], float]] = [{} for _ in R]
        for t, pair in near_pairs(self._solids, self._pairs, R, p):
            depth = self._depth(self._pairs[pair], R[t], p[t])
            if depth is not None:
                label = self._label(*self._pairs[pair])
                found[t][label] = max(found[t].get(label, 0.0), depth)
        return [self._beyond_neutral(depths) for depths in found]

    def _depth(self, pair: np.ndarray, R: Array, p: Array) -> float | None:
        """Return how deep two hulls are in each other [m]; None if they do not meet."""
        i, j = pair.tolist()
        result = coal.CollisionResult()
        one, other = (coal.Transform3s(R[k], p[k]) for k in (i, j))
        shapes = self._shapes
        if not coal.collide(shapes[i], one, shapes[j], other, self._request, result):
            return None
        return max(0.0, -float(result.getContact(0).penetration_depth))

    def _beyond_neutral(
        self, found: Mapping[tuple[str, str], float]
    ) -> dict[tuple[str, str], float]:
        beyond = {pair: d - self._neutral.get(pair, 0.0) for pair, d in found.items()}
        return {
            pair: depth
            for pair, depth in beyond.items()
            if pair not in self._neutral or depth > DEEP
        }

    def below_floor(self, links: LinkMotion) -> Array:
        """Return how far bodies other than the feet are below z = 0 (t,) [m]."""
        R, p = self._poses(links)
        heights = lowest_points(self._solids, R, p)[:, self._not_feet]
        return -heights.min(axis=1, initial=0.0)

    def _poses(self, links: LinkMotion) -> tuple[Array, Array]:
        """Return the poses of all hulls (t, h, 3, 3), (t, h, 3)."""
        place = {name: k for k, name in enumerate(links.links)}
        at = [place[hull.link] for hull in self._hulls]
        return links.rotations[:, at], links.positions[:, at]


def _shape(hull: LinkHull) -> coal.Convex:
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in hull.vertices:
        points.append(vertex)
    for a, b, c in hull.faces.tolist():
        triangles.append(coal.Triangle(a, b, c))
    return coal.Convex(points, triangles)
