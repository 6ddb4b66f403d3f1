from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.robots.drives.command_limiter import Bounds, CommandLimiter, joint_bounds

ROBOTS = ("icub", "g1", "baxter", "romeo", "human48")
ROUNDING = 1e-9  # [rad/s^2 relative] speeds are differences of positions


def _violations(limiter: CommandLimiter, q: np.ndarray, dt: np.ndarray) -> list[str]:
    b: Bounds = limiter.bounds
    v = np.diff(q, axis=0) / dt[1:, None]
    a = np.diff(v, axis=0) / dt[2:, None]
    found = []
    if (q < b.lower).any() or (q > b.upper).any():
        found.append("position")
    if (np.abs(v) > b.velocity * (1 + 1e-9)).any():
        found.append("speed")
    if (np.abs(a) > b.acceleration * (1 + 1e-6)).any():
        found.append("acceleration")
    sums = q @ b.rows.T
    if (sums < b.row_lower - 1e-9).any() or (sums > b.row_upper + 1e-9).any():
        found.append("sum")
    return found


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("seed", range(3))
def test_wild_goals_stay_inside_all_bounds(
    name: str, seed: int, body_of: Callable[[str], RobotBody]
) -> None:
    body = body_of(name)
    limiter = CommandLimiter(body, joint_bounds(body))
    rng = np.random.default_rng(seed)
    limiter.reset(body.neutral.q)
    q, dts = [limiter.q], [0.005]
    goal = limiter.q
    for k in range(4000):
        if k % rng.integers(1, 200) == 0:  # jumps, far beyond the limits too
            goal = limiter.q + rng.normal(0.0, rng.choice([0.1, 3.0]), len(limiter.q))
        dt = float(rng.choice([0.001, 0.005, 0.01, rng.uniform(0.0005, 0.02)]))
        q.append(limiter.step(goal, dt))
        dts.append(dt)
    assert _violations(limiter, np.array(q), np.array(dts)) == []


def test_slow_motion_passes_unchanged(body_of: Callable[[str], RobotBody]) -> None:
    body = body_of("g1")
    limiter = CommandLimiter(body, joint_bounds(body))
    middle = np.clip(0.0, body.lower + 0.5, body.upper - 0.5)
    limiter.reset(middle)
    for k in range(1000):
        goal = middle + 0.2 * (1.0 - np.cos(2.0 * k * 0.005)) / 2.0
        np.testing.assert_allclose(limiter.step(goal, 0.005), goal, atol=1e-12)
        assert not limiter.touched.any()


def test_far_goal_is_reached_without_overshoot(
    body_of: Callable[[str], RobotBody],
) -> None:
    body = body_of("g1")
    limiter = CommandLimiter(body, joint_bounds(body, speed=0.05))
    limiter.reset(body.neutral.q)
    span = body.upper - body.lower
    goal = np.where(
        body.neutral.q < (body.lower + body.upper) / 2,
        body.upper - 0.1 * span,
        body.lower + 0.1 * span,
    )
    before = np.abs(goal - limiter.q)
    for _ in range(4000):
        limiter.step(goal, 0.005)
        error = np.abs(goal - limiter.q)
        assert np.all(error <= before + 1e-9)  # it only ever comes closer
        before = error
    np.testing.assert_allclose(limiter.q, goal, atol=1e-4)


def test_stop_brakes_within_the_acceleration_bound(
    body_of: Callable[[str], RobotBody],
) -> None:
    body = body_of("icub")
    limiter = CommandLimiter(body, joint_bounds(body))
    limiter.reset(body.neutral.q)
    for k in range(40):
        limiter.step(body.neutral.q + 0.005 * k, 0.005)
    fast = np.abs(limiter.dq).max()
    q, dts = [limiter.q], [0.005]
    for _ in range(40):
        q.append(limiter.brake(0.005))
        dts.append(0.005)
    assert fast > 0.3
    assert not limiter.dq.any()
    assert _violations(limiter, np.array(q), np.array(dts)) == []
    along = np.sign(q[1] - q[0])
    assert (np.diff(q, axis=0) * along >= 0.0).all()  # and never comes back


@pytest.mark.parametrize("name", ["g1", "romeo", "human48"])
def test_steps_are_those_of_the_stated_rules(
    name: str, body_of: Callable[[str], RobotBody]
) -> None:
    """The compiled step against the rules in the module's words, in numpy."""
    body = body_of(name)
    b = joint_bounds(body)
    limiter = CommandLimiter(body, b)
    limiter.reset(body.neutral.q)
    assert not len(b.rows)
    led = [body.kinematics.index(mimic.joint) for mimic in body.mimics]
    free = np.setdiff1d(np.arange(len(b.lower)), led)
    rng = np.random.default_rng(1)
    held_back = 0
    for _ in range(500):
        goal = limiter.q + rng.normal(0.0, rng.choice([0.001, 0.3]), len(limiter.q))
        dt, q, dq = float(rng.uniform(0.001, 0.02)), limiter.q, limiter.dq
        limiter.step(goal, dt)
        speed, half = limiter.dq, 0.5 * b.acceleration
        room = np.where(speed > 0.0, b.upper - q, q - b.lower)
        brakes = np.abs(speed) <= np.maximum(np.abs(dq) - b.acceleration * dt, 0.0)
        stops = speed**2 / (2.0 * half) + np.abs(speed) * dt <= room + 1e-9
        assert (stops | brakes | (np.abs(speed) < 1e-9))[free].all()
        assert (np.abs(speed - dq) <= b.acceleration * dt + 1e-9)[free].all()
        assert (np.abs(speed) <= b.velocity + 1e-9)[free].all()
        held_back += int(limiter.touched.sum())
    assert held_back > 0
