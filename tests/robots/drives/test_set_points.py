"""Set-points between commands: bounded whatever comes, close to what was commanded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.robots.base.interface import JointCommand
from telexist.robots.drives.command_limiter import CommandLimiter, joint_bounds
from telexist.robots.drives.set_points import COMMAND_SHARE, PERIODS_LATE, SetPoints

PERIOD, STEP = 0.005, 0.0025  # [s]
ROUNDING = 1e-6


def _points(body: RobotBody) -> SetPoints:
    return SetPoints(body, joint_bounds(body), period=PERIOD, timestep=STEP)


def _commands(body: RobotBody, *, seed: int, count: int) -> list[JointCommand]:
    """Return bounded commands at uneven times towards goals that jump."""
    rng, limiter = np.random.default_rng(seed), CommandLimiter(body, joint_bounds(body))
    stamp, goal, made = 5.0, body.neutral.q, []
    for _ in range(count):
        if rng.random() < 0.02:
            goal = rng.uniform(body.lower, body.upper)
        dt = float(rng.choice([0.0017, 0.005, 0.005, 0.005, rng.uniform(0.001, 0.04)]))
        stamp += dt
        q = limiter.step(goal, dt)
        made.append(JointCommand(stamp=stamp, q=q, dq=limiter.dq))
    return made


def _follow(
    points: SetPoints, commands: list[JointCommand], lost: Callable[[int], bool]
) -> tuple[np.ndarray, np.ndarray]:
    """Return positions (t, n) and speeds (t, n) at every step of the drives."""
    q, dq, waiting = [], [], list(commands)
    for k in range(round((commands[-1].stamp - 5.0 + 0.2) / STEP)):
        while waiting and waiting[0].stamp <= 5.0 + k * STEP:
            command = waiting.pop(0)
            if not lost(len(waiting)):
                points.take(command)
        points.step(5.0 + k * STEP)
        q.append(points.q)
        dq.append(points.dq)
    return np.array(q), np.array(dq)


@pytest.mark.parametrize("name", ["icub", "g1", "baxter"])
@pytest.mark.parametrize("lossy", [False, True])
def test_set_points_are_bounded_whatever_commands_arrive_when(
    name: str, lossy: bool, body_of: Callable[[str], RobotBody]
) -> None:
    body, rng = body_of(name), np.random.default_rng(3)
    bounds = joint_bounds(body)
    gone = rng.random(2000) < (0.3 if lossy else 0.0)
    gone[500:700] = lossy  # a second of silence
    commands = _commands(body, seed=1, count=2000)
    q, dq = _follow(_points(body), commands, lambda k: bool(gone[k]))
    ddq = np.diff(dq, axis=0) / STEP
    assert (np.abs(dq).max(axis=0) > 0.2 * bounds.velocity).all()
    assert (q >= body.lower).all()
    assert (q <= body.upper).all()
    assert (np.abs(dq) <= bounds.velocity * (1.0 + ROUNDING)).all()
    assert (np.abs(ddq) <= bounds.acceleration * (1.0 + ROUNDING)).all()


def test_an_even_motion_is_followed_some_two_periods_late(
    body_of: Callable[[str], RobotBody],
) -> None:
    body = body_of("g1")
    middle = np.clip(0.0, body.lower + 0.5, body.upper - 0.5)
    points = _points(body)
    points.reset(middle)

    def where(t: float) -> np.ndarray:
        return middle + 0.2 * (1.0 - np.cos(2.0 * t)) / 2.0

    for k in range(400):
        stamp = k * PERIOD
        speed = (where(stamp) - where(stamp - PERIOD)) / PERIOD
        points.take(JointCommand(stamp=stamp, q=where(stamp), dq=speed))
        for now in (stamp, stamp + STEP):
            points.step(now)
            late = PERIODS_LATE * PERIOD + 0.5 * STEP  # a mean over two steps
            if k > 20:
                curvature = 0.4 * PERIOD**2  # that a line with corners cuts off
                np.testing.assert_allclose(
                    points.q, where(now - late), atol=curvature, rtol=0.0
                )


def test_a_single_command_is_reached(body_of: Callable[[str], RobotBody]) -> None:
    body = body_of("icub")
    points = _points(body)
    goal = 0.5 * (body.neutral.q + np.clip(0.3, body.lower, body.upper))
    points.take(JointCommand(stamp=7.0, q=goal, dq=np.zeros_like(goal)))
    for k in range(2000):
        points.step(7.0 + k * STEP)
    inside = joint_bounds(body).rows.any(axis=0)
    np.testing.assert_allclose(points.q[~inside], goal[~inside], atol=1e-4)
    assert np.abs(points.dq).max() < 1e-3


def test_joints_come_to_rest_without_turning_back_when_commands_end(
    body_of: Callable[[str], RobotBody],
) -> None:
    body = body_of("g1")
    middle = np.clip(0.0, body.lower + 0.6, body.upper - 0.6)
    points = _points(body)
    points.reset(middle)
    limiter = CommandLimiter(body, joint_bounds(body))
    limiter.reset(middle)
    for k in range(14):
        q = limiter.step(middle + 0.3, PERIOD)
        stamp = k * PERIOD
        points.take(JointCommand(stamp=stamp, q=q, dq=limiter.dq))
        points.step(stamp)
        points.step(stamp + STEP)
    fast = points.dq.copy()
    speeds = []
    for k in range(400):
        points.step(14 * PERIOD + k * STEP)
        speeds.append(points.dq)
    assert fast.max() > 1.0
    assert not np.array(speeds)[-1].any()
    assert np.array(speeds).min() > -0.02 * fast.max()


def test_commands_at_their_bound_are_not_lagged_behind(
    body_of: Callable[[str], RobotBody],
) -> None:
    """A fast wave, seen by a source of 60 Hz: uneven turns, always at the bound."""
    body = body_of("talos")
    bounds = joint_bounds(body)
    usable = replace(bounds, acceleration=COMMAND_SHARE * bounds.acceleration)
    limiter, points = CommandLimiter(body, usable), _points(body)
    middle = np.clip(0.0, body.lower + 0.3, body.upper - 0.3)
    limiter.reset(middle)
    points.reset(middle)
    stamps, corners, worst, steps = [0.0], [middle], 0.0, 0
    while stamps[-1] < 3.0:
        dt = (0.005, 0.005, 0.005, 1.0 / 60.0 - 0.015)[len(stamps) % 4]
        stamps.append(stamps[-1] + dt)
        goal = middle + 0.2 * np.sign(np.sin(12.0 * stamps[-1]))
        corners.append(limiter.step(goal, dt))
        points.take(JointCommand(stamp=stamps[-1], q=corners[-1], dq=limiter.dq))
        while steps * STEP <= stamps[-1]:
            points.step(steps * STEP)
            due = steps * STEP - PERIODS_LATE * PERIOD - 0.5 * STEP
            line = [np.interp(due, stamps, column) for column in np.transpose(corners)]
            worst = max(worst, float(np.abs(points.q - line).max()))
            steps += 1
    assert limiter.touched.any()
    assert worst < 0.01
