"""mjlab's and BeyondMimic's archives: joints and all bodies, with their velocities.

The keys are the same, the orders and one definition are not: mjlab counts joints and
bodies depth first and stores the velocities of the links' origins; BeyondMimic stores
what Isaac Lab reports: breadth first, and the velocities of the centres of mass. An
archive in the other's order loads without a word and never converges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.retarget.training.archive import archive
from telexist.retarget.training.body_motion import (
    BodyPaths,
    body_motion,
    central_rates,
)
from telexist.retarget.training.even_motion import EvenMotion, continuous
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["encode_beyondmimic", "encode_mjlab", "quats_of"]


def encode_mjlab(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return mjlab's archive: MuJoCo's order, velocities of the links' origins."""
    bodies = _bodies(even, model)
    return (_archive(even, bodies, bodies.v, model.depth_first_bodies()),)


def encode_beyondmimic(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return BeyondMimic's archive: Isaac's order, velocities of centres of mass."""
    bodies = _bodies(even, model)
    arms = np.einsum("tbij,bj->tbi", bodies.R, model.body_p_com)
    speeds = bodies.v + np.cross(bodies.w, arms)
    return (_archive(even, bodies, speeds, model.breadth_first_bodies()),)


def quats_of(R: Array) -> Array:
    """Return quaternions w, x, y, z of many bodies (t, b, 4), continuous in time."""
    quats = quat_wxyz_from_rotation(R)
    for body in range(R.shape[1]):
        quats[:, body] = continuous(quats[:, body])
    return quats


def _bodies(even: EvenMotion, model: ModelTree) -> BodyPaths:
    return body_motion(model, even.base_p, even.base_R, even.q, float(even.fps))


def _archive(
    even: EvenMotion, bodies: BodyPaths, v: Array, order: NDArray[np.int64]
) -> bytes:
    joints = order[1:] - 1
    speeds = central_rates(even.q, float(even.fps))
    return archive(
        fps=np.array([float(even.fps)], dtype=np.float32),
        joint_pos=even.q[:, joints].astype(np.float32),
        joint_vel=speeds[:, joints].astype(np.float32),
        body_pos_w=bodies.p[:, order].astype(np.float32),
        body_quat_w=quats_of(bodies.R[:, order]).astype(np.float32),
        body_lin_vel_w=v[:, order].astype(np.float32),
        body_ang_vel_w=bodies.w[:, order].astype(np.float32),
    )
