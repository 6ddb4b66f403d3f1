"""When a step counts as taken though its foot feels nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.parameters.walking_parameters import (
    WalkingParameters,
)
from telexist.teleop.controllers.terms.measured import Measured
from telexist.teleop.controllers.walking.double_support import DoubleSupport
from telexist.teleop.controllers.walking.single_support import SingleSupport
from telexist.teleop.controllers.walking.walking import Walking
from telexist.teleop.terms.walk_command import WalkCommand

DT = 0.005  # [s]
USUAL = WalkingParameters()


def lateness(walking: Walking, measured: Measured) -> float:
    """Take one step with a foot that stays where it is; return when it counts [s]."""
    command = WalkCommand(vx=0.1)
    walking.start(measured, command, yaw=0.0, held=measured.dcm)
    late, steps = 0.0, 0
    while not isinstance(phase := walking.phase, DoubleSupport):
        walking.step(measured, command, DT)
        if isinstance(phase, SingleSupport) and phase.swing.phase >= 1.0:
            late += DT
        steps += 1
        assert steps < 2000
    return late


@pytest.mark.parametrize(("over", "share"), [(0.0, 1.0), (0.05, USUAL.far_patience)])
def test_a_foot_in_the_air_is_waited_for_longer(
    over: float, share: float, robot_of: Callable[[str], RobotModel], measured: Callable
) -> None:
    """The robot is at rest on its left foot; its right foot feels nothing."""
    robot = robot_of("g1")
    parameters = control_parameters(DynamicsModel(robot)).parameters
    soles = robot.body.soles["left"], robot.body.soles["right"]
    walking, spacing = Walking(parameters, soles), parameters.foot_spacing
    seen = measured(
        com=np.array([0.0, 0.0, parameters.com_height]),
        dcm=np.full(2, 1e-3),
        sole_p=np.array([[0.0, 0.0, 0.0], [0.0, -spacing, over]]),
        load=np.array([1.0, 0.0]),
    )
    assert lateness(walking, seen) == pytest.approx(share * USUAL.latest, abs=3 * DT)
