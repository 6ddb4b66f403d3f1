from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.mujoco.push import Push
from telexist.teleop.controllers.base.table import make_controller
from telexist.teleop.controllers.locomotion.balance_controller import BalanceController
from telexist.teleop.controllers.walking.coming_to_rest import ComingToRest
from telexist.teleop.terms.controller_event import ControllerEventKind
from telexist.teleop.terms.walk_command import WalkCommand

FLAT = 0.1  # [rad] of a foot's pitch on a level floor, in a step too
STILL = 0.005  # [m] by which a standing robot may move


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_stands_on_sensors_alone(name: str, world: Callable) -> None:
    w = world(name)
    w.run(1.5)
    start = w.simulation.centre_of_mass()
    w.run(1.0)
    assert w.controller.mode == "standing"
    assert np.abs(w.simulation.centre_of_mass() - start)[:2].max() < STILL
    assert w.controller.qp.failures == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "speed"), [("icub", 0.2), ("g1", 0.3), ("talos", 0.3)]
)
def test_walks_and_comes_to_rest(name: str, speed: float, world: Callable) -> None:
    w = world(name)
    w.run(6.0, walk=WalkCommand(vx=speed))
    assert w.controller.mode == "walking"
    assert w.simulation.centre_of_mass()[0] > 0.5 * speed * 6.0
    w.run(4.0)
    assert w.controller.mode == "standing"
    assert "walk: started" in w.events
    assert "walk: stopped" in w.events


@pytest.mark.slow
def test_a_robot_whose_soles_cannot_roll_walks_turns_and_stops(world: Callable) -> None:
    w = world("h1")
    assert not w.controller.model.soles_roll.any()
    w.run(1.0)
    for command in (WalkCommand(vx=0.2), WalkCommand(wz=0.3), WalkCommand(vx=-0.1)):
        start = w.simulation.centre_of_mass()
        w.run(4.0, walk=command)
        assert w.controller.mode == "walking"
        travel = w.simulation.centre_of_mass() - start
        assert np.linalg.norm(travel[:2]) > 2.0 * abs(command.vx)
        assert np.abs(w.controller.measured.sole_up[:, :2]).max() < FLAT
        w.run(4.0)
        assert w.controller.mode == "standing"
    assert w.controller.qp.failures == 0


@pytest.mark.slow
@pytest.mark.parametrize("aside", [-0.5, 0.5])
def test_a_robot_whose_soles_cannot_roll_is_caught_by_a_step(
    aside: float, world: Callable
) -> None:
    w = world("h1")
    force = np.array([0.0, aside, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=force, start=1.0, duration=0.2))
    w.run(12.0)
    assert "step: to keep balance" in w.events
    assert w.controller.mode == "standing"


@pytest.mark.slow
@pytest.mark.parametrize("rate", [100.0, 200.0])
def test_g1_walks_six_tenths_of_a_metre_a_second(rate: float, world: Callable) -> None:
    w = world("g1", rate=rate)
    w.run(6.0, walk=WalkCommand(vx=0.6))
    start = w.simulation.centre_of_mass()[0]
    w.run(8.0, walk=WalkCommand(vx=0.6))
    assert w.simulation.centre_of_mass()[0] - start == pytest.approx(0.6 * 8.0, rel=0.1)
    w.run(10.0)
    assert w.controller.mode == "standing"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
@pytest.mark.parametrize("ahead", [-0.15, 0.15])
def test_a_push_that_comes_when_a_walk_ends_is_withstood(
    name: str, ahead: float, world: Callable
) -> None:
    """Walking's pressure stays well inside the soles; standing's does not."""
    w = world(name)
    w.run(3.0, walk=WalkCommand(vx=0.2))
    walking = w.controller._walking
    while not isinstance(walking.phase, ComingToRest):
        w.run(w.controller.period)
    force = np.array([ahead, 0.0, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=force, start=w.simulation.time, duration=0.2))
    w.run(8.0)
    assert w.controller.mode == "standing"


