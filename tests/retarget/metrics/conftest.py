"""A standing person, Human66 and simple motions of both."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array, angular_velocities
from telexist.robots.description.robot_model import load_body


@pytest.fixture(scope="session")
def human66() -> RobotBody:
    return load_body("human66")


@pytest.fixture(scope="session")
def make_clip() -> Callable[[Array, Array], HumanClip]:
    """Return a builder of clips from times (t,) and rotations (t, 23, 3, 3)."""

    def build(time: Array, rotations: Array) -> HumanClip:
        size = adult_size()
        pelvis = np.tile(size.joints["Pelvis"], (len(time), 1))
        return HumanClip(
            name="made",
            source="test",
            time=time,
            rotations=rotations,
            angular_velocities=angular_velocities(rotations, time),
            positions=size.positions(rotations, pelvis),
            linear_velocities=np.zeros((len(time), len(SEGMENTS), 3)),
            size=size,
        )

    return build


@pytest.fixture(scope="session")
def still() -> Callable[[RobotBody, Array], RobotMotion]:
    """Return a builder of motions in which a robot keeps its neutral posture."""

    def build(body: RobotBody, time: Array) -> RobotMotion:
        t = len(time)
        return RobotMotion(
            robot=body.name,
            source="test",
            time=time,
            joint_names=body.kinematics.joints,
            joint_positions=np.tile(body.neutral.q, (t, 1)),
            joint_velocities=np.zeros((t, body.kinematics.n)),
            base_position=np.tile(body.neutral.world_p_base, (t, 1)),
            base_rotation=np.tile(body.neutral.world_R_base, (t, 1, 1)),
            contact_left=np.ones(t, dtype=bool),
            contact_right=np.ones(t, dtype=bool),
        )

    return build
