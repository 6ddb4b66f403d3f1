"""In which frames a robot touches itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import coal
import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.link_segments import are_neighbours, link_segments
from telexist.retarget.metrics.link_motion import configurations
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

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
    checker = _Checker(body, hulls)
    every = max(1, int(np.ceil(len(motion.time) / MOST_FRAMES)))
    frames = range(0, len(motion.time), every)
    found: dict[str, int] = {}
    colliding, deep, sunk, deepest = 0, 0, 0, 0.0
    for configuration in configurations(body, motion, frames):
        depths = checker.depths(configuration)
        colliding += bool(depths)
        deep += any(depth > DEEP for depth in depths.values())
        below = 0.0 if body.fixed_base else checker.below_floor(configuration)
        sunk += below > DEEP
        deepest = max(deepest, below)
        for pair in depths:
            label = " / ".join(pair)
            found[label] = found.get(label, 0) + 1
    return Collisions(
        checked=len(frames),
        every=every,
        frames=colliding,
        pairs=dict(sorted(found.items(), key=lambda item: -item[1])),
        deep_frames=deep,
        floor_frames=sunk,
        floor_depth=deepest,
    )


class _Checker:
    """Holds the hulls as coal shapes, and the pairs worth looking at."""

    def __init__(self, body: RobotBody, hulls: Sequence[LinkHull]) -> None:
        self._kinematics = body.kinematics
        self._hulls = hulls
        self._frames = [body.kinematics.frame(hull.link) for hull in hulls]
        self._shapes = [_shape(hull) for hull in hulls]
        self._middles = np.array([hull.vertices.mean(axis=0) for hull in hulls])
        self._radii = np.array(
            [
                np.linalg.norm(hull.vertices - middle, axis=1).max()
                for hull, middle in zip(hulls, self._middles, strict=True)
            ]
        )
        self._request = coal.CollisionRequest()
        self._request.enable_contact = True
        self._pairs = self._far_pairs(body)
        self._neutral: dict[tuple[str, str], float] = {}
        self._neutral = self.depths(body.neutral)
        feet = {sole.link for sole in body.soles.values()}
        self._not_feet = [k for k, hull in enumerate(hulls) if hull.link not in feet]

    def _far_pairs(self, body: RobotBody) -> np.ndarray:
        """Return pairs of hulls that are no neighbours."""
        support = np.array([self._kinematics.support(f) for f in self._frames])
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

    def depths(self, configuration: Configuration) -> dict[tuple[str, str], float]:
        """Return the pairs of links that touch, and how deep they are [m].

        A pair that touches in the neutral posture is as deep as beyond that, and only
        counts where that is more than `DEEP`.
        """
        self._kinematics.update(configuration)
        R = self._kinematics.rotations(self._frames)
        p = self._kinematics.positions(self._frames)
        poses = [coal.Transform3s(R[k], p[k]) for k in range(len(self._hulls))]
        found: dict[tuple[str, str], float] = {}
        shapes = self._shapes
        for i, j in self._near(R, p).tolist():
            result = coal.CollisionResult()
            if coal.collide(
                shapes[i], poses[i], shapes[j], poses[j], self._request, result
            ):
                depth = max(0.0, -float(result.getContact(0).penetration_depth))
                label = self._label(i, j)
                found[label] = max(found.get(label, 0.0), depth)
        beyond = {pair: d - self._neutral.get(pair, 0.0) for pair, d in found.items()}
        return {
            pair: depth
            for pair, depth in beyond.items()
            if pair not in self._neutral or depth > DEEP
        }

    def below_floor(self, configuration: Configuration) -> float:
        """Return how far a body other than the feet is below z = 0 [m]."""
        self._kinematics.update(configuration)
        lowest = 0.0
        for k in self._not_feet:
            frame = self._frames[k]
            z = self._kinematics.rotation(frame)[2]
            own = self._hulls[k].vertices @ z
            height = float(own.min()) + float(self._kinematics.position(frame)[2])
            lowest = min(lowest, height)
        return -lowest

    def _near(self, R: Array, p: Array) -> np.ndarray:
        """Return the pairs whose bounding spheres meet."""
        middles = p + (R @ self._middles[..., None])[..., 0]
        i, j = self._pairs.T
        gap = np.linalg.norm(middles[i] - middles[j], axis=-1)
        return self._pairs[gap < self._radii[i] + self._radii[j]]


def _shape(hull: LinkHull) -> coal.Convex:
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in hull.vertices:
        points.append(vertex)
    for a, b, c in hull.faces.tolist():
        triangles.append(coal.Triangle(a, b, c))
    return coal.Convex(points, triangles)
