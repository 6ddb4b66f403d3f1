"""Poses and velocities of all bodies over a whole motion, many frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array, hat, log_so3
from telexist.retarget.training.model_tree import ModelTree

__all__ = ["BodyPaths", "body_motion", "central_rates", "turning_rates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPaths:
    """Where all bodies are and how they move, in the world.

    Attributes:
        p: Origins (t, n + 1, 3) [m].
        R: Orientations (t, n + 1, 3, 3).
        v: Velocities of the origins (t, n + 1, 3) [m/s].
        w: Angular velocities (t, n + 1, 3) [rad/s].
    """

    p: Array
    R: Array
    v: Array
    w: Array


def central_rates(values: Array, fps: float) -> Array:
    """Return the rates of change (t, k): central differences, one-sided at the ends."""
    if len(values) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, 1.0 / fps, axis=0))


def turning_rates(R: Array, fps: float) -> Array:
    """Return angular velocities in the world (t, 3) [rad/s].

    log(R[k+1] R[k-1]^T) fps / 2; the first and the last are their neighbours' again, as
    the trainers' own converters do.
    """
    if len(R) < 3:
        return np.zeros((len(R), 3))
    inner = log_so3(R[2:] @ np.swapaxes(R[:-2], -1, -2)) * (fps / 2.0)
    return np.concatenate([inner[:1], inner, inner[-1:]])


def body_motion(
    model: ModelTree, base_p: Array, base_R: Array, q: Array, fps: float
) -> BodyPaths:
    """Return poses and velocities of all bodies.

    Velocities of base and joints are differences; those of the other bodies follow
    from them exactly, as a simulator's do.

    Args:
        model: The robot.
        base_p: `world_p_base` (t, 3) [m].
        base_R: `world_R_base` (t, 3, 3).
        q: Joint positions in the order of `model.joints` (t, n).
        fps: Frames a second [Hz].
    """
    tree, (t, n) = model.tree, q.shape
    p, R = np.empty((t, n + 1, 3)), np.empty((t, n + 1, 3, 3))
    v, w = np.empty((t, n + 1, 3)), np.empty((t, n + 1, 3))
    p[:, 0], R[:, 0] = base_p, base_R
    v[:, 0], w[:, 0] = central_rates(base_p, fps), turning_rates(base_R, fps)
    dq = central_rates(q, fps)
    for i, carrier in enumerate(tree.parent):
        R_joint = R[:, carrier] @ tree.rotation[i]
        way = R[:, carrier] @ tree.position[i]
        axis = R_joint @ tree.axis[i]
        if tree.slides[i]:
            way = way + axis * q[:, i, None]
            R[:, i + 1] = R_joint
            w[:, i + 1] = w[:, carrier]
            slide = axis * dq[:, i, None]
        else:
            R[:, i + 1] = R_joint @ _turns(tree.axis[i], q[:, i])
            w[:, i + 1] = w[:, carrier] + axis * dq[:, i, None]
            slide = 0.0
        p[:, i + 1] = p[:, carrier] + way
        v[:, i + 1] = v[:, carrier] + np.cross(w[:, carrier], way) + slide
    return BodyPaths(p=p, R=R, v=v, w=w)


def _turns(axis: Array, angles: Array) -> Array:
    """Return the rotations about one axis (t, 3, 3), after Rodrigues."""
    K = hat(axis)
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.asarray(np.eye(3) + s * K + (1.0 - c) * (K @ K))
