"""What the hands feel is in the balance: against statics, and with a pulled robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.drives.actuators import GRAVITY
from telexist.robots.mujoco.push import Push
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.sensing.hand_forces import HandForces

USUAL = SensingParameters()
EXACT = 1e-9  # [m]: one sum against another
TOGETHER = (20.0, 0.0, 20.0)  # [N] on each hand; without knowing it the robots fall


def pulled(force: tuple[float, float, float], hand: str, duration: float) -> Push:
    wrench = np.array([*force, 0.0, 0.0, 0.0])
    return Push(
        world_f=wrench, start=0.5, duration=duration, hand=hand, ramp=0.8, turns=True
    )


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_the_shift_is_where_statics_has_the_floor_press(
    name: str, world: Callable[..., object]
) -> None:
    w = world(name)
    model, state = w.controller.model, w.simulation.true_reading()
    at_rest = w.simulation.true_state()
    model.update(at_rest)
    rng = np.random.default_rng(5)
    for _ in range(5):
        wrenches = rng.normal(size=(2, 6)) * ([20.0] * 3 + [1.0] * 3)
        hands = HandForces(model)
        hands.step(replace(state, hand_wrenches=wrenches))
        known = hands.known
        assert known is not None
        # At rest the floor holds what is left of the base's six equations.
        base = model.h[:6] - known.generalized[:6]
        floor, origin = model.sole_p[:, 2].min(), at_rest.world_p_base
        force, moment = base[:3], base[3:] + np.cross(origin, base[:3])
        place = np.array(
            [
                (floor * force[0] - moment[1]) / force[2],
                (floor * force[1] + moment[0]) / force[2],
            ]
        )
        np.testing.assert_allclose(model.com[:2] + hands.shift, place, atol=EXACT)


def test_noise_changes_nothing_and_impossible_readings_are_refused(
    world: Callable[..., object],
) -> None:
    w = world()
    hands, state = HandForces(w.controller.model), w.simulation.true_reading()
    for felt in (None, np.full((2, 6), 0.5 * USUAL.hand_least / np.sqrt(3.0))):
        hands.step(replace(state, hand_wrenches=felt))
        assert hands.known is None
        assert not hands.shift.any()
    for bad in (np.nan, np.inf, 1e6):
        wrenches = np.zeros((2, 6))
        wrenches[1, 0] = bad
        hands.step(replace(state, hand_wrenches=wrenches))
        assert hands.known is None
        assert hands.refused.tolist() == [False, True]


def test_a_robot_that_nobody_touches_does_the_very_same(
    world: Callable[..., object],
) -> None:
    with_sensors, without = world(), world()
    read = without.simulation.read_state
    without.simulation.read_state = lambda: replace(read(), hand_wrenches=None)
    for w in (with_sensors, without):
        w.run(1.0)
    assert np.array_equal(with_sensors.tau, without.tau)


@pytest.mark.slow
def test_an_estimate_counts_as_far_as_its_deviation_lets_it(
    world: Callable[..., object],
) -> None:
    w = world()
    hands, state = HandForces(w.controller.model), w.simulation.true_reading()
    wrenches, doubts = np.zeros((2, 6)), np.zeros((2, 6))
    wrenches[0, :3] = [0.0, 8.0, 0.0]
    for doubt, counts in ((0.1, True), (1.9, True), (4.1, False)):
        doubts[0, :3] = [50.0, doubt, 50.0]  # only along the force it matters
        hands.step(replace(state, hand_wrenches=wrenches, hand_deviations=doubts))
        assert (hands.known is not None) == counts


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_both_hands_pulled_do_not_throw_it(
    name: str, world: Callable[..., object]
) -> None:
    w = world(name)
    for hand in ("left", "right"):
        w.simulation.push(pulled(TOGETHER, hand, 10.0))
    w.run(3.0)
    controller, off, arms = w.controller, [], []
    groups = np.array(controller.model.actuators.groups)
    for _ in range(20):
        w.run(0.05)
        assert controller.intent is not None
        wanted = controller.intent.dcm_plan - controller.hands.shift
        off.append(np.linalg.norm(w.simulation.centre_of_mass()[:2] - wanted))
        q = w.simulation.true_state().q - controller.posture.q
        arms.append(np.abs(q[groups == "arms"]).max())
    assert controller.mode == "standing"
    assert not w.events
    assert max(off) < 0.015
    assert max(arms) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("bad", [np.nan, 1e6])
def test_a_sensor_that_breaks_is_told_and_does_not_throw_it(
    bad: float, world: Callable[..., object]
) -> None:
    w = world()
    read = w.simulation.read_state

    def broken() -> object:
        state = read()
        wrenches = np.array(state.hand_wrenches)
        wrenches[0] = bad
        return replace(state, hand_wrenches=wrenches)

    w.simulation.read_state = broken
    w.run(0.5)
    assert w.controller.mode == "standing"
    assert np.isfinite(w.tau).all()
    assert sum("left hand's force" in event for event in w.events) == 1


def test_what_the_dynamics_knows_is_what_pulls(
    robot_of: Callable[[str], RobotModel], world: Callable[..., object]
) -> None:
    """The hand's reading, taken through the controller's model, is the pull itself."""
    w = world()
    w.simulation.push(replace(pulled(TOGETHER, "left", 5.0), ramp=0.0, start=0.0))
    w.run(0.05)
    true = w.simulation.true_reading()
    assert true.hand_wrenches is not None
    hands = HandForces(w.controller.model)
    hands.step(true)
    assert hands.known is not None
    turned = w.simulation.heading()
    ahead = np.array([np.cos(turned), np.sin(turned), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    wanted = TOGETHER[0] * ahead + TOGETHER[2] * up
    weight = w.controller.model.mass * GRAVITY
    np.testing.assert_allclose(hands.known.force, wanted, atol=2e-3 * weight)
