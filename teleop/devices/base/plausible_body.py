"""What a raw frame must satisfy to get any further.

The checks of everything that comes from a network: numbers are finite (else "nan"),
quaternions have length 1 within 1e-2, nobody is farther than 1 km away or moves faster
than any person can, and bones are as long as bones are (else "malformed").
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from telexist.retarget.segments import LIMBS, PARENT
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base.refused import RefusedMessage

__all__ = [
    "limb_length",
    "metres_per_unit",
    "require_body",
    "require_finite",
    "require_speeds",
    "require_unit_quaternions",
]

QUATERNION_TOLERANCE = 1e-2  # of the length; float32 keeps it to 1e-7
MAX_DISTANCE = 1000.0  # [m] from the origin
MAX_BONE = 0.8  # [m] between the origins of neighbours
MIN_LIMB = 0.05  # [m] of an arm or leg bone, avatars of children included
MAX_SPEED = 60.0  # [m/s]; a pitcher's hand reaches 30
MAX_ANGULAR_SPEED = 250.0  # [rad/s]; a pitcher's upper arm reaches 130
_CENTIMETRES_FROM = 3.0  # a limb bone longer than this is not in metres


def require_finite(values: Array, what: str) -> None:
    """Refuse NaN and infinity.

    Raises:
        RefusedMessage: As "nan".
    """
    if not np.isfinite(values).all():
        raise RefusedMessage("nan", f"{what} not finite")


def require_unit_quaternions(quaternions: Array) -> None:
    """Refuse quaternions (..., 4) that are no rotation.

    Raises:
        RefusedMessage: As "nan" or "malformed".
    """
    require_finite(quaternions, "a quaternion is")
    with np.errstate(over="ignore"):
        squares = (quaternions * quaternions).sum(axis=-1)
    if not (np.abs(np.sqrt(squares) - 1.0) <= QUATERNION_TOLERANCE).all():
        raise RefusedMessage("malformed", "a quaternion has not length 1")


def require_speeds(values: Array, limit: float) -> None:
    """Refuse vectors (..., 3) that are NaN or longer than any person's.

    Raises:
        RefusedMessage: As "nan" or "malformed".
    """
    require_finite(values, "a velocity is")
    if not (np.abs(values) <= limit).all():
        raise RefusedMessage("malformed", f"a velocity above {limit:g}")


@lru_cache(maxsize=64)
def _limbs(segments: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of near and far ends of the arm and leg bones (k,)."""
    pairs = [
        (segments.index(limb), segments.index(end))
        for limb, end in LIMBS.items()
        if limb in segments and end in segments
    ]
    near, far = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    return near, far


@lru_cache(maxsize=64)
def _bones(segments: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray, Array]:
    """Return the indices of parents and children (k,), and least lengths (k,) [m]."""
    pairs = [
        (segments.index(parent), k)
        for k, name in enumerate(segments)
        if (parent := PARENT[name]) is not None and parent in segments
    ]
    near, far = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    least = [MIN_LIMB if segments[k] in LIMBS else 0.0 for k in near]
    return near, far, np.array(least)


def _distances(positions: Array, near: np.ndarray, far: np.ndarray) -> Array:
    apart = positions[far] - positions[near]
    return np.sqrt((apart * apart).sum(axis=-1))


def limb_length(segments: tuple[str, ...], positions: Array) -> float | None:
    """Return the median length of the arm and leg bones that are there."""
    near, far = _limbs(segments)
    if not len(near):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.sort(_distances(positions, near, far))
    return float(lengths[len(lengths) // 2])


def metres_per_unit(segments: tuple[str, ...], positions: Array) -> float:
    """Return 0.01 if bones show that positions are in centimetres, else 1."""
    length = limb_length(segments, positions)
    return 0.01 if length is not None and length > _CENTIMETRES_FROM else 1.0


def require_body(segments: tuple[str, ...], positions: Array) -> None:
    """Refuse positions (s, 3) [m] that are no person's.

    Raises:
        RefusedMessage: As "nan" or "malformed".
    """
    require_finite(positions, "a position is")
    if np.abs(positions).max() > MAX_DISTANCE:
        raise RefusedMessage("malformed", f"a position beyond {MAX_DISTANCE:g} m")
    near, far, least = _bones(segments)
    lengths = _distances(positions, near, far)
    wrong = (lengths < least) | (lengths > MAX_BONE)
    if wrong.any():
        k = int(wrong.argmax())
        pair = f"{segments[near[k]]} to {segments[far[k]]}"
        raise RefusedMessage("malformed", f"{pair}: {lengths[k]:.3g} m")
