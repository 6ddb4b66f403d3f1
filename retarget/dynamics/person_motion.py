"""From a clip to what the estimator needs: joint angles and their derivatives.

Noise is taken out first, without delay (Butterworth, forwards and backwards), then
angles are differentiated by a third-order Savitzky-Golay filter over 80 ms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, savgol_filter, sosfiltfilt
from telexist.retarget.dynamics.person_model import PersonModel
from telexist.retarget.errors import BadInput
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = [
    "GRAVITY",
    "PersonMotion",
    "both_angles",
    "joint_angles",
    "low_passed",
    "nearest_angles",
    "nearest_rotations",
    "person_motion",
    "spin",
]

GRAVITY = 9.81  # [m/s^2]
WINDOW = 0.08  # [s] of the differentiating filter
_ORDER = 3
_LEAST_FRAMES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonMotion:
    """How a person moves, over time.

    Attributes:
        time: (t,) [s].
        q: Joint positions (t, n) [rad], in the order of the model.
        dq: (t, n) [rad/s].
        ddq: (t, n) [rad/s^2].
        rotations: `world_R_segment` (t, 23, 3, 3).
        positions: Origins of the segments (t, 23, 3) [m].
        velocities: Of the origins (t, 23, 3) [m/s].
        pelvis_w: Angular velocity of the pelvis in its own axes (t, 3) [rad/s].
        pelvis_a: Its proper acceleration and angular acceleration, own axes (t, 6).
    """

    time: Array
    q: Array
    dq: Array
    ddq: Array
    rotations: Array
    positions: Array
    velocities: Array
    pelvis_w: Array
    pelvis_a: Array


def low_passed(values: Array, rate: float, cutoff: float) -> Array:
    """Filter along the first axis without delay, fourth order in all.

    Args:
        values: (t, ...).
        rate: Samples per second [Hz].
        cutoff: [Hz]; at or above 0.45 of the rate nothing is filtered.
    """
    if cutoff >= 0.45 * rate or len(values) < _LEAST_FRAMES:
        return values
    sections = butter(2, cutoff, fs=rate, output="sos")
    pad = min(len(values) - 1, int(rate))
    filtered: Array = sosfiltfilt(sections, values, axis=0, padlen=pad)
    return filtered


def person_motion(
    clip: HumanClip, person: PersonModel, *, cutoff: float = 6.0
) -> PersonMotion:
    """Differentiate a clip.

    Args:
        clip: The person's motion; at least a dozen frames, evenly spaced.
        person: The model with ball joints.
        cutoff: Of the low pass [Hz].

    Raises:
        BadInput: If the clip is too short or its frames are not evenly spaced.
    """
    rate = clip.rate
    if len(clip) < _LEAST_FRAMES or rate < 20.0:
        raise BadInput(
            f"{clip.source}: {len(clip)} frames at {rate:.3g} Hz are too few for "
            f"accelerations; needed: {_LEAST_FRAMES} at 20 Hz"
        )
    if np.abs(np.diff(clip.time) * rate - 1.0).max() > 0.2:
        raise BadInput(f"{clip.source}: its frames are not evenly spaced in time")
    R = nearest_rotations(low_passed(np.array(clip.rotations), rate, cutoff))
    p = low_passed(np.array(clip.positions), rate, cutoff)
    q = joint_angles(person, R)
    window = max(5, 2 * round(WINDOW * rate / 2.0) + 1)

    def derivative(values: Array, order: int) -> Array:
        result: Array = savgol_filter(
            values, window, _ORDER, deriv=order, delta=1.0 / rate, axis=0
        )
        return result

    world_R = R[:, 0]
    w = spin(np.swapaxes(world_R, 1, 2) @ derivative(world_R, 1))
    felt = derivative(p[:, 0], 2) + [0.0, 0.0, GRAVITY]
    linear = np.einsum("tji,tj->ti", world_R, felt)
    return PersonMotion(
        time=np.array(clip.time),
        q=q,
        dq=derivative(q, 1),
        ddq=derivative(q, 2),
        rotations=R,
        positions=p,
        velocities=derivative(p, 1),
        pelvis_w=w,
        pelvis_a=np.concatenate([linear, derivative(w, 1)], axis=1),
    )


def spin(M: Array) -> Array:
    """Return the vectors (..., 3) of the skew parts of matrices (..., 3, 3)."""
    doubled = np.stack(
        [
            M[..., 2, 1] - M[..., 1, 2],
            M[..., 0, 2] - M[..., 2, 0],
            M[..., 1, 0] - M[..., 0, 1],
        ],
        axis=-1,
    )
    half: Array = doubled / 2.0
    return half


def nearest_rotations(M: Array) -> Array:
    """Return the rotations nearest to matrices (..., 3, 3)."""
    U, _, Vt = np.linalg.svd(M)
    U[..., 2] *= np.linalg.det(U @ Vt)[..., None]
    R: Array = U @ Vt
    return R


def joint_angles(person: PersonModel, rotations: Array) -> Array:
    """Return the angles of three-axis joints (t, n) [rad], without jumps.

    Args:
        person: A model all of whose joints have three axes.
        rotations: `world_R_segment` (t, 23, 3, 3).

    Raises:
        BadInput: If a joint has fewer axes.
    """
    q = np.zeros((len(rotations), person.n))
    for link in range(len(SEGMENTS)):
        above = person.parent[link]
        if above < 0:
            continue
        axes = person.axes[link]
        if (axes < 0).any():
            raise BadInput(f"{SEGMENTS[link]}: three axes are needed to hold any turn")
        R = np.swapaxes(rotations[:, above], 1, 2) @ rotations[:, link]
        first = person.first[link]
        q[:, first : first + 3] = _three_angles(R, axes)
    return q


def both_angles(R: Array, axes: NDArray[np.int64]) -> Array:
    """Return both triples of angles of R = R_i(a) R_j(b) R_k(c) (2, m, 3) [rad].

    Args:
        R: (m, 3, 3).
        axes: i, j, k: (3,), or of each (m, 3).
    """
    i, j, k = np.moveaxis(axes, -1, 0)
    row = np.arange(len(R))
    sign = np.where((j - i) % 3 == 1, 1.0, -1.0)
    b = np.arcsin(np.clip(sign * R[row, i, k], -1.0, 1.0))
    a = np.arctan2(-sign * R[row, j, k], R[row, k, k])
    c = np.arctan2(-sign * R[row, i, j], R[row, i, i])
    return np.array(
        [np.stack([a, b, c], axis=1), np.stack([a + np.pi, np.pi - b, c + np.pi], 1)]
    )


def nearest_angles(both: Array, last: Array) -> Array:
    """Return of two triples (2, ..., 3) the one nearer to the last (..., 3)."""
    near = both + 2.0 * np.pi * np.round((last - both) / (2.0 * np.pi))
    far = np.abs(near - last).sum(axis=-1)
    return np.where((far[1] < far[0])[..., None], near[1], near[0])


def _three_angles(R: Array, axes: NDArray[np.int64]) -> Array:
    """Return the angles of R = R_i(a) R_j(b) R_k(c), continuous over time (t, 3)."""
    both = both_angles(R, axes)
    angles = both[0].copy()
    for t in range(1, len(angles)):
        angles[t] = nearest_angles(both[:, t], angles[t - 1])
    return angles