@pytest.mark.slow
@pytest.mark.parametrize("foot", [0, 1])
def test_lifts_a_foot_with_the_operator_and_puts_it_down(
    foot: int, world: Callable
) -> None:
    w = world("icub")
    planted = (foot == 1, foot == 0)
    w.run(4.0, planted=planted)
    load = w.simulation.true_reading().foot_wrenches[:, 2]
    assert load[foot] == 0.0
    assert w.simulation.sole_middles()[foot, 2] > 0.02
    w.run(4.0)
    assert (w.simulation.true_reading().foot_wrenches[:, 2] > 50.0).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("icub", (0.0, 0.2)),
        ("icub", (0.0, -0.5)),
        ("icub", (0.15, 0.0)),
        ("icub", (-0.15, 0.0)),
        ("g1", (0.0, 0.5)),
        ("talos", (0.0, -0.5)),
    ],
)
def test_withstands_a_push_without_a_step(
    name: str, direction: tuple[float, float], world: Callable
) -> None:
    w = world(name)
    weight = w.controller.qp.weight
    force = np.array([*direction, 0.0, 0.0, 0.0, 0.0]) * weight
    w.simulation.push(Push(world_f=force, start=1.0, duration=0.2))
    w.run(4.0)
    assert w.controller.mode == "standing"
    assert not [event for event in w.events if event.startswith("step")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "push"),
    [("icub", (0.3, 0.0)), ("g1", (0.0, -0.6)), ("talos", (0.0, 0.6))],
)
def test_a_step_catches_a_push_that_soles_cannot(
    name: str, push: tuple[float, float], world: Callable
) -> None:
    w = world(name)
    force = np.array([*push, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=force, start=1.0, duration=0.2))
    w.run(8.0)
    assert "step: to keep balance" in w.events
    assert w.controller.mode == "standing"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_a_walk_is_narrow_and_ends_with_the_feet_apart(
    name: str, world: Callable, ahead: WalkCommand
) -> None:
    w = world(name)
    w.run(5.0, walk=ahead)
    p = w.controller.parameters
    feet = w.simulation.sole_middles()
    assert abs(feet[0, 1] - feet[1, 1]) < p.foot_spacing + 0.05
    w.run(6.0)
    assert w.controller.mode == "standing"
    feet = w.simulation.sole_middles()
    apart = np.linalg.norm(feet[0, :2] - feet[1, :2])
    assert apart == pytest.approx(p.stance_spacing, abs=0.06)


def test_a_push_is_seen_in_the_velocity_of_the_base(world: Callable) -> None:
    w = world("icub")
    force = np.array([0.0, 0.4, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=force, start=0.5, duration=0.2))
    w.run(0.5)
    errors, speeds = [], []
    for _ in range(40):
        true = w.simulation.true_reading().world_v_base
        w.run(w.controller.period)
        errors.append(np.abs(w.controller.state.world_v_base - true).max())
        speeds.append(np.abs(true).max())
    assert max(speeds) > 0.2
    assert max(errors) < 0.05


def test_switching_to_walking_makes_no_jump_in_torque(world: Callable) -> None:
    w = world("icub")
    w.run(1.0)
    usual = np.abs(np.diff(w.tau[-100:], axis=0)).max(axis=0)  # what noise does
    before = w.tau[-1]
    w.run(w.controller.period, walk=WalkCommand(vx=0.1))
    assert w.controller.mode == "walking"
    jump = np.abs(w.tau[-1] - before) - usual
    assert (jump / w.controller.model.actuators.effort).max() < 0.03


