"""Speeds of joints within their bounds, compiled: see `command_limiter.py`.

Arrays are in the order of the joints; what a function fills comes last. The loop needs
one such step in every turn and the drives of a simulated robot two: in numpy, whose
calls cost more than their arithmetic, that was a third of all that a session computes.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Bools, Ints, jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array

__all__ = ["move_joints", "speeds_towards"]

LIMIT_BRAKING = 0.5  # of the acceleration is used to brake before a limit
NOTHING = 1e-9  # [rad] or [m] a step that differs by less was not held back


@jit_internal
def _safe_speed(distance: float, acceleration: float, dt: float) -> float:
    """Return the v for which v^2 / 2a + v dt = distance; 0 beyond the limit."""
    margin = np.maximum(distance, 0.0)
    return acceleration * (math.sqrt(dt * dt + 2.0 * margin / acceleration) - dt)


@jit_internal
def _clipped(value: float, low: float, high: float) -> float:
    """Return a value within bounds; NaN stays NaN."""
    return np.minimum(np.maximum(value, low), high)


@jit_internal
def _dot(row: Array, values: Array) -> float:
    total = 0.0
    for i in range(len(row)):
        total += row[i] * values[i]
    return total


@jit_hold_gil
def speeds_towards(
    asked: Array,
    last_goal: Array,
    q: Array,
    approach: Array,
    lower: Array,
    upper: Array,
    dt: float,
    goal: Array,
    wanted: Array,
) -> None:
    """Fill the goal (n,), put inside the limits, and the speeds that follow it (n,).

    They are the goal's own, and what closes the distance that is left and comes to
    rest at its end.

    Args:
        asked: The goal (n,) [rad] or [m].
        last_goal: The one before (n,).
        q: Where the joints are (n,).
        approach: Acceleration with which they catch up (n,).
        lower: Limits (n,).
        upper: Limits (n,).
        dt: Duration of the step [s].
        goal: Filled (n,).
        wanted: Filled (n,).
    """
    for i in range(len(q)):
        goal[i] = _clipped(asked[i], lower[i], upper[i])
        error = last_goal[i] - q[i]
        closing = np.sign(error) * _safe_speed(abs(error), approach[i], dt)
        wanted[i] = (goal[i] - last_goal[i]) / dt + closing


@jit_hold_gil
def move_joints(
    q: Array,
    dq: Array,
    wanted: Array,
    dt: float,
    bounds: tuple[Array, Array, Array, Array],
    sums: tuple[Array, Array, Array, Array],
    followers: tuple[Ints, Array],
    moved: Array,
    speed: Array,
    touched: Bools,
) -> None:
    """Fill where the joints are after a step (n,) and their speeds meanwhile (n,).

    Args:
        q: Where they are (n,) [rad] or [m].
        dq: Their speeds in the last step (n,).
        wanted: The speeds that are asked for (n,).
        dt: Duration of the step [s].
        bounds: Lower, upper, velocity, acceleration, each (n,).
        sums: Rows (c, n) of sums with limits of their own, their lower and upper limits
            and the accelerations to brake before them, each (c,).
        followers: Joint and leader (k, 2), multiplier and offset (k, 2).
        moved: Filled (n,).
        speed: Filled (n,).
        touched: Filled: whether a joint was held back (n,) bool.
    """
    lower, upper, velocity, acceleration = bounds
    n = len(q)
    low, high = np.empty(n), np.empty(n)
    for i in range(n):
        change, approach = acceleration[i] * dt, LIMIT_BRAKING * acceleration[i]
        slow = np.minimum(velocity[i], _safe_speed(upper[i] - q[i], approach, dt))
        back = np.minimum(velocity[i], _safe_speed(q[i] - lower[i], approach, dt))
        high[i] = np.maximum(np.minimum(dq[i] + change, slow), dq[i] - change)
        low[i] = np.minimum(np.maximum(dq[i] - change, -back), dq[i] + change)
        speed[i] = _clipped(wanted[i], np.minimum(low[i], high[i]), high[i])
    _keep_sums(q, dt, sums, low, high, speed)
    for i in range(n):
        moved[i] = _clipped(q[i] + speed[i] * dt, lower[i], upper[i])
        touched[i] = abs(speed[i] - wanted[i]) * dt > NOTHING
    pairs, lines = followers
    for k in range(len(pairs)):
        moved[pairs[k, 0]] = lines[k, 0] * moved[pairs[k, 1]] + lines[k, 1]
    for i in range(n):
        speed[i] = (moved[i] - q[i]) / dt


@jit_internal
def _keep_sums(
    q: Array,
    dt: float,
    sums: tuple[Array, Array, Array, Array],
    low: Array,
    high: Array,
    speed: Array,
) -> None:
    """Slow down, in place, the joints of sums whose limit is near.

    Which sums those are is asked before any of them is slowed down.
    """
    rows, row_lower, row_upper, row_approach = sums
    c = len(rows)
    most, least, over = np.empty(c), np.empty(c), np.zeros(c, dtype=np.bool_)
    for k in range(c):
        value, rate = _dot(rows[k], q), _dot(rows[k], speed)
        most[k] = _safe_speed(row_upper[k] - value, row_approach[k], dt)
        least[k] = -_safe_speed(value - row_lower[k], row_approach[k], dt)
        over[k] = rate > most[k] or rate < least[k]
    for k in range(c):
        if over[k]:
            _bring_within(rows[k], low, high, least[k], most[k], speed)


@jit_internal
def _bring_within(
    c: Array, low: Array, high: Array, least: float, most: float, speed: Array
) -> None:
    """Change speeds, inside their span, so that their sum c v comes to be allowed.

    If no such speeds are there, to those that come nearest.
    """
    rate = _dot(c, speed)
    bound = min(max(rate, least), most)
    gain = 0.0
    brake = np.empty(len(c))
    for i in range(len(c)):
        # The end of each joint's range that brings the sum back soonest.
        brake[i] = low[i] if (c[i] > 0.0) == (rate > bound) else high[i]
        if c[i] == 0.0:
            brake[i] = speed[i]
        gain += c[i] * (brake[i] - speed[i])
    share = 0.0 if gain == 0.0 else min(1.0, max(0.0, (bound - rate) / gain))
    for i in range(len(c)):
        speed[i] = speed[i] + share * (brake[i] - speed[i])
