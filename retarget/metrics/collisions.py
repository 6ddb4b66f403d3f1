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
NEAR_JOINTS = 2  # links this many joints apart or fewer may touch


@dataclass(frozen=True, slots=True, kw_only=True)
class Collisions:
    """Self-collision of the links' convex hulls.

    Attributes:
        checked: Number of frames looked at.
        every: One frame in this many was looked at.
        frames: How many of them had a collision.
        pairs: Pairs of links that collided, "a / b", and in how many frames.
        skipped: Why nothing was checked; empty if something was.
    """

    checked: int = 0
    every: int = 1
    frames: int = 0
    pairs: Mapping[str, int] = field(default_factory=dict)
    skipped: str = ""

    def to_json(self) -> dict[str, object]:
        """Return plain tables."""
        return {
            "checked_frames": self.checked,
            "one_frame_in": self.every,
            "colliding_frames": self.frames,
            "colliding_pairs_frames": dict(self.pairs),
            "skipped": self.skipped,
        }


def find_collisions(
    body: RobotBody, motion: RobotMotion, hulls: Sequence[LinkHull]
) -> Collisions:
    """Look for links that pass through each other.

    Links of the same part of the body, of neighbouring parts (chest and upper arm) or
    within two joints of each other are not looked at, nor are pairs that touch in the
    neutral posture already. Long motions are sampled.

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
    colliding = 0
    for configuration in configurations(body, motion, frames):
        touching = checker.touching(configuration)
        colliding += bool(touching)
        for pair in touching:
            label = " / ".join(pair)
            found[label] = found.get(label, 0) + 1
    pairs = dict(sorted(found.items(), key=lambda item: -item[1]))
    return Collisions(checked=len(frames), every=every, frames=colliding, pairs=pairs)


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
        self._pairs = self._far_pairs(body)
        at_rest = self.touching(body.neutral)
        kept = [
            (i, j) for i, j in self._pairs.tolist() if self._label(i, j) not in at_rest
        ]
        self._pairs = np.array(kept, dtype=np.intp).reshape(-1, 2)

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

    def touching(self, configuration: Configuration) -> set[tuple[str, str]]:
        """Return the pairs of links that touch."""
        self._kinematics.update(configuration)
        R = self._kinematics.rotations(self._frames)
        p = self._kinematics.positions(self._frames)
        poses = [coal.Transform3s(R[k], p[k]) for k in range(len(self._hulls))]
        found: set[tuple[str, str]] = set()
        for i, j in self._near(R, p).tolist():
            if self._label(i, j) in found:
                continue
            result = coal.CollisionResult()
            shapes = self._shapes
            if coal.collide(
                shapes[i], poses[i], shapes[j], poses[j], self._request, result
            ):
                found.add(self._label(i, j))
        return found

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
