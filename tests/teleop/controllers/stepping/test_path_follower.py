"""A path becomes commands: followed to its end, within what steps can do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from telexist.teleop.controllers.parameters.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import LEFT, RIGHT, Foothold
from telexist.teleop.controllers.stepping.path_follower import PathFollower
from telexist.teleop.controllers.stepping.step_spacing import StepSpacing
from telexist.teleop.terms import PathReference, WalkCommand

PARAMETERS = ControlParameters(
    leg_extension=0.95,
    com_height=0.6,
    omega=4.0,
    foot_spacing=0.2,
    stance_spacing=0.4,
    single_support=0.5,
    double_support=0.1,
    first_double_support=1.0,
    step_height=0.05,
    max_step_length=0.3,
    min_step_width=0.12,
    max_step_width=0.5,
    max_crossing=0.1,
    foot_speed=4.0,
    comfortable_step=0.2,
)
PERIOD = 0.6  # [s] of a step


@dataclass
class Walker:
    """Goes in whole steps exactly where it is told."""

    place: np.ndarray
    yaw: float

    def step(self, command: WalkCommand) -> None:
        yaw = self.yaw + 0.5 * command.wz * PERIOD
        ahead = np.array([np.cos(yaw), np.sin(yaw)])
        left = np.array([-ahead[1], ahead[0]])
        self.place = self.place + PERIOD * (command.vx * ahead + command.vy * left)
        self.yaw += command.wz * PERIOD


def path(
    x: float, y: float, yaw: float = 0.0, *, stepping: bool = True
) -> PathReference:
    return PathReference(place=np.array([x, y]), yaw=yaw, stepping=stepping)


def walked(goals: list[PathReference], walker: Walker, steps: int) -> np.ndarray:
    """Show all goals, then go on; return the places of the walker (k, 2)."""
    follower, seen = PathFollower(PARAMETERS), []
    for k in range(steps):
        goal = goals[min(k, len(goals) - 1)]
        standing = k == 0
        command = follower.command(goal, walker.place, walker.yaw, standing=standing)
        walker.step(command)
        seen.append(walker.place)
    assert command == WalkCommand()
    return np.array(seen)


def test_a_walk_around_a_corner_ends_where_the_operators_ends() -> None:
    ahead = [path(0.1 * k, 0.0) for k in range(21)]
    aside = [path(2.0, 0.1 * k, 0.5 * np.pi) for k in range(21)]
    end = path(2.0, 2.0, 0.5 * np.pi, stepping=False)
    walker = Walker(np.array([5.0, 1.0]), 2.0)
    seen = walked([*ahead, *aside, end], walker, 120)
    c, s = np.cos(2.0), np.sin(2.0)
    R = np.array([[c, -s], [s, c]])
    assert np.linalg.norm(walker.place - [5.0, 1.0] - R @ [2.0, 2.0]) < 0.03
    assert abs(walker.yaw - 2.0 - 0.5 * np.pi) < 0.04
    there = (seen - [5.0, 1.0]) @ R  # nobody cuts the corner by more than a step
    legs = np.minimum(
        np.hypot(np.maximum(there[:, 0] - 2.0, 0.0), there[:, 1]),
        np.hypot(there[:, 0] - 2.0, np.minimum(there[:, 1], 0.0)),
    )
    assert legs.max() < 0.3


def test_no_command_is_beyond_what_steps_can_do() -> None:
    follower, rng = PathFollower(PARAMETERS), np.random.default_rng(0)
    place, yaw = np.zeros(2), 0.0
    most = follower.speed
    for _ in range(200):
        goal = path(*rng.normal(size=3))
        command = follower.command(goal, place, yaw, standing=True)
        assert np.hypot(command.vx, command.vy) <= most + 1e-9
        assert np.isfinite([command.vx, command.vy, command.wz]).all()


def test_a_small_way_is_none_and_who_is_not_followed_stands() -> None:
    follower = PathFollower(PARAMETERS)
    place = np.array([1.0, 2.0])
    assert follower.command(path(0.0, 0.0), place, 0.3, standing=True) == WalkCommand()
    assert follower.command(path(0.05, 0.0), place, 0.3, standing=True) == WalkCommand()
    assert follower.command(path(1.0, 0.0), place, 0.3, standing=True) != WalkCommand()
    assert follower.command(None, place, 0.3, standing=False) == WalkCommand()
    # And the way that was left is not gone later.
    assert follower.command(path(0.0, 0.0), place, 0.3, standing=True) == WalkCommand()


def test_both_feet_go_apart_by_the_same_where_the_place_counts() -> None:
    near, wide = PARAMETERS.foot_spacing, PARAMETERS.stance_spacing
    for both in (False, True):
        spacing = StepSpacing(PARAMETERS)
        spacing.both = both
        spacing.start()
        left = Foothold(np.array([0.0, 0.5 * near]), 0.0, LEFT)
        right = Foothold(np.array([0.0, -0.5 * near]), 0.0, RIGHT)
        old, new, done, lasts = left, right, False, []
        while not done:
            done = spacing.landed(old, new, stay=True)
            if not done:
                lasts.append(spacing.last)
                aside = spacing.of(PARAMETERS).foot_spacing * (
                    1 if new is right else -1
                )
                old, new = new, Foothold(new.p + [0.0, aside], 0.0, old.foot)
                left, right = (new, old) if new.foot == LEFT else (old, new)
        assert left.p[1] - right.p[1] == pytest.approx(wide)
        middle = 0.5 * (left.p[1] + right.p[1])
        off = 0.0 if both else 0.5 * (wide - near)
        assert abs(middle) == pytest.approx(off, abs=1e-12)
        assert lasts == ([False, True] if both else [True])
