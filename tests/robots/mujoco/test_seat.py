"""A seat in the world: who touches it, what it carries, and what stays as it was."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import (
    BodyState,
    DynamicsModel,
    PlantedLegs,
    leg_shape,
    sitting_posture,
    standing_posture,
)
from telexist.robots.mujoco import (
    NO_NOISE,
    Seat,
    Simulation,
    build_mujoco,
    hold_gains,
    seat_for,
)

NAMES = ("icub", "g1", "talos")


def sitting(robot: RobotModel, height: float | None = None) -> Simulation:
    """Return a robot that sits, its joints held by servos."""
    model = DynamicsModel(robot)
    legs = PlantedLegs(robot, standing_posture(model, extension=0.95))
    seat = seat_for(robot.body, height)
    posture = sitting_posture(legs, seat.height)
    simulation = Simulation(build_mujoco(robot, seat=seat), noise=NO_NOISE)
    simulation.reset(posture)
    kp, kd = hold_gains(simulation.mujoco_model.actuators.effort)
    simulation.set_servos(posture.q, kp=kp, kd=kd)
    return simulation


@pytest.mark.parametrize("name", NAMES)
def test_seat_and_floor_carry_a_robot_that_sits(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    simulation = sitting(robot_of(name))
    simulation.advance(0.5)
    state = simulation.true_reading()
    assert state.thigh_wrenches is not None
    weight = float(simulation.model.body_subtreemass[0]) * GRAVITY
    carried = state.thigh_wrenches[:, 2].sum() + state.foot_wrenches[:, 2].sum()
    assert carried == pytest.approx(weight, rel=0.01)
    assert state.thigh_wrenches[:, 2].min() > 0.2 * weight
    # The moments about the centre of mass are in balance: forces act where they say.
    com, data = simulation.centre_of_mass(), simulation.data
    total = np.zeros(3)
    for i, side in enumerate(("left", "right")):
        site = data.site(f"{side}_thigh")
        world_R_thigh = site.xmat.reshape(3, 3)
        f, m = state.thigh_wrenches[i].reshape(2, 3) @ world_R_thigh.T
        total += np.cross(site.xpos - com, f) + m
        sole = data.geom(f"{side}_sole").xmat.reshape(3, 3)
        f, m = state.foot_wrenches[i].reshape(2, 3) @ sole.T
        total += np.cross(simulation.sole_middles()[i] - com, f) + m
    assert np.abs(total).max() < 0.005 * weight  # 5 mm of lever


def test_a_seat_that_nobody_touches_changes_nothing(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    places = []
    for seat in (None, seat_for(robot.body)):
        simulation = Simulation(build_mujoco(robot, seat=seat), seed=3)
        posture = standing_posture(DynamicsModel(robot), extension=0.95)
        simulation.reset(posture)
        kp, kd = hold_gains(simulation.mujoco_model.actuators.effort)
        simulation.set_servos(posture.q, kp=kp, kd=kd)
        simulation.advance(0.3)
        state = simulation.read_state()
        places.append((np.array(simulation.data.qpos), state.dq, state.foot_wrenches))
    for without, beside in zip(*places, strict=True):
        np.testing.assert_array_equal(without, beside)


def test_without_a_seat_nothing_tells_of_thighs(
    robot_of: Callable[[str], RobotModel],
) -> None:
    simulation = Simulation(build_mujoco(robot_of("icub")))
    assert simulation.read_state().thigh_wrenches is None


def test_a_robot_whose_base_is_low_on_a_seat_has_not_fallen(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1")
    simulation = sitting(robot, 0.9 * leg_shape(robot.body).seat_height)
    standing = robot.body.neutral.world_p_base[2]
    assert simulation.true_state().world_p_base[2] < 0.6 * standing  # low elsewhere
    simulation.advance(0.1)
    model = simulation.model
    assert model.geom_contype[model.geom("floor").id] == 1  # links do not touch it


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("higher", [-0.05, 0.0, 0.05])
def test_thighs_lie_on_the_seat_and_soles_on_the_floor(
    name: str, higher: float, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    model = DynamicsModel(robot)
    legs = PlantedLegs(robot, standing_posture(model, extension=0.95))
    height = legs.shape.seat_height + higher * legs.shape.length
    posture = sitting_posture(legs, height, lean=0.2)
    np.testing.assert_allclose(legs.thighs(posture)[:, 2], height, atol=0.002)
    zeros = {name: np.zeros(3) for name in ("world_v_base", "world_w_base")}
    model.update(
        BodyState(
            world_p_base=posture.world_p_base,
            world_R_base=posture.world_R_base,
            q=posture.q,
            dq=np.zeros(model.n),
            **zeros,
        )
    )
    np.testing.assert_allclose(model.sole_p[:, 2], 0.0, atol=1e-3)
    np.testing.assert_allclose(model.sole_R[:, :, 2], [[0.0, 0.0, 1.0]] * 2, atol=1e-3)


@pytest.mark.parametrize(
    ("height", "problem"),
    [(5.0, "too high"), (0.01, "too low"), (np.nan, "too high")],
)
def test_a_seat_that_does_not_fit_is_refused_with_one_that_does(
    height: float, problem: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("icub")
    standing = standing_posture(DynamicsModel(robot), extension=0.95)
    fits = f"{leg_shape(robot.body).seat_height:.2f} m fits"
    with pytest.raises(BadInput, match=f"{problem} for these legs: {fits}"):
        sitting_posture(PlantedLegs(robot, standing), height)


def test_a_seat_without_a_size_is_refused() -> None:
    with pytest.raises(BadInput, match="height above 0"):
        Seat(height=0.0, front=0.0)
    with pytest.raises(BadInput, match="front must be finite"):
        Seat(height=0.4, front=np.nan)


def test_angles_of_legs_are_those_of_the_hips_they_give(
    robot_of: Callable[[str], RobotModel],
) -> None:
    shape = leg_shape(robot_of("talos").body)
    for thigh, shank in ((0.3, 0.2), (1.45, 0.3), (1.7, -0.1)):
        found = shape.angles(shape.hip(thigh, shank))
        np.testing.assert_allclose(found, (thigh, shank), atol=1e-6)
