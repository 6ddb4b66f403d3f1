"""Smooth functions of time from a few numbers: the material of generated motion."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.polynomial import Polynomial
from telexist.retarget.so3 import Array

__all__ = ["blurred_path", "key_path", "minimum_jerk"]


def minimum_jerk(s: Array) -> Array:
    """Rise from 0 to 1 for s in [0, 1] with the least jerk; constant outside.

    Speed and acceleration vanish at both ends.
    """
    s = np.clip(s, 0.0, 1.0)
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


def key_path(keys: Sequence[tuple[float, float]], time: Array) -> Array:
    """Go from key to key by minimum-jerk blends, resting at each; constant outside.

    Args:
        keys: Times [s], increasing, and the values there.
        time: Where to evaluate (t,) [s].

    Returns:
        Values (t,).
    """
    value = np.full(np.shape(time), keys[0][1])
    for (t0, v0), (t1, v1) in zip(keys[:-1], keys[1:], strict=True):
        if v0 != v1:
            value = value + (v1 - v0) * minimum_jerk((time - t0) / (t1 - t0))
    return value


def _ramp_blur() -> Polynomial:
    """Integrate the kernel 35/32 (1 - u^2)^3 twice from u = -1."""
    return (Polynomial([1.0, 0.0, -1.0]) ** 3 * (35.0 / 32.0)).integ(2, lbnd=-1)


_RAMP_BLUR = _ramp_blur()


def blurred_path(
    keys: Sequence[tuple[float, float]], time: Array, *, width: float
) -> Array:
    """Average the broken line through the keys over a window of `width` each way.

    A body's mass follows its support in much this way: it sets out before the support
    moves and arrives after it. The window is smooth and ends, so that what happens more
    than `width` away in time has no effect at all. The line is constant outside.

    Args:
        keys: Times [s], increasing, and the values there.
        time: Where to evaluate (t,) [s].
        width: Half of the window [s].

    Returns:
        Values (t,), four times continuously differentiable.
    """
    times, values = np.array(keys, dtype=np.float64).T
    slopes = np.concatenate([[0.0], np.diff(values) / np.diff(times), [0.0]])
    value = np.full(np.shape(time), values[0])
    for t, change in zip(times, np.diff(slopes), strict=True):
        u = (time - t) / width
        ramp = np.where(u >= 1.0, u, _RAMP_BLUR(np.clip(u, -1.0, 1.0)))
        value = value + change * width * ramp
    return value
