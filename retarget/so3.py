"""Rotations: exponential and logarithm, quaternions at the borders, means.

All functions take and return arrays with the coordinates last and any number of
leading axes, so that one call serves a link, a frame or a whole clip.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Array",
    "angle_between",
    "angular_velocities",
    "exp_so3",
    "hat",
    "inverse_right_jacobian",
    "log_so3",
    "mean_rotation",
    "quat_wxyz_from_rotation",
    "rotation_from_quat_wxyz",
    "rotation_from_rpy",
    "rotation_x",
    "rotation_y",
    "rotation_z",
    "shortest_rotation",
    "slerp",
    "yaw_of",
]

Array = NDArray[np.float64]

_SMALL = 1e-5  # [rad] below this the series replace the closed forms
_NEAR_PI = 1e-3  # [rad] below pi by less than this the axis comes from R + I


def _float64(value: ArrayLike) -> Array:
    return np.asarray(value, dtype=np.float64)


def hat(w: ArrayLike) -> Array:
    """Return the skew matrix S(w) with S(w) x = w cross x, shape (..., 3, 3)."""
    w = _float64(w)
    S = np.zeros((*w.shape, 3))
    S[..., 0, 1], S[..., 0, 2] = -w[..., 2], w[..., 1]
    S[..., 1, 0], S[..., 1, 2] = w[..., 2], -w[..., 0]
    S[..., 2, 0], S[..., 2, 1] = -w[..., 1], w[..., 0]
    return S


def exp_so3(w: ArrayLike) -> Array:
    """Return the rotation by |w| about w (Rodrigues), shape (..., 3, 3)."""
    w = _float64(w)
    angle = np.linalg.norm(w, axis=-1)
    small = angle < _SMALL
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 1.0 - angle**2 / 6.0, np.sin(safe) / safe)
    # 2 sin^2(x/2) = 1 - cos x without the cancellation at small angles
    b = np.where(small, 0.5 - angle**2 / 24.0, 2.0 * (np.sin(safe / 2.0) / safe) ** 2)
    S = hat(w)
    return np.eye(3) + a[..., None, None] * S + b[..., None, None] * (S @ S)


def log_so3(R: ArrayLike) -> Array:
    """Return the rotation vector of R with length in [0, pi], shape (..., 3).

    Well defined at an angle of pi too, where one of the two axes is chosen.
    """
    R = _float64(R)
    v = 0.5 * np.stack(
        [
            R[..., 2, 1] - R[..., 1, 2],
            R[..., 0, 2] - R[..., 2, 0],
            R[..., 1, 0] - R[..., 0, 1],
        ],
        axis=-1,
    )
    sine = np.linalg.norm(v, axis=-1)
    cosine = 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    small = angle < _SMALL
    near_pi = angle > np.pi - _NEAR_PI
    factor = np.where(
        small, 1.0 + angle**2 / 6.0, angle / np.where(small | near_pi, 1.0, sine)
    )
    w = factor[..., None] * v
    if np.any(near_pi):
        w = np.where(near_pi[..., None], _log_near_pi(R, v, angle), w)
    return w


def _log_near_pi(R: Array, v: Array, angle: Array) -> Array:
    """Take the axis from the symmetric part: R + R' = 2 cos I + 2 (1 - cos) u u'."""
    c = np.cos(angle)[..., None, None]
    # elsewhere the quotient is not used, and must not be 0 / 0
    scale = np.where(c < 0.0, 1.0 - c, 1.0)
    B = (0.5 * (R + np.swapaxes(R, -1, -2)) - c * np.eye(3)) / scale
    best = np.argmax(np.diagonal(B, axis1=-2, axis2=-1), axis=-1)
    column = np.take_along_axis(B, best[..., None, None], axis=-1)[..., 0]
    length = np.linalg.norm(column, axis=-1, keepdims=True)
    axis = column / np.where(length > 0.0, length, 1.0)
    sign = np.where(np.sum(axis * v, axis=-1) < 0.0, -1.0, 1.0)
    return (sign * angle)[..., None] * axis


def inverse_right_jacobian(e: ArrayLike) -> Array:
    """Return K (..., 3, 3) with log(exp(e) exp(-w)) = e - K w to first order in w."""
    e = _float64(e)
    S, half = hat(e), 0.5 * np.sqrt(np.sum(e * e, axis=-1))
    safe = np.where(half < 1e-4, 1.0, half)
    f = np.where(half < 1e-4, 1.0 / 12.0, (1.0 - safe / np.tan(safe)) / (4.0 * safe**2))
    return np.eye(3) + 0.5 * S + f[..., None, None] * (S @ S)


def _axis_rotation(angle: ArrayLike, axis: int) -> Array:
    w = np.zeros((*np.shape(angle), 3))
    w[..., axis] = angle
    return exp_so3(w)


def rotation_x(angle: ArrayLike) -> Array:
    """Return the rotation by `angle` [rad] about x, shape (..., 3, 3)."""
    return _axis_rotation(angle, 0)


def rotation_y(angle: ArrayLike) -> Array:
    """Return the rotation by `angle` [rad] about y, shape (..., 3, 3)."""
    return _axis_rotation(angle, 1)


def rotation_z(angle: ArrayLike) -> Array:
    """Return the rotation by `angle` [rad] about z, shape (..., 3, 3)."""
    return _axis_rotation(angle, 2)


def rotation_from_rpy(rpy: ArrayLike) -> Array:
    """Return Rz(yaw) Ry(pitch) Rx(roll), URDF's convention, shape (..., 3, 3)."""
    rpy = _float64(rpy)
    return rotation_z(rpy[..., 2]) @ rotation_y(rpy[..., 1]) @ rotation_x(rpy[..., 0])


