"""A robot with its hands held and its soles on the floor, as an agent of two."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.partner import AgentDynamics, shifted
from telexist.retarget.so3 import Array
from telexist.robots.dynamics.dynamics_model import DynamicsModel

__all__ = ["touching_agent"]


def touching_agent(
    model: DynamicsModel, hands: Mapping[str, Array] | None = None
) -> AgentDynamics:
    """Return a robot at its model's last update, free base, all soles on the floor.

    Args:
        model: The robot.
        hands: Hand ("left", "right") to where it is held (3,) [m], world axes; None:
            both at their links' origins.
    """
    links = model.robot.body.hands
    if hands is None:
        hands = {side: model.position(model.frame(links[side])) for side in links}
    pairs = []
    for side, place in hands.items():
        frame = model.frame(links[side])
        pairs.append(
            shifted(
                model.jacobian(frame),
                model.acceleration_bias(frame),
                model.velocity(frame)[3:],
                place - model.position(frame),
            )
        )
    nv = 6 + model.n
    return AgentDynamics(
        M=model.M.copy(),
        h=model.h.copy(),
        B=np.vstack([np.zeros((6, model.n)), np.eye(model.n)]),
        hands=np.vstack([np.zeros((0, nv)), *(J for J, _ in pairs)]),
        hands_bias=np.concatenate([np.zeros(0), *(bias for _, bias in pairs)]),
        feet=model.sole_J.reshape(-1, nv).copy(),
        feet_bias=model.sole_bias.ravel().copy(),
    )
