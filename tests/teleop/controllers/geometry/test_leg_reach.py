from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.geometry.leg_reach import STRETCH, LegReach
from telexist.teleop.controllers.parameters.parameters import control_parameters

ROBOTS = ["icub", "g1", "talos"]


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("yaw", [0.0, 1.0])
def test_at_its_tallest_a_leg_is_as_long_as_it_may_be(
    name: str, yaw: float, robot_of: Callable[[str], RobotModel]
) -> None:
    """Kinematics of the whole robot, moved over its left foot, is the witness."""
    robot = robot_of(name)
    body = robot.body
    found = control_parameters(DynamicsModel(robot))
    p, posture = found.parameters, found.posture
    reach = LegReach(body, posture, p.com_height)
    turn = exp_so3(np.array([0.0, 0.0, yaw]))
    soles = [turn @ [0.0, side * 0.5 * p.stance_spacing, 0.0] for side in (1, -1)]
    com = soles[0][:2]
    tallest = reach.tallest(com, yaw, np.array(soles), (0, 1))
    assert 0.8 * p.com_height < tallest < p.com_height  # it must go down for it
    assert reach.tallest(com, yaw, np.array(soles), (0,)) > tallest
    moved = turn @ posture.world_p_base + [*com, tallest - p.com_height]
    pose = replace(
        posture, world_p_base=moved, world_R_base=turn @ posture.world_R_base
    )
    body.kinematics.update(pose)
    link, point = body.points["RightUpperLeg"]
    frame = body.kinematics.frame(link)
    hip = body.kinematics.position(frame) + body.kinematics.rotation(frame) @ point
    length = np.linalg.norm(hip - soles[1])
    assert length == pytest.approx(STRETCH * body.leg_length, rel=0.01)


@pytest.mark.parametrize("name", ROBOTS)
def test_standing_ready_is_within_reach(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    found = control_parameters(DynamicsModel(robot))
    half = 0.5 * found.parameters.stance_spacing
    soles = np.array([[0.0, half, 0.0], [0.0, -half, 0.0]])
    reach = LegReach(robot.body, found.posture, found.parameters.com_height)
    tallest = reach.tallest(np.zeros(2), 0.0, soles, (0, 1))
    assert tallest > found.parameters.com_height


def test_feet_out_of_all_reach_give_a_height_all_the_same(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    found = control_parameters(DynamicsModel(robot))
    reach = LegReach(robot.body, found.posture, found.parameters.com_height)
    soles = np.array([[5.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert reach.tallest(np.zeros(2), 0.0, soles, (0, 1)) > 0.0
