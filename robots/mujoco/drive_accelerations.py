"""How fast a robot's drives can change the speeds of its joints, from its model.

A joint that accelerates loads the drives of all joints above and below it: tau = M a.
In each of some postures all over the limits the joint accelerations a, of independent
signs, are to be within the efforts e of the drives:

    sum_j (M_ij a_j)^2 <= (0.9 e_i)^2    for every joint i

Starting from what is asked, joints yield until this is true, those that load an
overloaded drive most yielding most. All joints accelerating at once with the worst of
signs may still ask for more; `robot/servo_simulation.py` then goes more slowly.
"""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.robots.drives import Bounds, joint_bounds
from telexist.robots.mujoco.model import MujocoModel, build_mujoco

__all__ = ["drive_accelerations", "drive_bounds"]

POSTURES = 200
SPREAD = 0.7  # of the way from neutral to anywhere inside the limits
USABLE = 0.9  # of an effort; the rest is for damping
ROUNDS = 400
CLOSE = 1.001  # loads below this are within


def drive_bounds(
    robot: RobotModel, *, speed: float = 1.0, acceleration: float = 1.0
) -> Bounds:
    """Return the bounds of a robot's joints that its drives can keep.

    Args:
        robot: The robot.
        speed: Share of the speed limits to use.
        acceleration: Share of the accelerations to use.

    Raises:
        BadModel: If MuJoCo refuses the model.
    """
    bounds = joint_bounds(robot.body, speed=speed)
    model = build_mujoco(robot, mount="fixed")
    possible = drive_accelerations(model, bounds.acceleration)
    return replace(bounds, acceleration=acceleration * possible)


def drive_accelerations(mujoco_model: MujocoModel, asked: Array) -> Array:
    """Return the accelerations that drives can make, at most those asked for.

    Args:
        mujoco_model: The robot, bolted or on a pole; the body's joints come first.
        asked: Accelerations (n,) [rad/s^2] or [m/s^2].

    Returns:
        Accelerations (n,), all above 0.
    """
    loads = _loads(mujoco_model, len(asked)) ** 2
    squares = np.asarray(asked, dtype=np.float64) ** 2
    for _ in range(ROUNDS):
        parts = loads * squares
        load = parts.sum(axis=1)
        over = load > CLOSE
        if not over.any():
            break
        blame = parts[over] / load[over, None]
        squares = squares * (load[over, None] ** -blame).min(axis=0)
    return np.sqrt(squares)


def _loads(mujoco_model: MujocoModel, n: int) -> Array:
    """Return the share of a drive's effort per acceleration (postures * n, n)."""
    model, data = mujoco_model.model, mujoco.MjData(mujoco_model.model)
    body = mujoco_model.robot.body
    dofs, effort = mujoco_model.dof_of_joints[:n], mujoco_model.actuators.effort[:n]
    low = body.neutral.q + SPREAD * (body.lower - body.neutral.q)
    high = body.neutral.q + SPREAD * (body.upper - body.neutral.q)
    full, found = np.zeros((model.nv, model.nv)), []
    for u in np.random.default_rng(0).random((POSTURES, n)):
        q = low + u * (high - low)
        data.qpos[mujoco_model.qpos_of_joints[:n]] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_crb(model, data)
        mujoco.mj_fullM(model, data, full)
        found.append(np.abs(full[np.ix_(dofs, dofs)]) / (USABLE * effort[:, None]))
    return np.concatenate(found)
