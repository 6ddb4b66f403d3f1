"""Orientations without their tremor; see `retarget/follow/tremor_filter.py`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import jit_hold_gil, jit_internal
from telexist.retarget.ik import (
    copy_matrix,
    exponential,
    logarithm,
    product,
    product_transposed,
)
from telexist.retarget.so3 import Array

__all__ = ["LEAST", "Tremor", "hold_steady"]

LEAST = float(np.deg2rad(0.2))  # a smaller tremor is left as it is
REACH = 4.0  # tremors from the orientation seen at which it is believed at once
STEADY = 0.3  # [s] over which the orientations of a still person are averaged
MEMORY = 0.5  # [s] over which the tremor is
FRAMES = 3.5  # a product of two second differences takes four frames


class Tremor(NamedTuple):
    """What is known of the noise of some segments; changed in place.

    Attributes:
        steady: Orientations without tremor (s, 3, 3).
        seen: Orientations of the last frame (s, 3, 3).
        step: Turns that led there (s, 3) [rad].
        bend: How these differed from those before (s, 3) [rad].
        variance: Of the noise, all axes together (s,) [rad^2].
        age: Time since the first frame (1,) [s].
    """

    steady: Array
    seen: Array
    step: Array
    bend: Array
    variance: Array
    age: Array


@jit_internal
def _note(t: Tremor, g: int, R: Array, dt: float) -> None:
    """Take in an orientation of segment g: how much it trembles."""
    A, step = np.empty((3, 3)), np.empty(3)
    product_transposed(R, t.seen[g], A)
    logarithm(A, step)
    product_ = 0.0
    for r in range(3):
        bend = step[r] - t.step[g, r]
        product_ -= bend * t.bend[g, r] / 4.0
        t.step[g, r], t.bend[g, r] = step[r], bend
        for c in range(3):
            t.seen[g, r, c] = R[r, c]
    if t.age[0] > FRAMES * dt:
        t.variance[g] += (product_ - t.variance[g]) * dt / min(t.age[0], MEMORY)


@jit_hold_gil
def hold_steady(t: Tremor, R: Array, dt: float) -> None:
    """Follow a frame with all segments.

    Args:
        t: What is known of the noise; its `steady` is the result.
        R: Orientations of the segments (s, 3, 3).
        dt: Time since the last frame [s].
    """
    A, B, lacks = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    t.age[0] += dt
    slow = max(1.0 - np.exp(-dt / STEADY), dt / t.age[0])
    for g in range(len(R)):
        _note(t, g, R[g], dt)
        tremor = np.sqrt(max(t.variance[g], 0.0))
        if tremor < LEAST:
            copy_matrix(R[g], t.steady[g])
            continue
        product_transposed(R[g], t.steady[g], A)
        logarithm(A, lacks)
        far = np.sqrt(lacks[0] ** 2 + lacks[1] ** 2 + lacks[2] ** 2)
        share = min(max(slow, (far / (REACH * tremor)) ** 4), 1.0)
        exponential(share * lacks[0], share * lacks[1], share * lacks[2], A)
        product(A, t.steady[g], B)
        copy_matrix(B, t.steady[g])
