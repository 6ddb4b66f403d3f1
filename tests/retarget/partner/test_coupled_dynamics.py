"""Two robots whose hands are joined: the thesis' equations against the dense system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.partner import (
    AgentDynamics,
    CoupledDynamics,
    VelocityTask,
    coupled_terms,
    felt_terms,
    shifted,
)
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel
from telexist.robots.dynamics.touching import touching_agent

STATES = 100
ACCELERATION = 1e-10  # of the greatest one: rounding in 112 unknowns
ENERGY = 1e-8  # of e' K_D e, which Vdot is made of
STEP = 1e-6  # [s] of a finite difference


def drawn_state(model: DynamicsModel, rng: np.random.Generator) -> BodyState:
    body = model.robot.body
    neutral, room = body.neutral, body.upper - body.lower
    q = np.clip(neutral.q + 0.2 * room * rng.normal(size=model.n), -3.0, 3.0)
    return BodyState(
        world_p_base=neutral.world_p_base + 0.1 * rng.normal(size=3),
        world_R_base=exp_so3(0.3 * rng.normal(size=3)) @ neutral.world_R_base,
        q=np.clip(q, body.lower, body.upper),
        world_v_base=0.3 * rng.normal(size=3),
        world_w_base=0.5 * rng.normal(size=3),
        dq=rng.normal(size=model.n),
    )


class Pair:
    """Two robots of one kind at a random state; one holds both hands of the other."""

    def __init__(self, models: list[DynamicsModel], rng: np.random.Generator) -> None:
        for model in models:
            model.update(drawn_state(model, rng))
        helper, model = models
        links = model.robot.body.hands
        held = {s: model.position(model.frame(links[s])) for s in links}
        self.robot = touching_agent(model)
        self.agent = touching_agent(helper, held)
        self.model, self.n = model, model.n
        self.coupled = CoupledDynamics(self.agent, self.robot)
        self.tau = [5.0 * rng.normal(size=model.n) for _ in range(2)]
        frame = model.frame(links["right"])
        p = 6
        self.task = VelocityTask(
            J=model.jacobian(frame),
            bias=model.acceleration_bias(frame),
            error=0.1 * rng.normal(size=p),
            integral=0.02 * rng.normal(size=p),
            wanted=rng.normal(size=p),
            K_d=spread(rng, p),
            K_p=10.0 * spread(rng, p),
            K_D=5.0 * spread(rng, p),
        )

    def dense(self, tau_agent: Array, tau_robot: Array) -> tuple[Array, Array]:
        """Return (dnu of both, wrenches) of the whole system at once."""
        a, r = self.agent, self.robot
        na, nr, m = len(a.h), len(r.h), len(a.hands)
        P = np.zeros((m + len(a.feet) + len(r.feet), na + nr))
        P[:m, :na], P[:m, na:] = a.hands, -r.hands
        P[m : m + len(a.feet), :na] = a.feet
        P[m + len(a.feet) :, na:] = r.feet
        drift = np.concatenate([a.hands_bias - r.hands_bias, a.feet_bias, r.feet_bias])
        k, size = len(P), na + nr
        whole = np.zeros((size + k, size + k))
        whole[:na, :na], whole[na:size, na:size] = a.M, r.M
        whole[:size, size:], whole[size:, :size] = -P.T, P
        right = np.concatenate([a.B @ tau_agent - a.h, r.B @ tau_robot - r.h, -drift])
        found = np.linalg.solve(whole, right)
        found += np.linalg.solve(whole, right - whole @ found)
        return found[:size], found[size:]


def spread(rng: np.random.Generator, p: int) -> Array:
    """Return a positive matrix (p, p)."""
    half = rng.normal(size=(p, p))
    return np.eye(p) + 0.2 * half @ half.T


@pytest.fixture(scope="module")
def pairs(robot_of: Callable[[str], RobotModel]) -> list[Pair]:
    robot, rng = robot_of("icub"), np.random.default_rng(8)
    models = [DynamicsModel(robot), DynamicsModel(robot)]
    return [Pair(models, rng) for _ in range(STATES)]


def test_accelerations_and_wrenches_are_those_of_the_dense_system(
    pairs: list[Pair],
) -> None:
    printed = []
    for pair in pairs:
        both, wrenches = pair.dense(*pair.tau)
        robot = both[len(pair.agent.h) :]
        scale = np.abs(both).max()
        got = pair.coupled.accelerations(*pair.tau)
        assert np.abs(got - robot).max() < ACCELERATION * scale
        agent = pair.coupled.agent_accelerations(*pair.tau)
        assert np.abs(agent - both[: len(agent)]).max() < ACCELERATION * scale
        found = pair.coupled.wrenches(*pair.tau)
        assert np.abs(found - wrenches).max() < ACCELERATION * np.abs(wrenches).max()
        wrong = pair.coupled.accelerations(*pair.tau, as_printed=True)
        printed.append(np.linalg.norm(wrong - robot) / np.linalg.norm(robot))
    assert np.median(printed) > 0.05  # (8.39) without the change of sign


def test_energy_falls_as_the_corrected_8_46_says(pairs: list[Pair]) -> None:
    printed = []
    for pair in pairs:
        terms, given = coupled_terms(pair.coupled, pair.task), pair.tau[0]
        tau = terms.torques(given, pair.tau[1])
        both, _ = pair.dense(given, tau)
        rate = pair.task.energy_rate(both[len(pair.agent.h) :])
        falls = float(pair.task.error @ pair.task.K_D @ pair.task.error)
        assert abs(rate - terms.energy_rate(given)) < ENERGY * max(1.0, abs(rate))
        assert rate < 0.0
        printed.append(abs(rate - terms.energy_rate_as_printed(given)) / falls)
    assert np.median(printed) > 0.05


def test_classical_law_undoes_all_the_partner_does(pairs: list[Pair]) -> None:
    for pair in pairs[:20]:
        terms, given = coupled_terms(pair.coupled, pair.task), pair.tau[0]
        both, _ = pair.dense(given, terms.cancelling_torques(given, pair.tau[1]))
        rate = pair.task.energy_rate(both[len(pair.agent.h) :])
        falls = float(pair.task.error @ pair.task.K_D @ pair.task.error)
        assert rate == pytest.approx(-falls, rel=ENERGY)


def test_a_partner_whose_hands_give_nothing_is_no_help(pairs: list[Pair]) -> None:
    by_torques = []
    for pair in pairs:
        m = len(pair.agent.hands)
        tau = pair.tau[1]
        # The partner's torques with which its hands give nothing.
        rest = pair.coupled.G2[:m] @ tau + pair.coupled.G3[:m]
        given = -np.linalg.pinv(pair.coupled.G1[:m]) @ rest
        felt = -pair.coupled.wrenches(given, tau)[:m]
        assert np.abs(felt).max() < 1e-7
        terms = felt_terms(pair.robot, pair.task)
        assert abs(terms.alpha(felt)) < 1e-7
        assert terms.alpha(np.zeros(m)) == 0.0
        by_torques.append(abs(coupled_terms(pair.coupled, pair.task).alpha(given)))
    assert np.median(by_torques) > 1.0  # (8.44) as printed calls it help, or hinder


def test_law_by_the_felt_force_lets_the_energy_fall_too(pairs: list[Pair]) -> None:
    rng = np.random.default_rng(3)
    for pair in pairs:
        felt = 20.0 * rng.normal(size=len(pair.robot.hands))
        terms = felt_terms(pair.robot, pair.task)
        tau = terms.torques(felt, pair.tau[1])
        robot = pair.robot
        nv, k = len(robot.h), len(robot.feet)
        whole = np.zeros((nv + k, nv + k))
        whole[:nv, :nv], whole[:nv, nv:] = robot.M, -robot.feet.T
        whole[nv:, :nv] = robot.feet
        push = robot.B @ tau + robot.hands.T @ felt - robot.h
        dnu = np.linalg.solve(whole, np.concatenate([push, -robot.feet_bias]))[:nv]
        rate = pair.task.energy_rate(dnu)
        assert rate == pytest.approx(terms.energy_rate(felt), rel=ENERGY)


def test_torques_less_those_that_give_nothing_are_the_felt_force(
    pairs: list[Pair],
) -> None:
    for pair in pairs[:20]:
        m, tau = len(pair.agent.hands), pair.tau[1]
        rest = pair.coupled.G2[:m] @ tau + pair.coupled.G3[:m]
        nothing = -np.linalg.pinv(pair.coupled.G1[:m]) @ rest
        f = -pair.coupled.wrenches(pair.tau[0], tau)[:m]
        by_torques = coupled_terms(pair.coupled, pair.task)
        more = by_torques.Omega @ (pair.tau[0] - nothing)
        by_force = felt_terms(pair.robot, pair.task).Omega @ f
        np.testing.assert_allclose(more, by_force, rtol=1e-6, atol=1e-6)


def test_bias_of_a_held_point_is_the_rate_of_its_velocity(
    robot_of: Callable[[str], RobotModel],
) -> None:
    """Against a finite difference along the motion, for a point off the link."""
    model, rng = DynamicsModel(robot_of("icub")), np.random.default_rng(2)
    state = drawn_state(model, rng)
    frame = model.frame(model.robot.body.hands["left"])

    def moved(dt: float) -> BodyState:
        turn = exp_so3(dt * state.world_w_base)
        return replace(
            state,
            world_p_base=state.world_p_base + dt * state.world_v_base,
            world_R_base=turn @ state.world_R_base,
            q=state.q + dt * state.dq,
        )

    model.update(state)
    link_p_point = model.rotation(frame).T @ np.array([0.3, -0.2, 0.1])

    def velocity(dt: float) -> Array:
        model.update(moved(dt))
        arm = model.rotation(frame) @ link_p_point
        J, bias = model.jacobian(frame), model.acceleration_bias(frame)
        J, bias = shifted(J, bias, model.velocity(frame)[3:], arm)
        return np.concatenate([J @ state.nu, bias])

    rate = (velocity(STEP)[:6] - velocity(-STEP)[:6]) / (2.0 * STEP)
    np.testing.assert_allclose(velocity(0.0)[6:], rate, atol=1e-6)


def test_agents_that_do_not_fit_are_refused() -> None:
    plain = AgentDynamics(
        M=np.eye(8),
        h=np.zeros(8),
        B=np.eye(8),
        hands=np.eye(8)[:6],
        hands_bias=np.zeros(6),
        feet=np.zeros((0, 8)),
        feet_bias=np.zeros(0),
    )
    less = replace(plain, hands=np.eye(8)[:3], hands_bias=np.zeros(3))
    with pytest.raises(BadInput, match="6 and 3"):
        CoupledDynamics(plain, less)
