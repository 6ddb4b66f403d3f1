"""What each joint may do: move, follow another, or rest; limits over all of them."""

from __future__ import annotations

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.robot_body import Mimic, RobotBody
from telexist.retarget.so3 import Array

__all__ = ["JointRoles"]

FAST = 1e3  # [rad/s] stands in for an unlimited speed where sums need a number


class JointRoles:
    """Sorts a robot's joints into free, following and held ones.

    Limits of a follower are carried over to its leader, so that a leader inside its
    limits keeps every follower inside too. A follower that moves no mapped link is
    simply put where its leader says; the others become equality rows.

    Attributes:
        held: Joints that do not move within a step: locked ones and such followers.
        lower: Position limits (n,), followers' limits carried over.
        upper: Position limits (n,).
        velocity: Velocity limits (n,).
        rows: Couplings and following joints over all joints (c, n).
        row_lower: (c,); equal to `row_upper` for a following joint.
        row_upper: (c,).
        row_speed: Greatest speed of each row's sum (c,).
    """

    def __init__(self, body: RobotBody) -> None:
        """Sort the joints of a robot.

        Raises:
            UnknownName: If a coupling, mimic or locked joint is not in the model.
        """
        self._body = body
        joints = body.kinematics.joints
        named = [*body.locked, *(name for c in body.couplings for name in c.joints)]
        named += [name for m in body.mimics for name in (m.joint, m.leader)]
        for name in named:
            if name not in joints:
                raise UnknownName("joint", name, joints)
        self._index = {name: i for i, name in enumerate(joints)}
        self.held = np.isin(joints, body.locked)
        self.lower, self.upper = body.lower.copy(), body.upper.copy()
        self.velocity = body.velocity.copy()
        moving = self._moving_links()
        rows: list[tuple[Array, float, float]] = []
        for mimic in body.mimics:
            rows += self._follow(mimic, moving)
        for coupling in body.couplings:
            row = np.zeros(len(joints))
            for name, c in zip(coupling.joints, coupling.coefficients, strict=True):
                row[self._index[name]] = c
            rows.append((row, coupling.lower, coupling.upper))
        self.rows = np.array([row[0] for row in rows]).reshape(-1, len(joints))
        self.row_lower = np.array([row[1] for row in rows])
        self.row_upper = np.array([row[2] for row in rows])
        speed = np.where(np.isfinite(self.velocity), self.velocity, FAST)
        self.row_speed = np.abs(self.rows) @ speed

    def _moving_links(self) -> np.ndarray:
        """Return which joints move a mapped link or a sole (n,) bool."""
        body = self._body
        links = {*body.links.values(), *(sole.link for sole in body.soles.values())}
        moving = np.zeros(body.kinematics.n, dtype=bool)
        for link in links:
            moving |= body.kinematics.support(body.kinematics.frame(link))[6:]
        return moving

    def _follow(
        self, mimic: Mimic, moving: np.ndarray
    ) -> list[tuple[Array, float, float]]:
        i, leader = self._index[mimic.joint], self._index[mimic.leader]
        if mimic.multiplier != 0.0:
            ends = np.array([self._body.lower[i], self._body.upper[i]]) - mimic.offset
            ends = np.sort(ends / mimic.multiplier)
            self.lower[leader] = max(self.lower[leader], ends[0])
            self.upper[leader] = min(self.upper[leader], ends[1])
            speed = self._body.velocity[i] / abs(mimic.multiplier)
            self.velocity[leader] = min(self.velocity[leader], speed)
        if not moving[i]:
            self.held[i] = True
            return []
        row = np.zeros(len(self.held))
        row[i], row[leader] = 1.0, -mimic.multiplier
        return [(row, mimic.offset, mimic.offset)]

    def settle(self, q: Array, start: Array) -> Array:
        """Return q (n,) inside the limits, followers where their leaders put them.

        A joint that started the step at `start` (n,) beyond a limit may be so still.
        """
        q = np.where(start >= self.lower, np.maximum(q, self.lower), q)
        q = np.where(start <= self.upper, np.minimum(q, self.upper), q)
        for mimic in self._body.mimics:
            i, leader = self._index[mimic.joint], self._index[mimic.leader]
            value = mimic.multiplier * q[leader] + mimic.offset
            q[i] = min(max(value, self._body.lower[i]), self._body.upper[i])
        return q
