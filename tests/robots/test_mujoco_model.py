from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from robots.body import Robot
from robots.library import list_robots
from robots.mujoco_model import build_mujoco


@pytest.mark.parametrize("name", list_robots())
def test_every_shipped_robot_compiles_and_stands_at_its_neutral_pose(
    name: str, robot_of: Callable[[str], Robot]
) -> None:
    robot = robot_of(name)
    simulated = build_mujoco(robot)
    model = simulated.model
    data = mujoco.MjData(model)
    neutral = robot.body.neutral
    data.qpos[simulated.qpos_of_joints] = neutral.q
    mujoco.mj_forward(model, data)
    q = data.qpos[7:]
    assert np.array_equal(q, neutral.q[simulated.mujoco_from_body])
    kinematics = robot.body.kinematics
    kinematics.update(neutral)
    for link in set(robot.spec.links.values()):
        place = kinematics.position(kinematics.frame(link))
        assert np.allclose(data.body(link).xpos, place, atol=1e-9)
    for side, geom in simulated.sole_geoms.items():
        bottom = (
            data.geom_xpos[geom]
            - data.geom_xmat[geom].reshape(3, 3)[:, 2] * (model.geom_size[geom, 2])
        )
        assert abs(bottom[2]) < 0.01, side


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_pictures_are_kept_and_weigh_nothing(
    name: str, robot_of: Callable[[str], Robot]
) -> None:
    robot = robot_of(name)
    drawn = build_mujoco(robot, visuals=True)
    assert drawn.model.ngeom > 20
    assert drawn.model.body_subtreemass[0] == pytest.approx(robot.urdf.mass)
    shapes = np.setdiff1d(
        np.arange(drawn.model.ngeom), [drawn.floor_geom, *drawn.sole_geoms.values()]
    )
    assert not drawn.model.geom_contype[shapes].any()


def test_the_head_camera_looks_ahead(robot_of: Callable[[str], Robot]) -> None:
    for name in ("icub", "g1", "talos"):
        simulated = build_mujoco(robot_of(name))
        data = mujoco.MjData(simulated.model)
        neutral = simulated.robot.body.neutral
        data.qpos[simulated.qpos_of_joints] = neutral.q
        mujoco.mj_forward(simulated.model, data)
        axes = data.cam("head").xmat.reshape(3, 3)
        assert np.allclose(-axes[:, 2], [1.0, 0.0, 0.0], atol=1e-6)
