"""A motion as MuJoCo's qpos and qvel: holosoma's and LocoMuJoCo's archives."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.retarget.training.archive import archive
from telexist.retarget.training.body_arrays import quats_of
from telexist.retarget.training.body_motion import (
    body_motion,
    central_rates,
    turning_rates,
)
from telexist.retarget.training.even_motion import EvenMotion
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["encode_holosoma", "encode_locomujoco", "qpos_of", "qvel_of"]

FREE, HINGE, SLIDE = 0, 3, 2  # MuJoCo's mjtJoint


def qpos_of(even: EvenMotion, model: ModelTree) -> Array:
    """Return x, y, z, quaternion w, x, y, z, joints in MuJoCo's order (t, 7 + n)."""
    joints = model.depth_first_bodies()[1:] - 1
    return np.column_stack([even.base_p, even.base_quat_wxyz(), even.q[:, joints]])


def qvel_of(even: EvenMotion, model: ModelTree) -> Array:
    """Return the velocities that belong to qpos (t, 6 + n).

    Of the free joint: linear in the world, angular in the axes of the base.
    """
    fps = float(even.fps)
    joints = model.depth_first_bodies()[1:] - 1
    turning = turning_rates(even.base_R, fps)
    base_w = np.einsum("tji,tj->ti", even.base_R, turning)
    linear = central_rates(even.base_p, fps)
    return np.column_stack([linear, base_w, central_rates(even.q, fps)[:, joints]])


def encode_holosoma(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return holosoma's archive: whole qpos and qvel, bodies and joints with names.

    All of MuJoCo's bodies are there, `world` first; trainers pick them by name.
    """
    order = model.depth_first_bodies()
    bodies = body_motion(model, even.base_p, even.base_R, even.q, float(even.fps))
    t = len(even.q)
    still, upright = np.zeros((t, 1, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (t, 1, 1))

    def with_world(first: Array, rest: Array) -> np.ndarray:
        return np.concatenate([first, rest], axis=1).astype(np.float32)

    names = [model.bodies[body] for body in order]
    data = archive(
        fps=np.array([float(even.fps)], dtype=np.float32),
        joint_pos=qpos_of(even, model).astype(np.float32),
        joint_vel=qvel_of(even, model).astype(np.float32),
        body_pos_w=with_world(still, bodies.p[:, order]),
        body_quat_w=with_world(upright, quats_of(bodies.R[:, order])),
        body_lin_vel_w=with_world(still, bodies.v[:, order]),
        body_ang_vel_w=with_world(still, bodies.w[:, order]),
        joint_names=np.array([model.joints[body - 1] for body in order[1:]]),
        body_names=np.array(["world", *names]),
    )
    return (data,)


def encode_locomujoco(even: EvenMotion, model: ModelTree) -> tuple[bytes, ...]:
    """Return LocoMuJoCo's archive; it refuses keys that it does not know."""
    order = model.depth_first_bodies()[1:] - 1
    slides = model.tree.slides[order]
    kinds = np.concatenate([[FREE], np.where(slides, SLIDE, HINGE)])
    names = [f"{model.bodies[0]}_free", *(model.joints[i] for i in order)]
    data = archive(
        qpos=qpos_of(even, model),
        qvel=qvel_of(even, model),
        split_points=np.array([0, len(even.q)]),
        joint_names=np.array(names),
        frequency=np.array(float(even.fps)),
        njnt=np.array(len(names)),
        jnt_type=kinds.astype(np.int32),
    )
    return (data,)
