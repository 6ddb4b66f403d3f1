"""What a raw frame must satisfy to get any further.

The checks of everything that comes from a network: numbers are finite (else "nan"),
quaternions have length 1 within 1e-2, nobody is farther than 1 km away or moves faster
than any person can, and bones are as long as bones are (else "malformed").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retarget.segments import LIMBS, PARENT
from retarget.so3 import Array
from teleop.devices.refused import Refused

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
        Refused: As "nan".
    """
    if not np.isfinite(values).all():
        raise Refused("nan", f"{what} not finite")


def require_unit_quaternions(quaternions: Array) -> None:
    """Refuse quaternions (..., 4) that are no rotation.

    Raises:
        Refused: As "nan" or "malformed".
    """
    require_finite(quaternions, "a quaternion is")
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(quaternions, axis=-1)
    if not (np.abs(lengths - 1.0) <= QUATERNION_TOLERANCE).all():
        raise Refused("malformed", "a quaternion has not length 1")


def require_speeds(values: Array, limit: float) -> None:
    """Refuse vectors (..., 3) that are NaN or longer than any person's.

    Raises:
        Refused: As "nan" or "malformed".
    """
    require_finite(values, "a velocity is")
    if not (np.abs(values) <= limit).all():
        raise Refused("malformed", f"a velocity above {limit:g}")


def limb_length(segments: Sequence[str], positions: Array) -> float | None:
    """Return the median length of the arm and leg bones that are there."""
    index = {name: k for k, name in enumerate(segments)}
    lengths = [
        float(np.linalg.norm(positions[index[end]] - positions[index[limb]]))
        for limb, end in LIMBS.items()
        if limb in index and end in index
    ]
    return float(np.median(lengths)) if lengths else None


def metres_per_unit(segments: Sequence[str], positions: Array) -> float:
    """Return 0.01 if bones show that positions are in centimetres, else 1."""
    length = limb_length(segments, positions)
    return 0.01 if length is not None and length > _CENTIMETRES_FROM else 1.0


def require_body(segments: Sequence[str], positions: Array) -> None:
    """Refuse positions (s, 3) [m] that are no person's.

    Raises:
        Refused: As "nan" or "malformed".
    """
    require_finite(positions, "a position is")
    if not (np.abs(positions) <= MAX_DISTANCE).all():
        raise Refused("malformed", f"a position beyond {MAX_DISTANCE:g} m")
    index = {name: k for k, name in enumerate(segments)}
    for name, k in index.items():
        parent = PARENT[name]
        if parent is None or parent not in index:
            continue
        bone = float(np.linalg.norm(positions[k] - positions[index[parent]]))
        least = MIN_LIMB if parent in LIMBS else 0.0
        if not least <= bone <= MAX_BONE:
            raise Refused("malformed", f"{parent} to {name}: {bone:.3g} m")
