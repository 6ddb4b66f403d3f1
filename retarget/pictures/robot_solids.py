"""A robot as its links' hulls, with bones between its joints where those have gaps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.link_hull import LinkHull
from telexist.retarget.link_segments import link_segments
from telexist.retarget.pictures.solids import PaintedSolid, ball, capsule
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["RobotFigure"]

BONE_RADIUS = 0.025  # of the robot's height
ARM = ("LeftUpperArm", "LeftForeArm", "LeftHand")
WITH_HAND = 1.35  # length of an arm with its hand, in arms to the wrist
RAISED = (
    1.28  # height of a person's raised hands, in statures: for which there is paper
)
COVERED = 0.6  # share of the bones inside hulls from which on hulls alone are drawn


_End = tuple[str, Array]
"""A link and a point on it."""


class RobotFigure:
    """Builds figures of one robot."""

    def __init__(self, body: RobotBody, hulls: Sequence[LinkHull] = ()) -> None:
        """Prepare the figure.

        Args:
            body: The robot.
            hulls: Convex shapes of its links; bones are drawn where they have gaps.
        """
        self.body = body
        self._hulls = [hull for hull in hulls if hull.link in body.kinematics.links]
        self._sides = link_sides(body)
        self._bones = _bones(body)
        self._radius = 0.0
        if self._covered() >= COVERED:
            self._bones = []
        heights = [s.vertices[:, 2] for s in self.solids(body.neutral)]
        self.floor = min(float(z.min()) for z in heights)
        if body.soles:
            self.floor = 0.0
        top = max(float(z.max()) for z in heights) - self.floor
        self.height = max(top, self._raised() / RAISED)
        self._radius = BONE_RADIUS * self.height

    def _raised(self) -> float:
        """Return how high the left hand is over the floor when raised, or 0 [m]."""
        points, kinematics = self.body.points, self.body.kinematics
        if not all(segment in points for segment in ARM):
            return 0.0
        kinematics.update(self.body.neutral)
        shoulder, elbow, wrist = self._ends([points[segment] for segment in ARM])
        arm = np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow)
        return float(shoulder[2] - self.floor + WITH_HAND * arm)

    def solids(self, configuration: Configuration) -> list[PaintedSolid]:
        """Build the robot at a configuration."""
        kinematics = self.body.kinematics
        kinematics.update(configuration)
        return [*(self._skeleton() if self._bones else []), *self._shapes()]

    def _shapes(self) -> list[PaintedSolid]:
        kinematics, solids = self.body.kinematics, []
        for hull in self._hulls:
            frame = kinematics.frame(hull.link)
            R, p = kinematics.rotation(frame), kinematics.position(frame)
            solids.append(
                PaintedSolid(
                    vertices=p + hull.vertices @ R.T,
                    faces=hull.faces,
                    side=self._sides[hull.link],
                )
            )
        return solids

    def heading(self, configuration: Configuration) -> Array:
        """Return where the robot faces, in world axes (3,)."""
        turned = configuration.world_R_base @ self.body.neutral.world_R_base.T
        return turned[:, 0]

    def sole_outline(self, side: str) -> Array:
        """Return the corners of a sole in order (4, 3) [m], at the last figure."""
        sole, kinematics = self.body.soles[side], self.body.kinematics
        frame = kinematics.frame(sole.link)
        corners = sole.corners()[[0, 1, 3, 2]] @ sole.link_R_sole.T + sole.link_p_sole
        return kinematics.position(frame) + corners @ kinematics.rotation(frame).T

    def _covered(self) -> float:
        """Return the share of the bones' middles that lie inside a hull's box."""
        self.body.kinematics.update(self.body.neutral)
        bones = [self._ends(bone) for bone in self._bones]
        lengths = np.array([np.linalg.norm(b - a) for a, b in bones])
        boxes = [
            (s.vertices.min(axis=0), s.vertices.max(axis=0)) for s in self._shapes()
        ]
        inside = [
            any(np.all(low <= (a + b) / 2) and np.all((a + b) / 2 <= high)
                for low, high in boxes)
            for a, b in bones
        ]  # fmt: skip
        return float(lengths @ np.array(inside, dtype=np.float64) / lengths.sum())

    def _ends(self, bone: Sequence[_End]) -> list[Array]:
        kinematics = self.body.kinematics
        frames = [(kinematics.frame(link), point) for link, point in bone]
        return [
            kinematics.position(frame) + kinematics.rotation(frame) @ point
            for frame, point in frames
        ]

    def _skeleton(self) -> list[PaintedSolid]:
        kinematics = self.body.kinematics
        radii = (self._radius, self._radius)
        solids = []
        for bone in self._bones:
            start, end = self._ends(bone)
            solids.append(capsule(start, end, radii, self._sides[bone[1][0]]))
        if "Head" in self.body.links:
            frame = kinematics.frame(self.body.links["Head"])
            solids.append(ball(kinematics.position(frame), 2.0 * self._radius, ""))
        return solids


def link_sides(body: RobotBody) -> dict[str, str]:
    """Return "left", "right" or "" for every link, by the human segments it follows.

    A link takes the side of its segment; one that hangs on the trunk takes the side of
    the mapped links that it carries, if they all have the same.
    """
    kinematics = body.kinematics
    mapped = [
        (kinematics.support(kinematics.frame(link))[6:], _side(segment))
        for segment, link in body.links.items()
    ]
    sides = {}
    for link, segment in link_segments(body).items():
        joints = kinematics.support(kinematics.frame(link))[6:]
        carried = {side for needed, side in mapped if not np.any(joints & ~needed)}
        sides[link] = _side(segment)
        if not sides[link] and len(carried) == 1:
            sides[link] = carried.pop()
    return sides


def _side(segment: str) -> str:
    return next((s.lower() for s in ("Left", "Right") if segment.startswith(s)), "")


def _bones(body: RobotBody) -> list[tuple[_End, _End]]:
    """Return bones from joint to joint: each link group to the one that carries it.

    Links that are fixed to each other share a support, the set of joints between them
    and the base; the first of them stands for all.
    """
    kinematics = body.kinematics
    groups: dict[bytes, str] = {}
    supports: dict[str, np.ndarray] = {}
    for link in kinematics.links:
        support = kinematics.support(kinematics.frame(link))[6:]
        if groups.setdefault(support.tobytes(), link) == link:
            supports[link] = support
    bones = []
    for link, support in supports.items():
        below = [
            other
            for other, s in supports.items()
            if s.sum() < support.sum() and not np.any(s & ~support)
        ]
        if below:
            parent = max(below, key=lambda other: int(supports[other].sum()))
            bones.append(((parent, np.zeros(3)), (link, np.zeros(3))))
    for link, point in body.points.values():
        start = groups[kinematics.support(kinematics.frame(link))[6:].tobytes()]
        bones.append(((start, np.zeros(3)), (link, point)))
    for sole in body.soles.values():
        ankle = groups[kinematics.support(kinematics.frame(sole.link))[6:].tobytes()]
        half = sole.link_R_sole @ [sole.length / 2.0, 0.0, 0.0]
        heel, toe = (
            (sole.link, sole.link_p_sole - half),
            (sole.link, sole.link_p_sole + half),
        )
        bones += [(heel, toe), *(((ankle, np.zeros(3)), end) for end in (heel, toe))]
    return bones