def planned(w: object, duration: float, **changes: object) -> list[np.ndarray]:
    """Go on and return where the DCM was to be, and the mode, at every step."""
    plans = []
    for _ in range(round(duration / w.controller.period)):  # type: ignore[attr-defined]
        w.run(w.controller.period, **changes)  # type: ignore[attr-defined]
        intent = w.controller.intent  # type: ignore[attr-defined]
        walking = w.controller.mode == "walking"  # type: ignore[attr-defined]
        plans.append(np.array([*intent.dcm_plan, walking]))
    return plans


def jumps_at_switches(plans: list[np.ndarray]) -> np.ndarray:
    """Return how far the plan moved in the steps around each change of mode [m]."""
    rows = np.array(plans)
    moved = np.linalg.norm(np.diff(rows[:, :2], axis=0), axis=1)
    switches = np.flatnonzero(np.diff(rows[:, 2]))
    return np.array([moved[i - 1 : i + 2].max() for i in switches])


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_the_planned_dcm_does_not_jump_when_walking_starts_and_stops(
    name: str, world: Callable
) -> None:
    w = world(name)
    plans = planned(w, 0.5)
    plans += planned(w, 2.5, walk=WalkCommand(vx=0.1))
    plans += planned(w, 4.0)
    jumps = jumps_at_switches(plans)
    assert len(jumps) == 2
    assert jumps.max() < 0.001


@pytest.mark.slow
@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_a_step_from_one_foot_feels_its_landing(name: str, world: Callable) -> None:
    """Pushed off one foot the robot steps; the foot it lands on carries at once."""
    w = world(name)
    planted = (True, False)
    w.run(4.0, planted=planted)
    push = np.array([0.0, -0.15, 0.0, 0.0, 0.0, 0.0]) * w.controller.qp.weight
    w.simulation.push(Push(world_f=push, start=w.simulation.time, duration=0.2))
    w.run(0.2, planted=planted)
    seen = []
    for _ in range(600):
        w.run(w.controller.period)
        if w.controller.mode == "walking":
            true = w.simulation.true_reading().foot_wrenches[:, 2]
            felt = w.controller.measured.load * w.controller.qp.weight
            seen.append((true[1], felt[1]))
    assert w.controller.mode != "fallen"
    true, felt = np.array(seen).T
    carrying = true > 0.3 * w.controller.qp.weight
    assert carrying.any()
    assert np.median(np.abs(felt - true)[carrying]) < 0.1 * w.controller.qp.weight


@pytest.mark.slow
def test_the_planned_dcm_does_not_jump_when_a_lifted_foot_has_just_landed(
    world: Callable,
) -> None:
    w = world("icub")
    w.run(3.5, planted=(True, False))
    assert w.controller.support == 0
    plans = planned(w, 3.0, planted=(True, False), walk=WalkCommand(vx=0.1))
    jumps = jumps_at_switches(plans)
    assert len(jumps) == 1
    assert jumps[0] < 0.001


def test_nan_references_are_replaced_by_the_last_good_ones(world: Callable) -> None:
    w = world("icub")
    n = w.controller.model.n
    w.run(0.5, q=np.full(n, np.nan), dq=np.full(n, np.inf))
    assert w.controller.mode == "standing"
    assert np.isfinite(np.array(w.tau)).all()


def test_impossible_commands_are_cut_and_said(world: Callable) -> None:
    w = world("icub")
    w.run(0.3, walk=WalkCommand(vx=np.inf, vy=-50.0, wz=np.nan))
    assert [event for event in w.events if "cut" in event]
    assert np.isfinite(np.array(w.tau)).all()
    assert w.controller.mode == "walking"


def test_torques_stay_within_the_efforts_whatever_comes(world: Callable) -> None:
    w = world("g1")
    n = w.controller.model.n
    w.run(0.5, q=np.full(n, 1e6), dq=np.full(n, -1e6), ddq=np.full(n, 1e9))
    assert (np.abs(np.array(w.tau)) <= w.controller.model.actuators.effort).all()


