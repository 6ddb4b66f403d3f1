"""Gains of position servos, from the model by one rule.

A joint i with inertia m_i (its diagonal entry of the mass matrix in neutral posture,
rotor included) becomes an oscillator of one natural frequency and damping ratio:

    kp = m_i w^2,    kd = 2 z m_i w - d_i     (w = 2 pi 20 Hz, z = 1, d_i its friction)

and kp is lowered where an error of 0.015 rad would ask for more than the joint's
effort.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.mujoco import MujocoModel

__all__ = ["ServoGains", "servo_gains"]

FREQUENCY = 2.0 * np.pi * 20.0  # [rad/s]
DAMPING_RATIO = 1.0
FULL_EFFORT_ERROR = 0.015  # [rad] that asks for all of a joint's effort


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServoGains:
    """Stiffness `kp` (n,) [N m/rad] and damping `kd` (n,) [N m s/rad]."""

    kp: Array
    kd: Array


def servo_gains(mujoco_model: MujocoModel) -> ServoGains:
    """Return the gains for all joints of a model."""
    inertia = _joint_inertias(mujoco_model)
    drives = mujoco_model.actuators
    kp = np.minimum(inertia * FREQUENCY**2, drives.effort / FULL_EFFORT_ERROR)
    kd = 2.0 * DAMPING_RATIO * np.sqrt(kp * inertia) - drives.damping
    return ServoGains(kp=kp, kd=np.maximum(kd, 0.0))


def _joint_inertias(mujoco_model: MujocoModel) -> Array:
    """Return the inertia that each joint turns in neutral posture (n,) [kg m^2]."""
    model = mujoco_model.model
    data = mujoco.MjData(model)
    neutral = mujoco_model.robot.body.neutral.q
    data.qpos[mujoco_model.qpos_of_joints[: len(neutral)]] = neutral
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    return np.diag(M)[mujoco_model.dof_of_joints]
