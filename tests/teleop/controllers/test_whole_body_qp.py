from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from robots.body import Robot
from robots.dynamics_model import BodyState, DynamicsModel
from teleop.controllers.contact_cone import contact_cone
from teleop.controllers.parameters import control_parameters
from teleop.controllers.whole_body_qp import WholeBodyQp
from teleop.controllers.whole_body_tasks import FootTask, WholeBodyTasks

SMALL = 1e-5  # of body weight, and of efforts: the solver's own tolerance


def standing(robot: Robot) -> tuple[DynamicsModel, WholeBodyQp, BodyState]:
    model = DynamicsModel(robot)
    posture = control_parameters(model).posture
    state = BodyState(
        world_p_base=posture.world_p_base,
        world_R_base=posture.world_R_base,
        q=posture.q,
        world_v_base=np.zeros(3),
        world_w_base=np.zeros(3),
        dq=np.zeros(model.n),
    )
    model.update(state)
    return model, WholeBodyQp(model), state


def at_rest(model: DynamicsModel, **changes: object) -> WholeBodyTasks:
    values: dict[str, object] = {
        "com_acc": np.zeros(3),
        "angular_rate": np.zeros(3),
        "zmp": np.array([*model.com[:2], 0.0]),
        "feet": (FootTask(), FootTask()),
        "base_acc": np.zeros(3),
        "joint_acc": np.zeros(model.n),
        "joint_weight": np.full(model.n, 0.1),
    }
    return WholeBodyTasks(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_at_rest_the_soles_carry_the_weight(
    name: str, robot_of: Callable[[str], Robot]
) -> None:
    model, qp, state = standing(robot_of(name))
    answer = qp.solve(at_rest(model), state.q, state.dq)
    assert answer.fallback == ""
    assert answer.wrenches[:, 2].sum() == pytest.approx(qp.weight, rel=1e-3)
    assert np.abs(answer.dnu).max() < 0.05


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_the_answer_obeys_dynamics_cones_and_efforts(
    name: str, robot_of: Callable[[str], Robot]
) -> None:
    model, qp, state = standing(robot_of(name))
    rng = np.random.default_rng(3)
    for _ in range(20):
        tasks = at_rest(
            model,
            com_acc=rng.normal(scale=3.0, size=3),
            joint_acc=rng.normal(scale=20.0, size=model.n),
            base_acc=rng.normal(scale=5.0, size=3),
        )
        answer = qp.solve(tasks, state.q, state.dq)
        assert answer.fallback == ""
        forces = sum(
            model.jacobian(frame).T @ f
            for frame, f in zip(model.sole_frames(), answer.wrenches, strict=True)
        )
        left = model.M @ answer.dnu + model.h - forces
        left[6:] -= answer.tau
        assert np.abs(left).max() < SMALL * qp.weight
        assert (np.abs(answer.tau) <= model.actuators.effort).all()
        for side, frame, f in zip(
            model.sides, model.sole_frames(), answer.wrenches, strict=True
        ):
            R = model.rotation(frame)
            local = np.concatenate([R.T @ f[:3], R.T @ f[3:]])
            cone = contact_cone(model.robot.body.soles[side], share=tasks.sole_share)
            assert (cone @ local).max() < SMALL * qp.weight


def test_a_lifted_foot_carries_nothing(robot_of: Callable[[str], Robot]) -> None:
    model, qp, state = standing(robot_of("g1"))
    feet = (FootTask(), FootTask(load=0.0, acc=np.array([0.0, 0, 2.0, 0, 0, 0])))
    answer = qp.solve(at_rest(model, feet=feet), state.q, state.dq)
    assert np.abs(answer.wrenches[1]).max() < SMALL * qp.weight


def test_without_an_answer_torques_are_held_and_damped(
    robot_of: Callable[[str], Robot],
) -> None:
    model, qp, state = standing(robot_of("g1"))
    before = qp.solve(at_rest(model), state.q, state.dq).tau
    model.h[:] = np.nan
    answer = qp.solve(at_rest(model), state.q, state.dq)
    assert answer.fallback == "held"
    assert qp.failures == 1
    assert np.allclose(answer.tau, before)


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_limits_that_contradict_each_other_are_left_out_and_torques_cut(
    name: str, robot_of: Callable[[str], Robot]
) -> None:
    """Joints so fast that no drive stops them in time: brakes against efforts."""
    model, qp, state = standing(robot_of(name))
    dq = np.full(model.n, 100.0)
    answer = qp.solve(at_rest(model), state.q, dq)
    assert answer.fallback == "limits left out"
    assert qp.failures == 1
    assert (np.abs(answer.tau) <= model.actuators.effort).all()
    assert answer.wrenches[:, 2].sum() == pytest.approx(qp.weight, rel=1e-2)
    assert qp.solve(at_rest(model), state.q, state.dq).fallback == ""
    assert qp.failures == 1


def test_joints_brake_before_their_limits(robot_of: Callable[[str], Robot]) -> None:
    model, qp, state = standing(robot_of("g1"))
    body = model.robot.body
    q, elbow = state.q.copy(), model.joints.index("left_elbow_joint")
    q[elbow] = body.upper[elbow] - 0.01
    dq = np.zeros(model.n)
    dq[elbow] = 2.0
    joint_acc = np.zeros(model.n)
    joint_acc[elbow] = 100.0
    answer = qp.solve(at_rest(model, joint_acc=joint_acc), q, dq)
    assert answer.dnu[6 + elbow] < 0.0


def test_a_foot_in_the_air_rises_though_its_ankle_cannot_keep_it_level(
    robot_of: Callable[[str], Robot],
) -> None:
    """With the ankle at its limit, level and up contradict each other: up wins."""
    model, qp, state = standing(robot_of("icub"))
    tilted, ankle = state.q.copy(), model.joints.index("r_ankle_pitch")
    tilted[ankle] = model.robot.body.lower[ankle]
    up = np.array([0.0, 0.0, 5.0, 0.0, -20.0, 0.0])
    feet = (FootTask(), FootTask(load=0.0, acc=up))

    def rise(q: np.ndarray) -> float:
        answer = qp.solve(at_rest(model, feet=feet), q, state.dq)
        return float(model.sole_J[1, 2] @ answer.dnu + model.sole_bias[1, 2])

    assert rise(tilted) > 0.8 * rise(state.q)
