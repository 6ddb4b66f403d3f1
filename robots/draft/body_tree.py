"""A robot as bodies and axes: links welded together are one body.

All places are those of the zero posture, in the axes of the root link. Sliding joints
count as welded: no human joint slides. Names of links and joints play no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.urdf import Joint, Pose, Urdf

__all__ = ["Body", "Chain", "BodyTree"]

LIGHT = 0.1  # of a sibling's mass and
SHORT = 0.5  # of its reach: a smaller branch is a gear, rod or sensor
NO_LIMIT = np.pi  # [rad] either way, where a model states none
DUMMY_RANGE = 100.0  # [rad] limits beyond are no limits


@dataclass(slots=True, eq=False)
class Body:
    """Links that move as one.

    Attributes:
        links: Their names; the first is the one nearest to the root.
        joint: The joint that carries it; None for the root body.
        parent: The body that it hangs on; None for the root body.
        pose: Pose of its first link in the root link.
        axis: Direction of its joint's axis (3,); zero for the root body.
        children: Bodies that hang on it.
        mass: [kg] of its links; their number if the whole robot has no mass.
        com: Centre of mass in root axes (3,) [m].
        subtree_mass: Mass of it and all beyond it [kg].
        subtree_com: Centre of mass of it and all beyond it (3,) [m].
        reach: Longest way along bodies from its joint outwards [m].
    """

    links: list[str]
    joint: Joint | None
    parent: Body | None
    pose: Pose
    axis: Array
    children: list[Body] = field(default_factory=list)
    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    subtree_mass: float = 0.0
    subtree_com: Array = field(default_factory=lambda: np.zeros(3))
    reach: float = 0.0

    @property
    def origin(self) -> Array:
        """A point on its joint's axis in root axes (3,) [m]."""
        return self.pose.p

    @property
    def name(self) -> str:
        """Name of its joint; empty for the root body."""
        return "" if self.joint is None else self.joint.name

    @property
    def limits(self) -> tuple[float, float]:
        """Position limits of its joint, wide where there are none [rad]."""
        wide = -NO_LIMIT, NO_LIMIT
        if self.joint is None or self.joint.kind == "continuous":
            return wide
        lower, upper = self.joint.limits.lower, self.joint.limits.upper
        if lower is None or upper is None or lower >= upper:
            return wide
        return wide if max(-lower, upper) > DUMMY_RANGE else (lower, upper)

    def subtree(self) -> Iterator[Body]:
        """Yield it and all bodies beyond it."""
        waiting = [self]
        while waiting:
            body = waiting.pop()
            yield body
            waiting.extend(reversed(body.children))

    def ancestors(self) -> Iterator[Body]:
        """Yield it and all bodies between it and the root."""
        body: Body | None = self
        while body is not None:
            yield body
            body = body.parent


