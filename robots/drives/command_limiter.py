"""The last word on joint references: position, speed and acceleration are bounded.

Between two turns each joint moves at a constant speed v. It is chosen as close as can
be to what the reference asks, among the speeds that

- differ from the last one by at most a dt (acceleration a),
- do not exceed the speed limit,
- leave room to brake before every limit with half of it: v^2 / a + v dt <= distance
  left. The other half is for drives that cannot make all of it at once.

The last condition, once true, can always be kept, whatever dt the next turns have; so
the bounds hold for ever and in every state. Sums of joints with limits of their own
(iCub's shoulder) are treated likewise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.compiled import Ints
from telexist.retarget.ik import JointRoles
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.drives.bounded_speeds import move_joints, speeds_towards

__all__ = ["Bounds", "CommandLimiter", "joint_bounds"]

ACCELERATION_PER_SPEED = 10.0  # [1/s] the speed limit is reached in 0.1 s
MAX_ACCELERATION = 100.0  # [rad/s^2]
CATCH_UP = 0.5  # of the acceleration: a goal that people move
MAX_SPEED = 20.0  # [rad/s] where a model states more, or nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What joint commands must obey.

    Attributes:
        lower: Positions (n,) [rad] or [m].
        upper: Positions (n,).
        velocity: Speeds (n,) [rad/s] or [m/s].
        acceleration: Accelerations (n,) [rad/s^2] or [m/s^2].
        rows: Sums of joints with limits of their own (c, n).
        row_lower: (c,).
        row_upper: (c,).
    """

    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    rows: Array
    row_lower: Array
    row_upper: Array


def joint_bounds(
    body: RobotBody, *, speed: float = 1.0, acceleration: float = 1.0
) -> Bounds:
    """Return the bounds of a robot's joints.

    Speeds are the model's, at most 20 rad/s; accelerations reach them in 0.1 s, and
    are at most 100 rad/s^2.

    Args:
        body: The robot.
        speed: Share of the speed limits to use.
        acceleration: Share of the accelerations to use.
    """
    roles = JointRoles(body)
    velocity = np.minimum(roles.velocity, MAX_SPEED) * speed
    most = np.minimum(ACCELERATION_PER_SPEED * velocity, MAX_ACCELERATION)
    for mimic in body.mimics:
        joint, leader = map(body.kinematics.index, (mimic.joint, mimic.leader))
        share = most[joint] / max(abs(mimic.multiplier), 1e-9)
        most[leader] = min(most[leader], share)
    sums = roles.row_lower < roles.row_upper  # the others are followers
    return Bounds(
        lower=roles.lower,
        upper=roles.upper,
        velocity=velocity,
        acceleration=most * acceleration,
        rows=roles.rows[sums],
        row_lower=roles.row_lower[sums],
        row_upper=roles.row_upper[sums],
    )


class CommandLimiter:
    """Follows references within bounds.

    Attributes:
        q: Positions that are commanded (n,) [rad] or [m].
        dq: Speeds of the last step (n,).
        touched: Whether the last step of each joint had to differ from what was
            asked (n,) bool.
    """

    def __init__(
        self, body: RobotBody, bounds: Bounds, *, catch_up: float = CATCH_UP
    ) -> None:
        """Prepare; `reset` must come before the first `step`.

        Args:
            body: The robot.
            bounds: What steps obey.
            catch_up: Share of the acceleration with which a goal that moves is caught
                up with; it has to be left over by the goal itself.
        """
        self.bounds = bounds
        self._approach = catch_up * bounds.acceleration
        self._bounds = (
            np.array(bounds.lower),
            np.array(bounds.upper),
            np.array(bounds.velocity),
            np.array(bounds.acceleration),
        )
        self._sums = (
            np.array(bounds.rows),
            np.array(bounds.row_lower),
            np.array(bounds.row_upper),
            0.5 * np.abs(bounds.rows) @ bounds.acceleration,
        )
        self._followers = _followers(body)
        self.reset(body.neutral.q)
        self.step(self.q, 1.0)  # loads the machine code before the clock matters
        self.reset(body.neutral.q)

    def reset(self, q: Array) -> None:
        """Start at rest at q (n,), put inside the limits."""
        self.q = np.clip(q, self.bounds.lower, self.bounds.upper)
        self._goal = self.q.copy()
        self.dq = np.zeros_like(self.q)
        self.touched = np.zeros(len(self.q), dtype=bool)

    def step(self, goal: Array, dt: float) -> Array:
        """Move towards a goal for `dt`.

        Args:
            goal: Where the joints should be after the step (n,).
            dt: Duration of the step [s], above 0.

        Returns:
            The new positions (n,), inside all bounds.
        """
        last, n = self._goal, len(self.q)
        self._goal, wanted = np.empty(n), np.empty(n)
        lower, upper, _, _ = self._bounds
        speeds_towards(
            np.array(goal),
            last,
            self.q,
            self._approach,
            lower,
            upper,
            dt,
            self._goal,
            wanted,
        )
        return self._move(wanted, dt)

    def brake(self, dt: float, share: float = 1.0) -> Array:
        """Come to rest, then stay.

        Args:
            dt: Duration of the step [s], above 0.
            share: Of the acceleration bound to use.

        Returns:
            The new positions (n,), inside all bounds.
        """
        change = share * self.bounds.acceleration * dt
        wanted = np.sign(self.dq) * np.maximum(np.abs(self.dq) - change, 0.0)
        moved = self._move(wanted, dt)
        self._goal = moved
        return moved

    def correct(self, q: Array, dq: Array) -> None:
        """Say where the last step really led (n,), and at which speeds (n,)."""
        self.q, self.dq = np.clip(q, self.bounds.lower, self.bounds.upper), dq

    def _move(self, wanted: Array, dt: float) -> Array:
        n = len(self.q)
        moved, speed, touched = np.empty(n), np.empty(n), np.empty(n, dtype=bool)
        move_joints(
            self.q,
            self.dq,
            wanted,
            dt,
            self._bounds,
            self._sums,
            self._followers,
            moved,
            speed,
            touched,
        )
        self.q, self.dq, self.touched = moved, speed, touched
        return moved


def _followers(body: RobotBody) -> tuple[Ints, Array]:
    """Return joint and leader (k, 2), multiplier and offset (k, 2) of followers."""
    joint = body.kinematics.index
    pairs = [(joint(m.joint), joint(m.leader)) for m in body.mimics]
    lines = [(m.multiplier, m.offset) for m in body.mimics]
    return (
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.array(lines, dtype=np.float64).reshape(-1, 2),
    )
