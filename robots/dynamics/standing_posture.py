"""How a robot stands ready: knees a little bent, soles flat, base level."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, log_so3
from telexist.robots.description import RobotModel, joint_groups
from telexist.robots.dynamics.dynamics_model import BodyState, DynamicsModel

__all__ = ["flat_soles", "leg_joints", "standing_posture"]

ITERATIONS = 300
SHIFTS = 5  # of the base, until the centre of mass is over the soles
DAMPING = 1e-3  # of the least-squares step
BEND = 0.15  # share of the way to the middle of a joint's range where the search starts
GOOD = 1e-6  # [m], [rad]
STUCK = 1e-7  # [rad] of change in a step that leads nowhere


def standing_posture(
    model: DynamicsModel,
    *,
    extension: float,
    spacing: float | None = None,
    lean: float = 0.0,
) -> Configuration:
    """Return a posture with bent knees: soles flat, centre of mass over their middle.

    Args:
        model: A robot with two soles.
        extension: Height of the hips over the soles as a share of the neutral one.
        spacing: Between the soles' middles [m]; as in the neutral posture if None.
        lean: Of the base, forward [rad].

    Raises:
        BadInput: If the robot has no two soles.
    """
    robot = model.robot
    body = robot.body
    if len(body.soles) != 2:
        problem = f"{body.name} has no two feet: it cannot stand or walk"
        raise BadInput(f"{problem}; use the servo controller")
    legs = leg_joints(robot)
    goals = _sole_goals(body, spacing)
    drop = (1.0 - extension) * body.leg_length
    height = float(body.neutral.world_p_base[2]) - drop
    q = np.array(body.neutral.q)
    middle = 0.5 * (body.lower + body.upper)
    q[legs] += BEND * (middle - q)[legs]
    place = Configuration(
        world_p_base=np.array([*body.neutral.world_p_base[:2], height]),
        world_R_base=exp_so3(np.array([0.0, lean, 0.0])) @ body.neutral.world_R_base,
        q=q,
    )
    zeros = {"world_v_base": np.zeros(3), "world_w_base": np.zeros(3)}
    for _ in range(SHIFTS):
        place = flat_soles(body, place, legs, goals)
        model.update(
            BodyState(
                world_p_base=place.world_p_base,
                world_R_base=place.world_R_base,
                q=place.q,
                dq=np.zeros(model.n),
                **zeros,
            )
        )
        shift = np.array([model.com[0], model.com[1], 0.0])
        place = Configuration(
            world_p_base=place.world_p_base - shift,
            world_R_base=place.world_R_base,
            q=place.q,
        )
    return flat_soles(body, place, legs, goals)


def _sole_goals(body: RobotBody, spacing: float | None) -> dict[str, Array]:
    """Return where the soles' middles are to be (3,) [m]."""
    goals = {}
    for side, sole in body.soles.items():
        body.kinematics.update(body.neutral)
        frame = body.kinematics.frame(sole.link)
        R = body.kinematics.rotation(frame)
        p = body.kinematics.position(frame) + R @ sole.link_p_sole
        if spacing is not None:
            p[1] = 0.5 * spacing if side == "left" else -0.5 * spacing
        goals[side] = np.array([p[0], p[1], 0.0])
    return goals


def leg_joints(robot: RobotModel) -> np.ndarray:
    """Return which joints are the legs' (n,) bool."""
    groups = joint_groups(robot.spec, robot.urdf)
    return np.array([groups[name] == "legs" for name in robot.body.kinematics.joints])


def flat_soles(
    body: RobotBody, start: Configuration, legs: np.ndarray, goals: Mapping[str, Array]
) -> Configuration:
    """Return a posture whose soles are flat at their goals, as near as legs allow.

    Args:
        body: The robot.
        start: Where its base is, and where the search begins.
        legs: Which joints may move (n,).
        goals: Side to where its sole's middle is to be (3,) [m].
    """
    kinematics, q = body.kinematics, np.array(start.q)
    columns = np.flatnonzero(legs)
    for _ in range(ITERATIONS):
        place = Configuration(
            world_p_base=start.world_p_base, world_R_base=start.world_R_base, q=q
        )
        kinematics.update(place)
        errors, rows = [], []
        for side, sole in body.soles.items():
            frame = kinematics.frame(sole.link)
            R = kinematics.rotation(frame)
            p = kinematics.position(frame) + R @ sole.link_p_sole
            J = kinematics.jacobian(frame, p)
            errors += [goals[side] - p, -log_so3(R @ sole.link_R_sole)]
            rows.append(J[:, 6 + columns])
        e, J = np.concatenate(errors), np.vstack(rows)
        if np.abs(e).max() < GOOD:
            break
        step = J.T @ np.linalg.solve(J @ J.T + DAMPING * np.eye(len(e)), e)
        before = q[columns]
        q[columns] = np.clip(before + step, body.lower[columns], body.upper[columns])
        if np.abs(q[columns] - before).max() < STUCK:
            break
    for mimic in body.mimics:
        leader = q[kinematics.index(mimic.leader)]
        q[kinematics.index(mimic.joint)] = mimic.multiplier * leader + mimic.offset
    return Configuration(
        world_p_base=start.world_p_base, world_R_base=start.world_R_base, q=q
    )
