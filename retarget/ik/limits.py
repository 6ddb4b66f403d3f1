"""How fast joints may move now, so that no limit is ever crossed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["StepBounds", "step_bounds"]

SLOWING_GAIN = 20.0  # [1/rad] how close to a limit the tanh starts to slow down
RETURN_SPEED = 1.0  # [rad/s] how fast a joint found outside its limits comes back


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBounds:
    """Least and greatest displacement of n quantities over one step."""

    lower: Array
    upper: Array


def step_bounds(
    value: Array, lower: Array, upper: Array, speed: Array, dt: float
) -> StepBounds:
    """Bound the displacement over dt of quantities with limits.

    [R] (13): speed <= tanh(K_g (b - value)) * v_max, which slows the approach, and
    the one-step bound (b - value) / dt, without which the tanh can cross the limit in
    discrete time. A quantity outside its limits is led back at no more than
    `RETURN_SPEED`, without a jump.

    Args:
        value: (n,) now.
        lower: (n,) position limits, -inf if none.
        upper: (n,) position limits, inf if none.
        speed: (n,) speed limits, inf if none.
        dt: Length of the step [s].
    """
    return StepBounds(
        lower=-_one_side(value - lower, speed, dt),
        upper=_one_side(upper - value, speed, dt),
    )


def _one_side(left: Array, speed: Array, dt: float) -> Array:
    back = np.minimum(speed, RETURN_SPEED) * dt
    inside = np.maximum(left, 0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        slowed = np.tanh(SLOWING_GAIN * inside) * speed * dt
    slowed = np.where(np.isfinite(slowed), slowed, np.inf)
    return np.where(left >= 0.0, np.minimum(slowed, inside), np.maximum(left, -back))