class BodyTree:
    """The bodies of a robot.

    Attributes:
        urdf: The robot.
        root: The body of the root link.
        bodies: All bodies, the root first.
        pose_of: Pose of every link in the root link.
    """

    def __init__(self, urdf: Urdf) -> None:
        self.urdf = urdf
        self.pose_of: dict[str, Pose] = {}
        self._body_of: dict[str, Body] = {}
        self._below: dict[str, list[Joint]] = {name: [] for name in urdf.links}
        for joint in urdf.joints.values():
            self._below[joint.parent].append(joint)
        start = Pose(p=np.zeros(3), R=np.eye(3))
        self.root = Body([], None, None, start, np.zeros(3))
        self._gather(self.root, urdf.root, start)
        self.bodies = tuple(self.root.subtree())
        for body in self.bodies:
            self._weigh(body)
        if urdf.mass <= 0.0:
            for body in self.bodies:
                body.mass = float(len(body.links))
        self._sum_up()

    def body_of(self, link: str) -> Body:
        """Return the body to which a link belongs."""
        return self._body_of[link]

    def _gather(self, body: Body, link: str, pose: Pose) -> None:
        waiting = [(body, link, pose)]
        while waiting:
            body, link, pose = waiting.pop(0)
            body.links.append(link)
            self._body_of[link] = body
            self.pose_of[link] = pose
            for joint in self._below[link]:
                child_pose = pose.then(joint.pose)
                target = body
                if joint.kind in ("revolute", "continuous"):
                    axis = child_pose.R @ joint.axis
                    target = Body([], joint, body, child_pose, axis)
                    body.children.append(target)
                waiting.append((target, joint.child, child_pose))

    def _weigh(self, body: Body) -> None:
        moment = np.zeros(3)
        for name in body.links:
            link = self.urdf.links[name]
            pose = self.pose_of[name]
            body.mass += link.mass
            moment += link.mass * (pose.p + pose.R @ link.link_p_com)
        if body.mass > 0.0:
            body.com = moment / body.mass
        else:
            body.com = np.mean(list(self._marks(body)), axis=0)

    def _marks(self, body: Body) -> Iterator[Array]:
        """Yield places that tell where a body without mass is: frames and shapes."""
        for name in body.links:
            link, pose = self.urdf.links[name], self.pose_of[name]
            yield pose.p
            for shape in (*link.collisions, *link.visuals):
                yield pose.p + pose.R @ shape.pose.p
        for child in body.children:
            yield child.origin

    def _sum_up(self) -> None:
        """Add up masses and ways from the outermost bodies inwards."""
        for body in reversed(self.bodies):
            body.reach = float(np.linalg.norm(body.com - body.origin))
            body.subtree_mass, moment = body.mass, body.mass * body.com
            for child in body.children:
                step = float(np.linalg.norm(child.origin - body.origin))
                body.reach = max(body.reach, step + child.reach)
                body.subtree_mass += child.subtree_mass
                moment = moment + child.subtree_mass * child.subtree_com
            total = body.subtree_mass
            body.subtree_com = moment / total if total > 0.0 else body.com

    def main_chain(self, body: Body) -> list[Body]:
        """Follow a limb outwards until it ends or branches like a hand.

        Gears, rods and sensors, much lighter and shorter than what hangs beside them,
        are no branches.
        """
        chain = [body]
        while True:
            children = chain[-1].children
            heavy = [c for c in children if not self._is_negligible(c, children)]
            if len(heavy) != 1:
                return chain
            chain.append(heavy[0])

    @staticmethod
    def _is_negligible(body: Body, siblings: Sequence[Body]) -> bool:
        return any(
            body.subtree_mass < LIGHT * other.subtree_mass
            and body.reach < SHORT * other.reach
            for other in siblings
        )


class Chain:
    """Bodies in series, each on the one before, for many postures at once.

    Attributes:
        bodies: They.
        end: A point of the last body, in the zero posture (3,) [m].
        lower: Lower limits (k,) [rad].
        upper: Upper limits (k,) [rad].
    """

    def __init__(self, bodies: Sequence[Body], end: Array | None = None) -> None:
        self.bodies = tuple(bodies)
        self.end = bodies[-1].com if end is None else end
        limits = np.array([b.limits for b in bodies]).reshape(-1, 2)
        self.lower, self.upper = limits.T

    def axes_at(self, q: Array) -> tuple[Array, Array, Array]:
        """Return axes and the end of the chain in many postures.

        Args:
            q: Joint positions (n, k) [rad].

        Returns:
            A point of each axis (n, k, 3), its direction (n, k, 3) and the end of the
            chain (n, 3), in root axes.
        """
        n, k = q.shape
        points, axes = np.empty((n, k, 3)), np.empty((n, k, 3))
        # Product of exponentials: turns about the axes of the zero posture.
        R, p = np.broadcast_to(np.eye(3), (n, 3, 3)), np.zeros((n, 3))
        for i, body in enumerate(self.bodies):
            points[:, i] = p + R @ body.origin
            axes[:, i] = R @ body.axis
            turn = exp_so3(q[:, i, None] * body.axis)
            shift = body.origin - np.einsum("nij,j->ni", turn, body.origin)
            p = p + np.einsum("nij,nj->ni", R, shift)
            R = R @ turn
        return points, axes, p + R @ self.end

    def samples(self, count: int) -> Array:
        """Return postures spread evenly inside the limits (count, k) [rad]."""
        steps = np.arange(1, count + 1)[:, None] * _spread(len(self.bodies))
        return self.lower + (steps % 1.0) * (self.upper - self.lower)


def _spread(k: int) -> Array:
    """Return k steps whose multiples, modulo 1, fill a cube evenly (Roberts' R_k)."""
    root = 2.0
    for _ in range(40):
        root = (1.0 + root) ** (1.0 / (k + 1))
    return root ** -np.arange(1.0, k + 1.0)
