"""Dynamics of a robot as the simulator has them, in the controllers' notation.

A second witness: the controllers' own come from pinocchio (`dynamics_model.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.robots.mujoco.model import MujocoModel

__all__ = ["ModelAgreement", "model_agreement", "mujoco_data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAgreement:
    """Greatest differences between the controller's model and the simulator's.

    Attributes:
        mass: Of the whole robot [kg].
        mass_matrix: Of its entries [kg], [kg m], [kg m^2].
        bias: Of its entries [N], [N m].
    """

    mass: float
    mass_matrix: float
    bias: float


def mujoco_data(simulated: MujocoModel, state: BodyState) -> Any:
    """Return the simulator's data of a free robot, computed at a state."""
    data, R = mujoco.MjData(simulated.model), state.world_R_base
    n = len(state.q)
    data.qpos[:3], data.qpos[3:7] = state.world_p_base, quat_wxyz_from_rotation(R)
    data.qpos[simulated.qpos_of_joints[:n]] = state.q
    data.qvel[:3], data.qvel[3:6] = state.world_v_base, R.T @ state.world_w_base
    data.qvel[simulated.dof_of_joints[:n]] = state.dq
    mujoco.mj_forward(simulated.model, data)
    return data


def _mass_matrix_and_bias(
    simulated: MujocoModel, state: BodyState
) -> tuple[Array, Array]:
    """Return M (6 + n, 6 + n) and h (6 + n,) for mixed velocities."""
    model, data = simulated.model, mujoco_data(simulated, state)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    order = np.r_[0:6, simulated.dof_of_joints]
    T = np.eye(model.nv)
    T[3:6, 3:6] = state.world_R_base.T  # MuJoCo turns the base in its own axes
    bias = (data.qfrc_bias - data.qfrc_passive)[order]
    return T.T @ M[np.ix_(order, order)] @ T, T.T @ bias


def model_agreement(
    simulated: MujocoModel, model: DynamicsModel, state: BodyState
) -> ModelAgreement:
    """Compare the two at a state; the controller's model is at it afterwards."""
    model.update(state)
    M, h = _mass_matrix_and_bias(simulated, state)
    mass = model.mass - float(simulated.model.body_subtreemass[0])
    return ModelAgreement(
        mass=abs(mass),
        mass_matrix=float(np.abs(model.M - M).max()),
        bias=float(np.abs(model.h - h).max()),
    )
