"""Motions of iCub whose end is known: it stands, or it lifts a foot without leaning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.kinematics import Configuration
from telexist.retarget.signals import RobotMotion
from telexist.robots.description.robot_model import RobotModel, load_robot
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.parameters import control_parameters

RATE = 50.0  # [Hz]


@pytest.fixture(scope="session")
def icub() -> RobotModel:
    return load_robot("icub")


@pytest.fixture(scope="session")
def ready(icub: RobotModel) -> Configuration:
    return control_parameters(DynamicsModel(icub)).posture


@pytest.fixture(scope="session")
def motion_of(
    icub: RobotModel, ready: Configuration
) -> Callable[[float, dict[str, float], bool], RobotMotion]:
    """Return a maker: standing ready, then joints that move by so much, and back."""

    def make(
        length: float, moves: dict[str, float], left_planted: bool = True
    ) -> RobotMotion:
        time = np.arange(0.0, length, 1.0 / RATE)
        share = np.sin(np.pi * np.clip((time - 0.3) / (length - 0.3), 0.0, 1.0)) ** 2
        q = np.tile(ready.q, (len(time), 1))
        for joint, by in moves.items():
            q[:, icub.body.kinematics.index(joint)] += by * share
        planted = np.ones(len(time), dtype=bool)
        return RobotMotion(
            robot="icub",
            source="made",
            time=time,
            joint_names=icub.body.kinematics.joints,
            joint_positions=q,
            joint_velocities=np.gradient(q, time, axis=0),
            base_position=np.tile(ready.world_p_base, (len(time), 1)),
            base_rotation=np.tile(ready.world_R_base, (len(time), 1, 1)),
            contact_left=planted if left_planted else share < 0.01,
            contact_right=planted,
        )

    return make
