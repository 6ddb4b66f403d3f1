"""A robot that falls comes to lie on the floor; one that stands feels no difference."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.body_shapes import LOW, PREFIX
from telexist.robots.mujoco.disturbances import Disturbances
from telexist.robots.mujoco.model import build_mujoco
from telexist.robots.mujoco.sensors import NO_NOISE
from telexist.robots.mujoco.simulation import Simulation

THREE = ("icub", "g1", "talos")


def limp(simulation: Simulation, duration: float) -> None:
    """Let it fall with drives that only damp."""
    effort = simulation.mujoco_model.actuators.effort
    zero = np.zeros(simulation.n)
    simulation.set_servos(zero, kp=zero, kd=0.05 * effort)
    simulation.advance(duration)


@pytest.mark.parametrize("slope", [0.0, 0.1])
@pytest.mark.parametrize("name", THREE)
def test_a_limp_robot_comes_to_rest_on_the_floor(
    name: str, slope: float, robot_of: Callable[[str], RobotModel]
) -> None:
    disturbances = Disturbances(slope=slope)
    simulation = Simulation(
        build_mujoco(robot_of(name)), noise=NO_NOISE, disturbances=disturbances
    )
    begin = simulation.centre_of_mass()[2]
    for _ in range(600):
        limp(simulation, 0.005)
    normal = disturbances.world_R_floor[:, 2]
    height = float(normal @ simulation.centre_of_mass())
    assert 0.02 < height < 0.5 * begin
    weight = simulation.model.body_subtreemass[0] * 9.81
    # What is left would lift it by less than a centimetre.
    assert simulation.kinetic_energy() < 0.01 * weight


@pytest.mark.parametrize("name", THREE)
def test_shapes_weigh_nothing_and_are_no_larger_than_the_robot(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model = build_mujoco(robot).model
    shapes = [i for i in range(model.ngeom) if model.geom(i).name.startswith(PREFIX)]
    assert len(shapes) > 10
    assert model.body_subtreemass[0] == pytest.approx(robot.urdf.mass)
    assert model.geom_size[shapes].max() < 0.3 * robot.body.leg_length
    feet = {sole.link for sole in robot.body.soles.values()}
    assert not feet & {model.body(model.geom_bodyid[i]).name for i in shapes}


def test_links_touch_only_while_the_base_is_low(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1")
    simulation = Simulation(build_mujoco(robot), noise=NO_NOISE)
    simulation.advance(0.005)
    model, data = simulation.model, simulation.data
    plain = np.array(model.geom_conaffinity), np.array(model.geom_contype)
    data.qpos[2] *= 0.5 * LOW
    mujoco.mj_forward(model, data)
    simulation.advance(0.005)
    assert not np.array_equal(model.geom_conaffinity, plain[0])
    simulation.place(robot.body.neutral)
    simulation.advance(0.005)
    assert np.array_equal(model.geom_conaffinity, plain[0])
    assert np.array_equal(model.geom_contype, plain[1])