def yaw_of(R: ArrayLike) -> Array:
    """Return the heading of R's x axis about world z [rad], shape (...)."""
    R = _float64(R)
    return np.arctan2(R[..., 1, 0], R[..., 0, 0])


def rotation_from_quat_wxyz(quat_wxyz: ArrayLike) -> Array:
    """Return the rotation of a quaternion (w, x, y, z) of any non-zero length."""
    q = _float64(quat_wxyz)
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    w, v = q[..., 0, None, None], q[..., 1:]
    S = hat(v)
    return np.eye(3) + 2.0 * w * S + 2.0 * (S @ S)


def quat_wxyz_from_rotation(R: ArrayLike) -> Array:
    """Return the unit quaternion (w, x, y, z) of R with w >= 0, shape (..., 4)."""
    w = log_so3(R)
    angle = np.linalg.norm(w, axis=-1, keepdims=True)
    return np.concatenate(
        [np.cos(angle / 2.0), 0.5 * np.sinc(angle / (2.0 * np.pi)) * w], axis=-1
    )


def shortest_rotation(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the smallest rotation that turns direction `a` into direction `b`.

    For opposite directions, where it is not unique, the turn is about an axis
    perpendicular to `a`.
    """
    a = _float64(a)
    b = _float64(b)
    a = a / np.linalg.norm(a)
    b = b / np.linalg.norm(b)
    axis = np.cross(a, b)
    sine, cosine = float(np.linalg.norm(axis)), float(a @ b)
    if sine < 1e-12:
        if cosine > 0.0:
            return np.eye(3)
        axis = np.cross(a, np.eye(3)[np.argmin(np.abs(a))])
        return exp_so3(np.pi * axis / np.linalg.norm(axis))
    return exp_so3(np.arctan2(sine, cosine) * axis / sine)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the angle between directions [rad], accurate at small angles too."""
    a = _float64(a)
    b = _float64(b)
    x = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    y = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    z = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return np.arctan2(np.sqrt(x * x + y * y + z * z), np.sum(a * b, axis=-1))


def slerp(R0: ArrayLike, R1: ArrayLike, fraction: ArrayLike) -> Array:
    """Return the rotation a `fraction` of the shortest way from R0 to R1."""
    R0 = _float64(R0)
    step = log_so3(np.asarray(R1) @ np.swapaxes(R0, -1, -2))
    return exp_so3(np.asarray(fraction)[..., None] * step) @ R0


def mean_rotation(R: ArrayLike, *, iterations: int = 30) -> Array:
    """Return the Karcher mean of rotations (k, 3, 3): the least squares on SO(3)."""
    R = _float64(R)
    U, _, Vt = np.linalg.svd(R.sum(axis=0))
    mean: Array = U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt
    for _ in range(iterations):
        step = log_so3(R @ mean.T).mean(axis=0)
        mean = exp_so3(step) @ mean
        if np.linalg.norm(step) < 1e-12:
            break
    return mean


def angular_velocities(R: ArrayLike, time: ArrayLike) -> Array:
    """Differentiate rotations (t, ..., 3, 3) on the group, in world axes.

    Central differences of the logarithm, one-sided at the ends, for any spacing.

    Returns:
        Angular velocity (t, ..., 3) [rad/s]; zero for a single sample.
    """
    R = _float64(R)
    time = _float64(time)
    w = np.zeros(R.shape[:-1])
    if len(time) < 2:
        return w
    gaps = np.diff(time).reshape(-1, *([1] * (w.ndim - 1)))
    steps = log_so3(R[1:] @ np.swapaxes(R[:-1], -1, -2)) / gaps
    w[0], w[-1] = steps[0], steps[-1]
    before, after = gaps[:-1], gaps[1:]
    w[1:-1] = (steps[:-1] * after + steps[1:] * before) / (before + after)
    return w
