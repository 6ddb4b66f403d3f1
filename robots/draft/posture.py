"""A robot in a posture that changes: joints, those that follow them, and limbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.robot_body import Mimic
from telexist.retarget.segments import NEUTRAL_DIRECTION
from telexist.retarget.so3 import Array, angle_between
from telexist.robots.description import BodyLimits, Skeleton, joint_centres
from telexist.robots.urdf import Urdf

__all__ = ["UprightPosture"]


class UprightPosture:
    """Joint positions of a robot that stands upright and faces world x.

    Attributes:
        kinematics: The robot's model, at the present posture.
        links: Human segment to robot link.
        lower: Lower limits (n,) [rad] or [m].
        upper: Upper limits (n,).
        rest: The posture of zeros, or as near to it as the limits allow (n,).
        q: Joint positions (n,).
        leader: For each joint the one that it follows, itself if none (n,).
        factor: How much it moves for a unit of its leader's (n,).
        skeleton: Limbs as last looked at.
    """

    def __init__(
        self,
        urdf: Urdf,
        kinematics: Kinematics,
        links: Mapping[str, str],
        *,
        world_R_root: Array,
        limits: BodyLimits,
        mimics: Sequence[Mimic],
    ) -> None:
        n = kinematics.n
        self._urdf, self._world_R_root = urdf, world_R_root
        self.kinematics, self.links = kinematics, links
        self.lower, self.upper = limits.lower, limits.upper
        self.leader: np.ndarray = np.arange(n)
        self.factor, self._offset = np.ones(n), np.zeros(n)
        for mimic in mimics:
            i = kinematics.index(mimic.joint)
            self.leader[i] = kinematics.index(mimic.leader)
            self.factor[i], self._offset[i] = mimic.multiplier, mimic.offset
        self.rest = np.clip(np.zeros(n), self.lower, self.upper)
        self.q = np.zeros(n)
        self._update()
        _, self.zero_axes = kinematics.joint_axes()
        self.zero_rotations = {s: self.rotation(s) for s in links}
        self.move(np.arange(n), self.rest)
        self.skeleton: Skeleton = self._look()

    def move(self, leaders: np.ndarray, x: Array) -> None:
        """Set leading joints and all that follow them."""
        values = self.q.copy()
        values[leaders] = x
        moved = np.isin(self.leader, leaders)
        self.q[moved] = (self.factor * values[self.leader] + self._offset)[moved]
        self._update()

    def look(self) -> None:
        """Look again where the limbs are: it shifts where axes do not meet."""
        self.skeleton = self._look()

    def _look(self) -> Skeleton:
        return joint_centres(
            self._urdf, self.kinematics, self.links, self._configuration()
        )

    def _configuration(self) -> Configuration:
        return Configuration(
            world_p_base=np.zeros(3), world_R_base=self._world_R_root, q=self.q
        )

    def _update(self) -> None:
        self.kinematics.update(self._configuration())

    def rotation(self, segment: str) -> Array:
        """Return `world_R_link` (3, 3) of a segment's link."""
        return self.kinematics.rotation(self.kinematics.frame(self.links[segment]))

    def direction(self, segment: str) -> Array:
        """Return where a limb points in the world (3,)."""
        limb = self.skeleton.limb_directions[segment]
        return np.asarray(self.rotation(segment) @ limb)

    def error(self, segment: str) -> float:
        """Return the angle between a limb and its N-pose direction [rad]."""
        return float(angle_between(self.direction(segment), NEUTRAL_DIRECTION[segment]))

    def axis(self, joint: int) -> Array:
        """Return the direction of a joint's axis in the world (3,)."""
        return self.kinematics.angular_columns()[:, 6 + joint].copy()

    def support(self, segment: str) -> np.ndarray:
        """Return which joints move a segment's link (n,) bool."""
        frame = self.kinematics.frame(self.links[segment])
        return np.asarray(self.kinematics.support(frame)[6:])
