from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from telexist.robots.description.library import list_robots
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.body_shapes import SMALLEST
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.robot_spec import ROBOT_GROUP


@pytest.mark.parametrize("name", list_robots())
def test_every_shipped_robot_compiles_and_stands_at_its_neutral_pose(
    name: str, robot_of: Callable[[str], RobotModel]
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
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    drawn = build_mujoco(robot, visuals=True)
    assert drawn.model.ngeom > 20
    assert drawn.model.body_subtreemass[0] == pytest.approx(robot.urdf.mass)
    shapes = np.setdiff1d(
        np.arange(drawn.model.ngeom), [drawn.floor_geom, *drawn.sole_geoms.values()]
    )
    assert not drawn.model.geom_contype[shapes].any()


@pytest.mark.parametrize("name", ["h1", "nao", "atlas", "g1", "human66"])
def test_every_heavy_link_is_in_the_picture_and_moves_nothing(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    """With shapes to draw the physics is the same to the last digit."""
    robot = robot_of(name)
    plain, drawn = build_mujoco(robot), build_mujoco(robot, visuals=True)
    model = drawn.model
    shown = (model.geom_group == ROBOT_GROUP) & (model.geom_rbound > 0.0)
    heavy = model.body_mass > SMALLEST * model.body_mass.sum()
    assert heavy.sum() > 10
    assert set(np.flatnonzero(heavy)) <= set(model.geom_bodyid[shown])
    assert not model.geom_contype[shown].any()
    assert not model.geom_conaffinity[shown].any()
    ends = []
    for simulated in (plain, drawn):
        data = mujoco.MjData(simulated.model)
        data.qpos[simulated.qpos_of_joints] = robot.body.neutral.q
        for _ in range(100):
            mujoco.mj_step(simulated.model, data)
        ends.append(np.concatenate([data.qpos, data.qvel]))
    assert (ends[0] == ends[1]).all()


@pytest.mark.parametrize("name", ["h1", "nao", "atlas"])
def test_links_whose_meshes_cannot_be_read_are_drawn_as_they_collide(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model = build_mujoco(robot, visuals=True).model
    for link in (robot.body.soles["left"].link, robot.spec.links["LeftLowerLeg"]):
        body = model.body(link).id
        shapes = (model.geom_bodyid == body) & (model.geom_group == ROBOT_GROUP)
        assert model.geom_rbound[shapes].max() > 0.05 * robot.body.leg_length


def test_the_head_camera_looks_ahead(robot_of: Callable[[str], RobotModel]) -> None:
    for name in ("icub", "g1", "talos"):
        simulated = build_mujoco(robot_of(name))
        data = mujoco.MjData(simulated.model)
        neutral = simulated.robot.body.neutral
        data.qpos[simulated.qpos_of_joints] = neutral.q
        mujoco.mj_forward(simulated.model, data)
        axes = data.cam("head").xmat.reshape(3, 3)
        assert np.allclose(-axes[:, 2], [1.0, 0.0, 0.0], atol=1e-6)
