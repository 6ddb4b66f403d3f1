from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.parameters.parameters import (
    ControlParameters,
    control_parameters,
)
from telexist.teleop.controllers.parameters.walking_parameters import GaitParameters
from telexist.teleop.controllers.stepping.command_ramp import CommandRamp
from telexist.teleop.controllers.stepping.footsteps import clip_command
from telexist.teleop.controllers.stepping.gait import fastest_walk, stoop_at, timed
from telexist.teleop.terms.walk_command import WalkCommand

DT = 0.005  # [s]


def parameters_of(robot: RobotModel) -> ControlParameters:
    return control_parameters(DynamicsModel(robot)).parameters


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_steps_get_longer_then_quicker_and_never_longer_than_legs_reach(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    p = parameters_of(robot_of(name))
    speeds = np.linspace(0.01, fastest_walk(p), 60)
    times = [timed(p, WalkCommand(vx=v)).single_support for v in speeds]
    lengths = [v * (t + p.double_support) for v, t in zip(speeds, times, strict=True)]
    assert np.all(np.diff(times) <= 1e-12) and times[0] == p.single_support
    assert np.all(np.diff(lengths) >= -1e-9)
    assert max(lengths) < 0.9 * p.max_step_length
    assert min(times) > 0.6 * p.single_support
    backwards = timed(p, WalkCommand(vx=-float(speeds[-1])))
    assert backwards.single_support == times[-1]


def test_g1_may_walk_at_more_than_six_tenths_of_a_metre_a_second(
    robot_of: Callable[[str], RobotModel],
) -> None:
    p = parameters_of(robot_of("g1"))
    command, cut = clip_command(WalkCommand(vx=0.6), p)
    assert command.vx == 0.6 and not cut


def test_the_body_goes_down_with_the_speed_where_one_leg_can_carry_it(
    robot_of: Callable[[str], RobotModel],
) -> None:
    strong, weak = parameters_of(robot_of("g1")), parameters_of(robot_of("icub"))
    fast = [stoop_at(strong, WalkCommand(vx=v)) for v in (0.0, 0.2, 0.4, 0.6, 9.0)]
    assert fast[0] == 0.0 and fast == sorted(fast)
    assert fast[-1] == strong.stoop == pytest.approx(0.1 * strong.com_height)
    assert weak.stoop < 0.01 * weak.com_height  # its knees carry no bent leg alone
    assert strong.comfortable_step / strong.max_step_length > 0.8
    assert weak.comfortable_step / weak.max_step_length < 0.65


@pytest.mark.parametrize(
    "asked", [(0.6, 0.0, 0.0), (-0.3, 0.2, 0.5), (0.0, -0.1, -1.0)]
)
def test_a_command_grows_and_fades_at_its_rates(
    asked: tuple[float, float, float],
) -> None:
    ramp, gait = CommandRamp(), GaitParameters()
    goal = WalkCommand(vx=asked[0], vy=asked[1], wz=asked[2])
    for target, rate in ((goal, gait.acceleration), (WalkCommand(), gait.deceleration)):
        before = ramp.value
        for _ in range(2000):
            now = ramp.step(target, DT)
            assert abs(now.vx - before.vx) <= rate * DT + 1e-12
            assert abs(now.vy - before.vy) <= rate * DT + 1e-12
            before = now
        assert ramp.value == target


def test_a_command_that_turns_about_passes_through_rest() -> None:
    ramp = CommandRamp()
    for _ in range(2000):
        ramp.step(WalkCommand(vx=0.4), DT)
    seen = [ramp.step(WalkCommand(vx=-0.4), DT).vx for _ in range(2000)]
    assert 0.0 in seen and seen[-1] == -0.4
    ramp.reset()
    assert ramp.value == WalkCommand()


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_a_stance_holds_half_a_body_weight_for_a_fifth_of_a_second(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    """A pendulum that is answered after 20 ms with the pressure at the soles' edge."""
    robot = robot_of(name)
    p = parameters_of(robot)
    width = max(sole.width for sole in robot.body.soles.values())
    edge, dt = 0.5 * (p.stance_spacing + width), 1e-5
    y = v = farthest = 0.0
    for i in range(round(0.2 / dt)):
        zmp = edge if i * dt > 0.02 else 0.0
        push = 0.5 * p.omega**2 * p.com_height
        v += dt * (p.omega**2 * (y - zmp) + push)
        y += dt * v
        farthest = max(farthest, y + v / p.omega)
    assert 0.95 * edge < farthest < 1.1 * edge
