"""Two robots that hold each other's hands: the equations of chapter 8 in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.partner import (
    CoupledDynamics,
    VelocityTask,
    coupled_terms,
    felt_terms,
)
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.description import RobotModel
from telexist.robots.dynamics import BodyState, DynamicsModel, touching_agent

__all__ = ["joined_robots"]


def joined_robots(
    robot: RobotModel, states: int, seed: int = 0
) -> list[dict[str, Any]]:
    """Return rows of what was compared at random states, corrected and printed."""
    rng = np.random.default_rng(seed)
    models = [DynamicsModel(robot), DynamicsModel(robot)]
    found = [_compare(models, rng) for _ in range(states)]
    return [
        {
            "quantity": name,
            "corrected": float(np.max([row[name][0] for row in found])),
            "printed_median": float(np.median([row[name][1] for row in found])),
        }
        for name in found[0]
    ]


def _compare(
    models: list[DynamicsModel], rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    for model in models:
        model.update(_drawn(model, rng))
    helper, model = models
    hands = model.robot.body.hands
    held = {side: model.position(model.frame(hands[side])) for side in hands}
    robot, agent = touching_agent(model), touching_agent(helper, held)
    pair = CoupledDynamics(agent, robot)
    tau_agent, tau_0 = 5.0 * rng.normal(size=(2, model.n))
    frame, p = model.frame(next(iter(hands.values()))), 6
    task = VelocityTask(
        J=model.jacobian(frame),
        bias=model.acceleration_bias(frame),
        error=0.1 * rng.normal(size=p),
        integral=0.02 * rng.normal(size=p),
        wanted=rng.normal(size=p),
        K_d=np.eye(p),
        K_p=100.0 * np.eye(p),
        K_D=20.0 * np.eye(p),
    )
    terms = coupled_terms(pair, task)
    tau = terms.torques(tau_agent, tau_0)
    truth = _dense(pair, tau_agent, tau)
    size = float(np.abs(truth).max())
    rate = task.energy_rate(truth)
    m = len(agent.hands)
    rest = pair.G2[:m] @ tau_0 + pair.G3[:m]
    nothing = -np.linalg.pinv(pair.G1[:m]) @ rest
    f = -pair.wrenches(nothing, tau_0)[:m]
    return {
        "acceleration, (8.41), of the greatest": (
            float(np.abs(pair.accelerations(tau_agent, tau) - truth).max()) / size,
            _miss(pair.accelerations(tau_agent, tau, as_printed=True), truth),
        ),
        "rate of V, (8.46), of itself": (
            abs(rate - terms.energy_rate(tau_agent)) / abs(rate),
            abs(rate - terms.energy_rate_as_printed(tau_agent)) / abs(rate),
        ),
        "alpha of hands that give nothing, m/s^2": (
            abs(felt_terms(robot, task).alpha(f)),
            abs(terms.alpha(nothing)),
        ),
    }


def _miss(found: Array, truth: Array) -> float:
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))


def _dense(pair: CoupledDynamics, tau_agent: Array, tau_robot: Array) -> Array:
    """Return the robot's accelerations by the whole system at once (nv,)."""
    a, r = pair.agent, pair.robot
    na, nr, m, e = len(a.h), len(r.h), len(a.hands), len(a.feet)
    P = np.zeros((m + e + len(r.feet), na + nr))
    P[:m, :na], P[:m, na:] = a.hands, -r.hands
    P[m : m + e, :na], P[m + e :, na:] = a.feet, r.feet
    drift = np.concatenate([a.hands_bias - r.hands_bias, a.feet_bias, r.feet_bias])
    size = na + nr
    whole = np.zeros((size + len(P), size + len(P)))
    whole[:na, :na], whole[na:size, na:size] = a.M, r.M
    whole[:size, size:], whole[size:, :size] = -P.T, P
    given = [a.B @ tau_agent - a.h, r.B @ tau_robot - r.h, -drift]
    right = np.concatenate(given)
    found = np.linalg.solve(whole, right)
    found += np.linalg.solve(whole, right - whole @ found)
    return np.array(found[na:size])


def _drawn(model: DynamicsModel, rng: np.random.Generator) -> BodyState:
    body = model.robot.body
    q = body.neutral.q + 0.2 * (body.upper - body.lower) * rng.normal(size=model.n)
    return BodyState(
        world_p_base=body.neutral.world_p_base + 0.1 * rng.normal(size=3),
        world_R_base=exp_so3(0.3 * rng.normal(size=3)) @ body.neutral.world_R_base,
        q=np.clip(q, body.lower, body.upper),
        world_v_base=0.3 * rng.normal(size=3),
        world_w_base=0.5 * rng.normal(size=3),
        dq=rng.normal(size=model.n),
    )
