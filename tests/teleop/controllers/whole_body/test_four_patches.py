"""The program with soles and thighs: the same laws, as many patches as touch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics import (
    BodyState,
    DynamicsModel,
    PlantedLegs,
    leg_shape,
    sitting_posture,
)
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.terms.contact_cone import contact_cone
from telexist.teleop.controllers.terms.whole_body_tasks import FootTask, WholeBodyTasks
from telexist.teleop.controllers.whole_body.whole_body_qp import WholeBodyQp

SEATED = (FootTask(), FootTask())


def sitting(
    robot: RobotModel, *, thighs: bool = True
) -> tuple[DynamicsModel, BodyState]:
    model = DynamicsModel(robot, thighs=thighs)
    standing = control_parameters(DynamicsModel(robot)).posture
    legs = PlantedLegs(robot, standing)
    posture = sitting_posture(legs, leg_shape(robot.body).seat_height)
    rng = np.random.default_rng(4)
    state = BodyState(
        world_p_base=posture.world_p_base,
        world_R_base=posture.world_R_base,
        q=posture.q,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=rng.normal(scale=0.1, size=model.n),
    )
    model.update(state)
    return model, state


def at_rest(model: DynamicsModel, **changes: object) -> WholeBodyTasks:
    values: dict[str, object] = {
        "com_acc": np.zeros(3),
        "angular_rate": np.zeros(3),
        "feet": (FootTask(), FootTask()),
        "base_acc": np.zeros(3),
        "joint_acc": np.zeros(model.n),
        "joint_weight": np.full(model.n, 0.1),
        "thighs": SEATED,
    }
    return WholeBodyTasks(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["icub", "g1"])
def test_forces_at_feet_and_seat_move_the_robot_as_the_program_says(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model, state = sitting(robot_of(name))
    qp = WholeBodyQp(model)
    solution = qp.solve(at_rest(model), state.q, state.dq)
    assert not solution.fallback
    wrenches = np.vstack([solution.wrenches, solution.thighs])
    tau = np.concatenate([np.zeros(6), solution.tau])
    pushed = np.einsum("kij,ki->j", model.contact_J, wrenches)
    residual = model.M @ solution.dnu + model.h - tau - pushed
    assert np.abs(residual).max() < 1e-6 * qp.weight
    assert solution.thighs[:, 2].min() > 0.05 * qp.weight
    assert wrenches[:, 2].sum() == pytest.approx(qp.weight, rel=0.01)
    for patch, R, wrench in zip(model.patches, model.contact_R, wrenches, strict=True):
        inside = contact_cone(patch, share=0.9) @ np.kron(np.eye(2), R.T) @ wrench
        assert inside.max() < 1e-5 * qp.weight


def test_thighs_carry_no_more_than_they_may(
    robot_of: Callable[[str], RobotModel],
) -> None:
    model, state = sitting(robot_of("icub"))
    qp = WholeBodyQp(model)
    free = qp.solve(at_rest(model), state.q, state.dq)
    least = FootTask(load=0.02)
    bound = qp.solve(at_rest(model, thighs=(least, least)), state.q, state.dq)
    assert free.thighs[:, 2].min() > 0.1 * qp.weight
    assert bound.thighs[:, 2].max() < 0.0201 * qp.weight


def test_a_load_that_fades_leaves_without_a_jump(
    robot_of: Callable[[str], RobotModel],
) -> None:
    """From a bound of next to nothing to no patch at all: nearly the same torques."""
    model, state = sitting(robot_of("icub"))
    qp, still = WholeBodyQp(model), np.zeros(model.n)
    tasks = at_rest(model, com_acc=np.array([-1.0, 0.0, 0.0]))
    tasks.weights.seat = 1.0  # where no seat is felt thighs may move
    last = FootTask(load=1e-4)
    tasks.thighs = (last, last)
    before = qp.solve(tasks, state.q, still)
    tasks.thighs = ()
    after = qp.solve(tasks, state.q, still)
    effort = model.actuators.effort
    assert np.abs((after.tau - before.tau) / effort).max() < 0.05
    assert not after.thighs.any()


def test_soles_alone_are_the_same_program_whether_thighs_could_touch_or_not(
    robot_of: Callable[[str], RobotModel],
) -> None:
    answers = []
    for thighs in (False, True):
        model, state = sitting(robot_of("talos"), thighs=thighs)
        qp = WholeBodyQp(model)
        if thighs:  # what was solved before leaves no trace
            qp.solve(at_rest(model), state.q, state.dq)
        answers.append(qp.solve(at_rest(model, thighs=()), state.q, state.dq))
    without, beside = answers
    np.testing.assert_array_equal(without.tau, beside.tau)
    np.testing.assert_array_equal(without.wrenches, beside.wrenches)


def test_thighs_move_as_their_jacobians_say(
    robot_of: Callable[[str], RobotModel],
) -> None:
    model, state = sitting(robot_of("g1"))
    J, bias = model.contact_J[2:].copy(), model.contact_bias[2:].copy()
    v, p = model.contact_v[2:].copy(), model.contact_p[2:].copy()
    np.testing.assert_allclose(J @ state.nu, v, atol=1e-12)
    dt, n = 1e-6, model.n
    later = BodyState(
        world_p_base=state.world_p_base,
        world_R_base=state.world_R_base,
        q=state.q + dt * state.dq,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=state.dq,
    )
    model.update(later)
    np.testing.assert_allclose((model.contact_p[2:] - p) / dt, v[:, :3], atol=1e-5)
    np.testing.assert_allclose((model.contact_v[2:] - v) / dt, bias, atol=1e-4)
    assert J.shape == (2, 6, 6 + n)
    np.testing.assert_array_equal(model.contact_R[2:, :, 2], [[0.0, 0.0, 1.0]] * 2)
