"""A posture whose hands are where they are to be; arms alone move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel, joint_groups

__all__ = ["reaching_posture"]

ITERATIONS = 300
DAMPING = 1e-3  # [m^2] keeps steps small near singularities
COMFORT = 0.02  # of the way back to where it began, in what the hands leave free
GOOD = 1e-4  # [m] of a hand from its goal
REACHED = 0.005  # [m] that may be left


def reaching_posture(
    robot: RobotModel, start: Configuration, goals: Mapping[str, Array]
) -> Configuration:
    """Return a posture with hands at places.

    Args:
        robot: The robot.
        start: Where it stands, and where the search begins.
        goals: "left" and "right" to where the origin of that hand's link is to be (3,)
            [m]; one of them is enough.

    Raises:
        BadInput: If it has no such hand, or cannot reach there.
    """
    body, groups = robot.body, joint_groups(robot.spec, robot.urdf)
    for side in goals:
        if side not in body.hands:
            raise BadInput(f"{body.name} has no {side} hand")
    arms = np.array([groups[name] == "arms" for name in body.kinematics.joints])
    bent = np.array(start.q)  # a straight arm does not find the way alone
    bent[arms] = 0.5 * (start.q + 0.5 * (body.lower + body.upper))[arms]
    tries = [
        _reach(body, replace(start, q=first), arms, goals)
        for first in (np.array(start.q), bent)
    ]
    q, left = min(tries, key=lambda found: found[1])
    if left > REACHED:
        off = f"{100.0 * left:.1f} cm from their goals"
        raise BadInput(f"{body.name}'s hands stay {off}")
    return replace(start, q=q)


def _reach(
    body: RobotBody,
    start: Configuration,
    arms: np.ndarray,
    goals: Mapping[str, Array],
) -> tuple[Array, float]:
    """Return joints (n,), and how far the hands are from their goals with them [m]."""
    kinematics, q, left = body.kinematics, np.array(start.q), np.inf
    frames = {side: kinematics.frame(body.hands[side]) for side in goals}
    limits = body.lower[arms], body.upper[arms]
    for _ in range(ITERATIONS):
        kinematics.update(replace(start, q=q))
        e = np.concatenate([goals[s] - kinematics.position(frames[s]) for s in goals])
        left = float(np.linalg.norm(e.reshape(-1, 3), axis=1).max(initial=0.0))
        if left < GOOD:
            break
        rows = [kinematics.jacobian(frames[s])[:3, 6:][:, arms] for s in goals]
        J = np.vstack(rows)
        back = COMFORT * (start.q - q)[arms]
        step = J.T @ np.linalg.solve(J @ J.T + DAMPING * np.eye(len(e)), e - J @ back)
        q[arms] = np.clip(q[arms] + back + step, *limits)
    return q, left
