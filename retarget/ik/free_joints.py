"""Which velocities are free: mimics follow, locked joints and fixed bases rest."""

from __future__ import annotations

import numpy as np

from retarget.errors import UnknownName
from retarget.robot_body import RobotBody
from retarget.so3 import Array

__all__ = ["FreeJoints"]


class FreeJoints:
    """The map from m free velocities to all 6 + n: nu = expand @ u.

    Position and velocity limits of followers are carried over to their leaders, so
    that a leader inside its limits keeps every follower inside too.

    Attributes:
        expand: (6 + n, m), one entry per row or none.
        base: How many of the free velocities belong to the base: 6 or 0.
        joints: Index in 0..n-1 of each free joint (m - base,).
        lower: Position limits of the free joints (m - base,).
        upper: Position limits of the free joints (m - base,).
        velocity: Velocity limits of the free joints (m - base,).
        rows: Couplings over the free joints (c, m - base).
        row_lower: (c,).
        row_upper: (c,).
        row_speed: Greatest speed of each coupling's sum (c,).
    """

    def __init__(self, body: RobotBody) -> None:
        """Sort a robot's joints into free, following and locked ones.

        Raises:
            UnknownName: If a coupling, mimic or locked joint is not in the model.
        """
        names, locked = body.kinematics.joints, body.locked
        followers = {mimic.joint: mimic for mimic in body.mimics}
        for name in (*locked, *followers, *(m.leader for m in body.mimics)):
            if name not in names:
                raise UnknownName("joint", name, names)
        free = [
            i for i, j in enumerate(names) if j not in followers and j not in locked
        ]
        column = {names[i]: c for c, i in enumerate(free)}
        self.base = 0 if body.fixed_base else 6
        self.joints = np.array(free, dtype=np.intp)
        self._body = body
        self.expand = np.zeros((6 + len(names), self.base + len(free)))
        self.expand[: self.base, : self.base] = np.eye(self.base)
        for c, i in enumerate(free):
            self.expand[6 + i, self.base + c] = 1.0
        self.lower, self.upper = body.lower[free].copy(), body.upper[free].copy()
        self.velocity = body.velocity[free].copy()
        self._followers = []
        for mimic in body.mimics:
            if mimic.leader not in column:
                continue
            i, c = names.index(mimic.joint), column[mimic.leader]
            self.expand[6 + i, self.base + c] = mimic.multiplier
            self._carry_over(i, c, mimic.multiplier, mimic.offset)
            self._followers.append((i, names.index(mimic.leader), mimic))
        self._stack_couplings(column)

    def _carry_over(self, i: int, c: int, multiplier: float, offset: float) -> None:
        if multiplier == 0.0:
            return
        ends = (
            np.array([self._body.lower[i], self._body.upper[i]]) - offset
        ) / multiplier
        self.lower[c] = max(self.lower[c], ends.min())
        self.upper[c] = min(self.upper[c], ends.max())
        speed = self._body.velocity[i] / abs(multiplier)
        self.velocity[c] = min(self.velocity[c], speed)

    def _stack_couplings(self, column: dict[str, int]) -> None:
        body = self._body
        count = len(body.couplings)
        self.rows = np.zeros((count, len(self.joints)))
        self.row_lower, self.row_upper = np.empty(count), np.empty(count)
        for r, coupling in enumerate(body.couplings):
            shift = 0.0
            for name, c in zip(coupling.joints, coupling.coefficients, strict=True):
                if name in column:
                    self.rows[r, column[name]] = c
                else:
                    shift += c * body.neutral.q[body.kinematics.index(name)]
            self.row_lower[r] = coupling.lower - shift
            self.row_upper[r] = coupling.upper - shift
        speed = np.where(np.isfinite(self.velocity), self.velocity, 1e3)
        self.row_speed = np.abs(self.rows) @ speed

    def settle(self, q: Array) -> Array:
        """Return q with followers where their leaders put them, inside the limits."""
        q = q.copy()
        q[self.joints] = np.clip(q[self.joints], self.lower, self.upper)
        for i, leader, mimic in self._followers:
            value = mimic.multiplier * q[leader] + mimic.offset
            q[i] = min(max(value, self._body.lower[i]), self._body.upper[i])
        return q
