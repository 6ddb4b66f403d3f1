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

from retarget.ik.joint_roles import JointRoles
from retarget.robot_body import RobotBody
from retarget.so3 import Array

__all__ = ["Bounds", "CommandLimiter", "joint_bounds"]

ACCELERATION_PER_SPEED = 10.0  # [1/s] the speed limit is reached in 0.1 s
MAX_ACCELERATION = 100.0  # [rad/s^2]
LIMIT_BRAKING = 0.5  # of the acceleration is used to brake before a limit
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
        self._pull = catch_up * bounds.acceleration
        joints = body.kinematics.index
        self._followers = [
            (joints(m.joint), joints(m.leader), m.multiplier, m.offset)
            for m in body.mimics
        ]
        self._row_pull = 0.5 * np.abs(bounds.rows) @ bounds.acceleration
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
        b = self.bounds
        goal = np.clip(goal, b.lower, b.upper)
        wanted = (goal - self._goal) / dt + _catch_up(
            self._goal - self.q, self._pull, dt
        )
        self._goal = goal
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
        b = self.bounds
        change = b.acceleration * dt
        pull = LIMIT_BRAKING * b.acceleration
        slow = np.minimum(b.velocity, _safe_speed(b.upper - self.q, pull, dt))
        back = np.minimum(b.velocity, _safe_speed(self.q - b.lower, pull, dt))
        high = np.maximum(np.minimum(self.dq + change, slow), self.dq - change)
        low = np.minimum(np.maximum(self.dq - change, -back), self.dq + change)
        speed = np.clip(wanted, np.minimum(low, high), high)
        if len(b.rows):
            speed = self._keep_rows(speed, low, high, dt)
        moved = np.clip(self.q + speed * dt, b.lower, b.upper)
        for joint, leader, multiplier, offset in self._followers:
            moved[joint] = multiplier * moved[leader] + offset
        self.touched = np.abs(speed - wanted) * dt > 1e-9
        self.dq, self.q = (moved - self.q) / dt, moved
        return moved

    def _keep_rows(self, speed: Array, low: Array, high: Array, dt: float) -> Array:
        """Slow down the joints of sums whose limit is near."""
        b = self.bounds
        value = b.rows @ self.q
        most = _safe_speed(b.row_upper - value, self._row_pull, dt)
        least = -_safe_speed(value - b.row_lower, self._row_pull, dt)
        rate = b.rows @ speed
        for row in np.flatnonzero((rate > most) | (rate < least)):
            speed = _within(b.rows[row], speed, (low, high), (least[row], most[row]))
        return speed


def _within(
    c: Array,
    speed: Array,
    span: tuple[Array, Array],
    allowed: tuple[float, float],
) -> Array:
    """Return speeds of joints inside their span whose sum c v comes to be allowed.

    If no such speeds are there, those that come nearest.
    """
    low, high = span
    rate = float(c @ speed)
    bound = min(max(rate, allowed[0]), allowed[1])
    # The end of each joint's range that brings the sum back soonest.
    up = np.where(c > 0.0, high, low)
    down = np.where(c > 0.0, low, high)
    brake = np.where(c == 0.0, speed, down if rate > bound else up)
    gain = float(c @ (brake - speed))
    share = 0.0 if gain == 0.0 else min(1.0, max(0.0, (bound - rate) / gain))
    return speed + share * (brake - speed)


def _safe_speed(distance: Array, acceleration: Array, dt: float) -> Array:
    """Return the v for which v^2 / 2a + v dt = distance; 0 beyond the limit."""
    room = np.maximum(distance, 0.0)
    return acceleration * (np.sqrt(dt * dt + 2.0 * room / acceleration) - dt)


def _catch_up(error: Array, acceleration: Array, dt: float) -> Array:
    """Return the speed that closes an error and comes to rest at its end."""
    return np.sign(error) * _safe_speed(np.abs(error), acceleration, dt)