def test_readings_that_are_not_finite_end_in_a_soft_fall(world: Callable) -> None:
    w = world("icub")
    w.run(0.1)
    state = replace(w.simulation.read_state(), q=np.full(w.controller.model.n, np.nan))
    command = w.controller.step(state, w.reference(), 0.005)
    assert w.controller.mode == "fallen"
    kinds = [event.kind for event in w.controller.report().events]
    assert kinds == [ControllerEventKind.FALL]
    assert command.tau is not None
    assert np.isfinite(command.tau).all()


def test_falls_softly_and_stands_again_on_request(world: Callable) -> None:
    w = world("icub")
    weight = w.controller.qp.weight
    force = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]) * weight
    w.simulation.push(Push(world_f=force, start=0.2, duration=0.3))
    w.run(2.0)
    assert w.controller.mode == "fallen"
    fall = [event for event in w.events if event.startswith("fall:")]
    assert len(fall) == 1
    w.simulation.reset(w.controller.posture)
    w.controller.reset(w.simulation.read_state())
    w.run(1.0)
    assert w.controller.mode == "standing"


def test_contact_where_there_is_none_does_not_crash(world: Callable) -> None:
    w = world("icub")
    w.run(0.2)
    for _ in range(100):
        state = w.simulation.read_state()
        wrenches = np.zeros((2, 6))
        wrenches[:, 2] = 500.0
        lying = replace(state, foot_wrenches=wrenches)
        command = w.controller.step(lying, w.reference(), 0.005)
        assert command.tau is not None and np.isfinite(command.tau).all()
        w.simulation.set_torques(command.tau)
        w.simulation.advance(0.005)


def test_a_robot_without_feet_is_refused(robot_of: Callable[[str], RobotModel]) -> None:
    with pytest.raises(BadInput, match="feet"):
        make_controller("walk", robot_of("baxter"))


def test_balance_does_not_listen_to_the_walking_command(
    robot_of: Callable[[str], RobotModel], world: Callable
) -> None:
    w = world("icub")
    w.controller = BalanceController(robot_of("icub"))
    w.controller.reset(w.simulation.read_state())
    w.run(0.5, walk=WalkCommand(vx=0.3))
    assert w.controller.mode == "standing"


def test_the_report_has_what_the_page_draws(world: Callable) -> None:
    w = world("icub")
    w.run(0.05)
    values = w.controller.report().values
    assert values["com"].shape == (3,)
    assert values["dcm"].shape == values["zmp"].shape == (2,)
    assert values["support"].shape[1] == 2
    assert values["footsteps"].shape[1] == 4
    assert values["contacts"].shape == (2, 6)
    assert values["world_R_base"].shape == (3, 3)


def test_steps_to_come_are_shown_all_the_time_and_are_taken(world: Callable) -> None:
    w = world("icub")
    w.run(0.5)
    assert len(w.controller.report().values["footsteps"]) == 0
    walking, landed, before = [], [], None
    for _ in range(900):
        w.run(w.controller.period, walk=WalkCommand(vx=0.15))
        footsteps = w.controller.report().values["footsteps"]
        walking.append(len(footsteps))
        feet = footsteps[:, 3]
        assert np.array_equal(feet[1:], 1.0 - feet[:-1])  # left, right, left, ...
        if before is not None and feet[0] != before[3]:  # the foot before has landed
            sole = w.simulation.sole_middles()[int(before[3]), :2]
            landed.append(np.abs(sole - before[:2]).max())
        before = footsteps[0]
    assert min(walking) >= 4
    assert len(landed) >= 3
    assert max(landed) < 0.03
    w.run(6.0)
    assert w.controller.mode == "standing"
    assert len(w.controller.report().values["footsteps"]) == 0


def test_the_floor_that_is_reported_is_where_the_soles_are(world: Callable) -> None:
    w = world("icub")
    w.run(0.3)
    (floor,) = w.controller.report().values["floor"]
    assert floor == pytest.approx(w.controller.measured.sole_p[:, 2].mean())
