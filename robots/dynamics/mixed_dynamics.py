"""From pinocchio's arrays to those of a controller, compiled.

Pinocchio has the base's velocity in base axes, ours is mixed: with R = world_R_base,
nu_pin = (R' v, R' w, dq), whose rate at dnu = 0 is (-w x v in base axes, 0, 0). Arrays
are small and calls many: numpy would take far longer than the sums.
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Ints, jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array

__all__ = [
    "read_dynamics",
    "read_sole_acceleration",
    "read_sole_jacobian",
    "read_sole_motion",
    "write_posture",
    "write_state",
]


@jit_internal
def _write_quaternion(R: Array, q_full: Array) -> None:
    """Write a rotation as x, y, z, w, by its greatest entry."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace > 0.0:
        t = math.sqrt(trace + 1.0)
        q_full[6] = 0.5 * t
        t = 0.5 / t
        q_full[3] = (R[2, 1] - R[1, 2]) * t
        q_full[4] = (R[0, 2] - R[2, 0]) * t
        q_full[5] = (R[1, 0] - R[0, 1]) * t
        return
    i = 0
    if R[1, 1] > R[0, 0]:
        i = 1
    if R[2, 2] > R[i, i]:
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    t = math.sqrt(R[i, i] - R[j, j] - R[k, k] + 1.0)
    q_full[3 + i] = 0.5 * t
    t = 0.5 / t
    q_full[6] = (R[k, j] - R[j, k]) * t
    q_full[3 + j] = (R[j, i] + R[i, j]) * t
    q_full[3 + k] = (R[k, i] + R[i, k]) * t


@jit_hold_gil
def write_posture(R: Array, q: Array, q_full: Array) -> None:
    """Write orientation (3, 3) and joints (n,) into pinocchio's positions (7 + n,)."""
    _write_quaternion(R, q_full)
    for i in range(len(q)):
        q_full[7 + i] = q[i]


@jit_hold_gil
def write_state(
    p: Array,
    R: Array,
    q: Array,
    v: Array,
    w: Array,
    dq: Array,
    q_full: Array,
    v_full: Array,
) -> None:
    """Write a state into pinocchio's positions (7 + n,) and velocities (6 + n,).

    Args:
        p: Position of the base (3,) [m].
        R: Orientation of the base (3, 3).
        q: Joint positions (n,).
        v: Velocity of the base, world axes (3,) [m/s].
        w: Angular velocity of the base, world axes (3,) [rad/s].
        dq: Joint velocities (n,).
        q_full: Is written.
        v_full: Is written.
    """
    _write_quaternion(R, q_full)
    for i in range(len(q)):
        q_full[7 + i], v_full[6 + i] = q[i], dq[i]
    for i in range(3):
        q_full[i] = p[i]
        v_full[i] = R[0, i] * v[0] + R[1, i] * v[1] + R[2, i] * v[2]
        v_full[3 + i] = R[0, i] * w[0] + R[1, i] * w[1] + R[2, i] * w[2]


@jit_hold_gil
def read_dynamics(
    M_pin: Array,
    nle: Array,
    R: Array,
    v_full: Array,
    damping: Array,
    M: Array,
    h: Array,
    drift: Array,
) -> None:
    """Write mass matrix and bias of mixed velocities.

    Args:
        M_pin: Pinocchio's mass matrix (6 + n, 6 + n).
        nle: Pinocchio's bias (6 + n,).
        R: Orientation of the base (3, 3).
        v_full: Pinocchio's velocities (6 + n,).
        damping: Of the joints (n,).
        M: Is written (6 + n, 6 + n).
        h: Is written (6 + n,).
        drift: Is written: rate of pinocchio's base velocity at dnu = 0 (3,).
    """
    nv = len(h)
    x, y, z, a, b, c = v_full[0], v_full[1], v_full[2], v_full[3], v_full[4], v_full[5]
    drift[0], drift[1], drift[2] = c * y - b * z, a * z - c * x, b * x - a * y
    for j in range(6, nv):
        for i in range(6, nv):
            M[j, i] = M_pin[i, j]
        for i in range(6):
            first = i - i % 3
            total = 0.0
            for k in range(3):
                total += R[i % 3, k] * M_pin[first + k, j]
            M[i, j] = M[j, i] = total
    half = np.empty((6, 6))
    for i in range(6):
        first = i - i % 3
        for j in range(6):
            half[i, j] = 0.0
            for k in range(3):
                half[i, j] += R[i % 3, k] * M_pin[first + k, j]
    for i in range(6):
        for j in range(6):
            first = j - j % 3
            total = 0.0
            for k in range(3):
                total += half[i, first + k] * R[j % 3, k]
            M[i, j] = total
    own = np.empty(6)
    for i in range(nv):
        total = nle[i]
        for k in range(3):
            total += M_pin[i, k] * drift[k]
        if i < 6:
            own[i] = total
        else:
            h[i] = total + damping[i - 6] * v_full[i]
    for i in range(6):
        first = i - i % 3
        h[i] = 0.0
        for k in range(3):
            h[i] += R[i % 3, k] * own[first + k]


