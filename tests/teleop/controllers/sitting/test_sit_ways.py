"""The ways between sitting and standing, and what the phases wait for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import exp_so3
from telexist.robots.base.interface import RobotState
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel, leg_shape
from telexist.teleop.controllers.parameters.parameters import (
    StandingRobot,
    control_parameters,
)
from telexist.teleop.controllers.sitting.sit_felt import SitFelt, feel_seat
from telexist.teleop.controllers.sitting.sit_phase import FULL_LOAD, SitPhase, SitState
from telexist.teleop.controllers.sitting.sit_phases import (
    Landing,
    Leaning,
    LeaningBack,
    Lifting,
    Loading,
    Lowering,
    Rising,
    Seated,
)
from telexist.teleop.controllers.sitting.sit_progress import SitProgress
from telexist.teleop.controllers.sitting.sit_way import SitWays, find_ways
from telexist.teleop.controllers.terms import AppliedForces
from telexist.teleop.controllers.terms.measured import measure

DT = 0.01  # [s]
NOBODY = np.zeros(3)
OVER = SitFelt(feet=1.0, seat=0.0, hands=NOBODY, up=0.0, over=0.05)
SITS = SitFelt(feet=0.3, seat=0.7, hands=NOBODY, up=0.0, over=-0.05)


@pytest.fixture(scope="module")
def icub(robot_of: Callable[[str], RobotModel]) -> tuple[DynamicsModel, StandingRobot]:
    model = DynamicsModel(robot_of("icub"), thighs=True)
    return model, control_parameters(model)


def ways_of(model: DynamicsModel, standing: StandingRobot, **more: float) -> SitWays:
    height = leg_shape(model.robot.body).seat_height
    times = {"lean_time": 2.0, "rise_time": 3.0}
    return find_ways(model, standing.posture, height, **(times | more))


@pytest.fixture
def state(icub: tuple[DynamicsModel, StandingRobot]) -> SitState:
    model, standing = icub
    p = standing.parameters.sitting
    return SitState(p, ways_of(model, standing), model.mass, 0.5)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_ways_join_end_where_the_robot_stands_and_keep_its_limits(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model = DynamicsModel(robot_of(name), thighs=True)
    standing = control_parameters(model)
    ways = ways_of(model, standing)
    end, start = ways.lean.at(9.0), ways.rise.at(0.0)
    np.testing.assert_allclose(end.com.x, start.com.x, atol=5e-4)
    np.testing.assert_allclose(end.q[0], start.q[0], atol=2e-3)
    np.testing.assert_allclose(ways.rise.at(9.0).q[0], standing.posture.q, atol=1e-9)
    half = 0.5 * min(s.length for s in model.robot.body.soles.values())
    assert abs(start.com.x[0]) < 0.61 * half  # over the feet when it leaves the seat
    body = model.robot.body
    for psi in np.linspace(0.0, 3.0, 40):
        q = ways.rise.at(psi).q[0]
        assert np.all(q > body.lower - 1e-6)
        assert np.all(q < body.upper + 1e-6)


def test_a_ways_postures_have_the_centre_of_mass_that_it_says(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    """The dynamics, with the base anywhere, as the witness; soles are flat."""
    model, standing = icub
    ways = ways_of(model, standing)
    for way, psi in ((ways.lean, 0.9), (ways.rise, 0.8), (ways.rise, 2.1)):
        point = way.at(psi)
        pose = Configuration(
            world_p_base=np.zeros(3),
            world_R_base=exp_so3(np.array([0.0, point.lean[0], 0.0]))
            @ standing.posture.world_R_base,
            q=point.q[0],
        )
        model.update(_still(pose, model.n))
        com = model.com - model.sole_p.mean(axis=0)
        np.testing.assert_allclose(com, point.com.x, atol=1.5e-3)
        np.testing.assert_allclose(model.sole_R[:, 2, 2], 1.0, atol=1e-3)


def test_derivatives_of_a_way_are_those_of_its_values(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    way, h = ways_of(*icub).rise, 1e-5
    for psi in (0.4, 1.5, 2.7):
        before, now, after = (way.at(psi + k * h) for k in (-1, 0, 1))
        slope = (after.com.x - before.com.x) / (2.0 * h)
        np.testing.assert_allclose(now.com.dx, slope, atol=1e-6)
        bend = (after.com.dx - before.com.dx) / (2.0 * h)
        np.testing.assert_allclose(now.com.d2x, bend, atol=1e-5)
        slope = (after.q[0] - before.q[0]) / (2.0 * h)
        np.testing.assert_allclose(now.q[1], slope, atol=1e-6)
    back = way.backward()
    np.testing.assert_allclose(back.at(1.0).com.x, way.at(2.0).com.x, atol=1e-12)
    np.testing.assert_allclose(back.at(1.0).com.dx, -way.at(2.0).com.dx, atol=1e-9)


def test_a_weight_that_is_asked_far_behind_is_there_when_it_leaves_the_seat(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    ways = ways_of(*icub, behind=0.08)
    assert ways.rise.at(0.0).com.x[0] == pytest.approx(-0.08, abs=1e-3)
    assert ways.rise.at(3.0).com.x[0] == pytest.approx(0.0, abs=1e-3)


def test_a_seat_that_is_too_high_is_refused(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    model, standing = icub
    with pytest.raises(BadInput, match="too high"):
        find_ways(model, standing.posture, 0.6, lean_time=2.0, rise_time=3.0)


def test_help_along_a_way_makes_it_faster_and_nothing_else_does(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    model, standing = icub
    ways, p = ways_of(model, standing), standing.parameters.sitting

    def took(force: np.ndarray) -> float:
        progress = SitProgress(ways.rise, p, model.mass)
        x, v, time = ways.rise.at(0.0).com.x, np.zeros(3), 0.0
        while not progress.done and time < 5.0:
            aim = progress.step(x, v, force, DT)
            v = v + DT * aim.com_acc
            x, time = x + DT * v, time + DT
        return time

    assert took(np.zeros(3)) == pytest.approx(3.0, abs=0.02)
    assert took(np.array([0.0, 0.0, -40.0])) == pytest.approx(3.0, abs=0.02)
    assert took(np.array([0.0, 40.0, 0.0])) == pytest.approx(3.0, abs=0.02)
    helped = took(np.array([0.0, 0.0, 40.0]))
    assert helped < 2.2
    assert took(np.array([0.0, 0.0, 80.0])) < helped


def go(phase: SitPhase, felt: SitFelt, duration: float) -> SitPhase:
    """Go on, the body on its way, until the phase has another one follow."""
    for _ in range(round(duration / DT)):
        phase.time += DT
        following = phase.next(felt)
        if following is not None:
            following.start()
            return following
        aim = phase.step(felt, DT)
        phase.state.com = aim.goal
    return phase


def begun(phase: SitPhase) -> SitPhase:
    phase.start()
    return phase


def test_it_stands_up_as_forces_tell(state: SitState) -> None:
    phase = begun(Seated(state))
    assert go(phase, SITS, 1.0) is phase  # nobody asked
    state.wanted = "up"
    phase = go(phase, SITS, 0.1)
    assert isinstance(phase, Leaning)
    assert go(phase, SITS, 3.0) is phase  # the feet carry too little
    phase = go(phase, OVER, 3.0)
    assert isinstance(phase, Loading)
    phase = go(phase, OVER, 3.0)
    assert isinstance(phase, Rising)
    assert state.thigh_load < 0.1 * FULL_LOAD
    assert go(phase, replace(OVER, up=0.1), 3.1) is phase
    assert phase.standing


def test_with_a_partner_it_waits_for_a_pull(state: SitState) -> None:
    state.wanted, state.partner = "up", True
    phase = begun(Seated(state))
    assert go(phase, SITS, 2.0) is phase
    pulled = replace(SITS, hands=np.array([0.0, 0.0, 15.0]))
    assert isinstance(go(phase, pulled, 0.1), Leaning)


def test_what_does_not_come_about_ends_on_the_seat(state: SitState) -> None:
    state.wanted = "up"
    phase = begun(Leaning(state))
    back = go(phase, SITS, 10.0)
    assert isinstance(back, Landing)
    assert isinstance(go(back, SITS, 1.0), LeaningBack)
    state.wanted = "up"
    stuck = go(begun(Rising(state)), OVER, 3.0)  # its thighs stay on the seat
    assert isinstance(stuck, Lowering)
    assert any("does not come off" in text for text in state.told)
    astray = go(begun(Loading(state)), replace(OVER, over=-0.02), 1.0)
    assert isinstance(astray, Landing)


def test_it_sits_down_the_same_way_and_up_again_if_there_is_no_seat(
    state: SitState,
) -> None:
    state.wanted, state.thigh_load = "down", 0.0
    phase = go(begun(Lowering(state, np.inf)), replace(OVER, up=0.1), 4.0)
    assert isinstance(phase, Landing)
    assert state.thigh_load == 0.0
    touched = go(phase, replace(OVER, seat=0.1), 1.0)
    assert isinstance(touched, LeaningBack)
    assert state.thigh_load == pytest.approx(FULL_LOAD)
    assert isinstance(go(touched, SITS, 3.0), Seated)
    sunk = go(begun(Landing(state)), replace(OVER, up=-0.05), 1.0)
    assert isinstance(sunk, Lifting)
    assert any("no seat" in text for text in state.told)


def test_what_the_thighs_may_carry_never_jumps_where_it_matters(
    state: SitState,
) -> None:
    loads = []
    for goal in (0.0, FULL_LOAD, 0.0):
        for _ in range(60):
            state.load_thighs(goal, DT)
            loads.append(state.thigh_load)
    steps = np.abs(np.diff(loads))
    small = np.minimum(loads[1:], loads[:-1]) < 0.45
    assert steps[small].max() < 0.08


def test_loads_are_shares_of_what_the_hands_leave(
    icub: tuple[DynamicsModel, StandingRobot],
) -> None:
    model, standing = icub
    ways = ways_of(model, standing)
    model.update(_still(ways.sitting, model.n))
    weight = model.mass * GRAVITY
    feet = np.zeros((2, 6))
    feet[:, 2] = 0.15 * weight
    reading = RobotState(
        stamp=0.0,
        q=ways.sitting.q,
        dq=np.zeros(model.n),
        tau=np.zeros(model.n),
        imu_acceleration=np.zeros(3),
        imu_angular_velocity=np.zeros(3),
        imu_world_R_base=np.eye(3),
        foot_wrenches=feet,
    )
    seen = measure(model, feet, standing.parameters.omega)

    def felt(state: RobotState, known: AppliedForces | None = None) -> SitFelt:
        return feel_seat(state, seen, model, known, ways.seat_height)

    assert felt(reading).feet == pytest.approx(0.3)
    assert felt(reading).seat == pytest.approx(0.7)  # what is left
    assert felt(reading).up == pytest.approx(0.0, abs=1e-3)
    lifted = AppliedForces(
        generalized=np.zeros(6 + model.n),
        force=np.array([0.0, 0.0, 0.4 * weight]),
        moment=np.zeros(3),
    )
    assert felt(reading, lifted).feet == pytest.approx(0.5)
    told = np.zeros((2, 6))
    told[:, 2] = 0.2 * weight
    assert felt(replace(reading, thigh_wrenches=told)).seat == pytest.approx(0.4)
    for nonsense in (np.nan, 1e6):
        lost = replace(reading, thigh_wrenches=np.full((2, 6), nonsense))
        assert felt(lost).seat == pytest.approx(0.7)


def _still(pose: Configuration, n: int) -> BodyState:
    return BodyState(
        world_p_base=pose.world_p_base,
        world_R_base=pose.world_R_base,
        q=pose.q,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=np.zeros(n),
    )
