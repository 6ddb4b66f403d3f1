from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.so3 import exp_so3
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.teleop.controllers.parameters.parameters import control_parameters
from telexist.teleop.controllers.terms.contact_cone import contact_cone
from telexist.teleop.controllers.terms.whole_body_tasks import FootTask, WholeBodyTasks
from telexist.teleop.controllers.whole_body.whole_body_matrices import ROLLING
from telexist.teleop.controllers.whole_body.whole_body_qp import WholeBodyQp

SMALL = 1e-5  # of body weight, and of efforts: the solver's own tolerance


def standing(robot: RobotModel) -> tuple[DynamicsModel, WholeBodyQp, BodyState]:
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
        "feet": (FootTask(), FootTask()),
        "base_acc": np.zeros(3),
        "joint_acc": np.zeros(model.n),
        "joint_weight": np.full(model.n, 0.1),
    }
    return WholeBodyTasks(**(values | changes))  # type: ignore[arg-type]


def leaning(robot: RobotModel) -> tuple[DynamicsModel, WholeBodyQp, BodyState]:
    """Stand as a stiff body that leans aside, turned, and moves."""
    model, qp, state = standing(robot)
    rng = np.random.default_rng(8)
    turn = exp_so3(np.array([0.0, 0.0, 0.7])) @ exp_so3(np.array([0.1, 0.02, 0.0]))
    state = replace(
        state,
        world_R_base=turn @ state.world_R_base,
        world_w_base=rng.normal(scale=0.2, size=3),
        dq=rng.normal(scale=0.2, size=model.n),
    )
    model.update(state)
    return model, qp, state


@pytest.mark.parametrize("name", ["g1", "talos", "h1"])
def test_the_cost_of_accelerations_is_a_sum_of_weighted_squares(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    """Dense matrices as the witness; roll counts little where no ankle makes it."""
    model, qp, state = leaning(robot_of(name))
    rng = np.random.default_rng(9)
    feet = (
        FootTask(acc=rng.normal(size=6)),
        FootTask(load=0.0, acc=rng.normal(size=6)),
    )
    tasks = at_rest(
        model,
        feet=feet,
        base_acc=rng.normal(size=3),
        joint_acc=rng.normal(size=model.n),
    )
    qp.solve(tasks, state.q, state.dq)
    weights, nv = tasks.weights, qp.nv
    base = [0.0, 0.0, 0.0, weights.base, weights.base, weights.base_yaw]
    own = np.concatenate([base, tasks.joint_weight])
    wanted = np.concatenate([np.zeros(3), tasks.base_acc, tasks.joint_acc])
    H, g = np.diag(own + weights.smooth), -own * wanted
    for i, (foot, weight) in enumerate(
        zip(feet, (weights.stance, weights.swing), strict=True)
    ):
        sole_R_world = np.kron(np.eye(2), model.sole_R[i].T)
        J = sole_R_world @ model.sole_J[i]
        W = weight * np.eye(6)
        W[3, 3] *= 1.0 if model.soles_roll[i] else ROLLING
        H += J.T @ W @ J
        g -= J.T @ W @ sole_R_world @ (foot.acc - model.sole_bias[i])
    problem = qp.problem()
    assert problem.H is not None
    assert np.allclose(problem.H[:nv, :nv], H, rtol=1e-9, atol=1e-6)
    assert np.allclose(problem.g[:nv], g, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("aside", [-0.1, 0.1])
def test_a_sole_on_its_edge_is_pressed_there(
    aside: float, robot_of: Callable[[str], RobotModel]
) -> None:
    model, qp, state = standing(robot_of("h1"))
    turn = exp_so3(np.array([aside, 0.0, 0.0]))
    model.update(replace(state, world_R_base=turn @ state.world_R_base))
    answer = qp.solve(at_rest(model), state.q, state.dq)
    assert answer.fallback == ""
    for i, f in enumerate(answer.wrenches):
        force, moment = model.sole_R[i].T @ f[:3], model.sole_R[i].T @ f[3:]
        half = 0.5 * model.robot.body.soles[model.sides[i]].width
        assert force[2] > 0.1 * qp.weight
        assert moment[0] / force[2] * model.sole_tip[i] > 0.4 * half


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_at_rest_the_soles_carry_the_weight(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    model, qp, state = standing(robot_of(name))
    answer = qp.solve(at_rest(model), state.q, state.dq)
    assert answer.fallback == ""
    assert answer.wrenches[:, 2].sum() == pytest.approx(qp.weight, rel=1e-3)
    assert np.abs(answer.dnu).max() < 0.05


@pytest.mark.parametrize("name", ["icub", "g1", "talos"])
def test_the_answer_obeys_dynamics_cones_and_efforts(
    name: str, robot_of: Callable[[str], RobotModel]
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


def test_a_lifted_foot_carries_nothing(robot_of: Callable[[str], RobotModel]) -> None:
    model, qp, state = standing(robot_of("g1"))
    feet = (FootTask(), FootTask(load=0.0, acc=np.array([0.0, 0, 2.0, 0, 0, 0])))
    answer = qp.solve(at_rest(model, feet=feet), state.q, state.dq)
    assert np.abs(answer.wrenches[1]).max() < SMALL * qp.weight


def test_without_an_answer_torques_are_held_and_damped(
    robot_of: Callable[[str], RobotModel],
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
    name: str, robot_of: Callable[[str], RobotModel]
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


def test_joints_brake_before_their_limits(
    robot_of: Callable[[str], RobotModel],
) -> None:
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
    robot_of: Callable[[str], RobotModel],
) -> None:
    """With the ankle at its limit, level and up contradict each other: up wins."""
    model, qp, state = standing(robot_of("icub"))
    tilted, ankle = state.q.copy(), model.joints.index("r_ankle_pitch")
    tilted[ankle] = model.robot.body.lower[ankle]
    up = np.array([0.0, 0.0, 5.0, 0.0, -20.0, 0.0])
    feet = (FootTask(), FootTask(load=0.0, acc=up, tips=True))

    def rise(q: np.ndarray) -> float:
        answer = qp.solve(at_rest(model, feet=feet), q, state.dq)
        return float(model.sole_J[1, 2] @ answer.dnu + model.sole_bias[1, 2])

    assert rise(tilted) > 0.8 * rise(state.q)