@jit_hold_gil
def read_sole_motion(
    joint_R: Array,
    joint_p: Array,
    joint_v: Array,
    joint_R_sole: Array,
    joint_p_sole: Array,
    R: Array,
    p: Array,
    v: Array,
) -> None:
    """Write where a sole is and how it moves.

    Args:
        joint_R: Axes of the joint that carries it (3, 3).
        joint_p: Position of that joint (3,).
        joint_v: Spatial velocity of that joint in its own axes (6,).
        joint_R_sole: Axes of the sole seen from the joint (3, 3).
        joint_p_sole: The sole's middle seen from the joint (3,).
        R: Is written: axes of the sole (3, 3).
        p: Is written: middle of the sole (3,) [m].
        v: Is written: velocity, linear first, world axes (6,).
    """
    x, y, z = joint_p_sole[0], joint_p_sole[1], joint_p_sole[2]
    a, b, c = joint_v[3], joint_v[4], joint_v[5]
    local = (
        joint_v[0] + b * z - c * y,
        joint_v[1] + c * x - a * z,
        joint_v[2] + a * y - b * x,
    )
    for i in range(3):
        p[i] = joint_p[i]
        v[i] = v[3 + i] = 0.0
        for k in range(3):
            p[i] += joint_R[i, k] * joint_p_sole[k]
            v[i] += joint_R[i, k] * local[k]
            v[3 + i] += joint_R[i, k] * joint_v[3 + k]
        for j in range(3):
            R[i, j] = 0.0
            for k in range(3):
                R[i, j] += joint_R[i, k] * joint_R_sole[k, j]


@jit_hold_gil
def read_sole_acceleration(
    joint_R: Array,
    joint_v: Array,
    joint_a: Array,
    joint_p_sole: Array,
    gravity: float,
    base_R: Array,
    drift: Array,
    acceleration: Array,
) -> None:
    """Write the acceleration (6,) of a sole at dnu = 0.

    Args:
        joint_R: Axes of the joint that carries it (3, 3).
        joint_v: Spatial velocity of that joint in its own axes (6,).
        joint_a: Spatial acceleration against free fall, own axes (6,).
        joint_p_sole: The sole's middle seen from the joint (3,).
        gravity: [m/s^2].
        base_R: Axes of the base (3, 3).
        drift: Rate of pinocchio's base velocity at dnu = 0 (3,).
        acceleration: Is written.
    """
    r, w = joint_p_sole, joint_v[3:]
    v = np.empty(3)  # of the sole's middle
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        v[i] = joint_v[i] + w[j] * r[k] - w[k] * r[j]
    local = np.empty(3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        turned = joint_a[3 + j] * r[k] - joint_a[3 + k] * r[j]
        local[i] = joint_a[i] + turned + w[j] * v[k] - w[k] * v[j]
    for i in range(3):
        linear = angular = 0.0
        for k in range(3):
            linear += joint_R[i, k] * local[k] + base_R[i, k] * drift[k]
            angular += joint_R[i, k] * joint_a[3 + k]
        acceleration[i], acceleration[3 + i] = linear, angular
    acceleration[2] -= gravity


@jit_hold_gil
def read_sole_jacobian(
    J_joints: Array, columns: Ints, base_p: Array, p: Array, J: Array
) -> None:
    """Write the Jacobian of a sole (6, 6 + n), linear rows first, world axes.

    Args:
        J_joints: Spatial Jacobian of all joints at the world's origin (6, 6 + n).
        columns: Those of the joints between base and sole (k,).
        base_p: Position of the base (3,).
        p: Middle of the sole (3,).
        J: Is written; zero in all other columns.
    """
    x, y, z = p[0] - base_p[0], p[1] - base_p[1], p[2] - base_p[2]
    for i in range(6):
        J[i, i] = 1.0
    J[0, 4], J[0, 5] = z, -y
    J[1, 3], J[1, 5] = -z, x
    J[2, 3], J[2, 4] = y, -x
    x, y, z = p[0], p[1], p[2]
    for column in columns:
        a, b, c = J_joints[3, column], J_joints[4, column], J_joints[5, column]
        J[0, column] = J_joints[0, column] + b * z - c * y
        J[1, column] = J_joints[1, column] + c * x - a * z
        J[2, column] = J_joints[2, column] + a * y - b * x
        J[3, column], J[4, column], J[5, column] = a, b, c
