"""Where an accelerometer sits on a segment, [L] (4)-(5).

A point p of a segment feels, in the segment's axes,

    a_p = a + (hat(dw) + hat(w)^2) p,

with a the proper acceleration of the segment's origin, w its angular velocity and dw
its angular acceleration: linear in p. A motion about one axis leaves p along that axis
unknown; a prior of ten centimetres about the origin keeps it there, and the deviation
says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.signals import frozen_array
from telexist.retarget.so3 import Array

__all__ = ["ImuPlace", "SegmentAcceleration", "find_place"]

PRIOR = 0.1  # [m] deviation of a place before anything was felt
LEAST = 20  # samples


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentAcceleration:
    """How a segment moves over time, in its own axes.

    Attributes:
        origin: Proper acceleration of its origin (t, 3) [m/s^2].
        w: Angular velocity (t, 3) [rad/s].
        dw: Angular acceleration (t, 3) [rad/s^2].
    """

    origin: Array
    w: Array
    dw: Array

    def __post_init__(self) -> None:
        """Copy and freeze the arrays.

        Raises:
            BadInput: If they do not belong together, or are not finite.
        """
        t = len(self.origin)
        for name in ("origin", "w", "dw"):
            value = frozen_array(getattr(self, name), (t, 3), name)
            if not np.isfinite(value).all():
                raise BadInput(f"{name} of a segment is not finite")
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImuPlace:
    """Where an accelerometer sits.

    Attributes:
        position: `segment_p_imu` (3,) [m].
        covariance: Of the place (3, 3) [m^2].
        condition: Of the problem without its prior: 1 is a motion about all axes
            alike, inf about one.
        residual: Root mean square of what is not explained [m/s^2].
    """

    position: Array
    covariance: Array
    condition: float
    residual: float

    @property
    def deviation(self) -> Array:
        """Standard deviation along the segment's axes (3,) [m]."""
        spread: Array = np.sqrt(np.diag(self.covariance))
        return spread


def find_place(
    motion: SegmentAcceleration,
    readings: Array,
    *,
    segment_R_imu: Array | None = None,
    noise: float = 0.1,
    prior: float = PRIOR,
) -> ImuPlace:
    """Find the place by least squares.

    Args:
        motion: Of the segment.
        readings: What the accelerometer felt at the same times (t, 3) [m/s^2], upwards
            at rest.
        segment_R_imu: How it is turned on the segment (3, 3); None: as the segment.
        noise: Standard deviation of a reading [m/s^2].
        prior: Of the place, about the segment's origin [m].

    Raises:
        BadInput: If there are too few readings, or some are not finite.
    """
    readings = np.asarray(readings, dtype=np.float64)
    t = len(motion.origin)
    if readings.shape != (t, 3) or t < LEAST or not np.isfinite(readings).all():
        raise BadInput(
            f"a place needs {LEAST} finite readings or more, one for each moment of "
            f"the segment; found: {readings.shape[0]} for {t}"
        )
    if not (noise > 0.0 and prior > 0.0):
        raise BadInput("deviations of readings and of a place must be positive")
    R = np.eye(3) if segment_R_imu is None else segment_R_imu
    felt = readings @ R.T - motion.origin
    A = _levers(motion.w, motion.dw)
    normal = np.einsum("tji,tjk->ik", A, A)
    right = np.einsum("tji,tj->i", A, felt)
    information = normal / noise**2 + np.eye(3) / prior**2
    position = np.linalg.solve(information, right / noise**2)
    least, *_, most = np.linalg.eigvalsh(normal)
    left = felt - A @ position
    return ImuPlace(
        position=position,
        covariance=np.linalg.inv(information),
        condition=float(np.sqrt(most / least)) if least > 0.0 else float("inf"),
        residual=float(np.sqrt(np.mean(left**2))),
    )


def _levers(w: Array, dw: Array) -> Array:
    """Return hat(dw) + hat(w)^2 (t, 3, 3)."""
    square = np.einsum("ti,tj->tij", w, w) - np.einsum(
        "t,ij->tij", np.sum(w * w, axis=1), np.eye(3)
    )
    x, y, z = dw.T
    zero = np.zeros_like(x)
    turn = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])
    levers: Array = np.moveaxis(turn, 2, 0) + square
    return levers
