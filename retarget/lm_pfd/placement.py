"""Compiled kinematics: links in the world, and joints moved along a direction."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Records, jit_internal
from telexist.retarget.ik import product, rotate
from telexist.retarget.lm_pfd.inlined import inlined
from telexist.retarget.lm_pfd.records import FIXED, FREE, PRISMATIC, REVOLUTE
from telexist.retarget.lm_pfd.small_blocks import copy_block, copy_vector
from telexist.retarget.so3 import Array

__all__ = ["aim_joints", "keep_posture", "move_joints", "place_links"]


@jit_internal
def place_links(links: Records) -> None:
    """Place all links in the world, from the turns and slides of their joints."""
    for i in range(len(links)):
        own = links[i]
        if own.parent >= 0:
            on = links[own.parent]
            product(on.R, own.rest_R, own.base)
            rotate(on.R, own.rest_p, own.r)
        else:
            copy_block(own.rest_R, own.base)
            copy_vector(own.rest_p, own.r)
        product(own.base, own.turn, own.R)
        if own.kind == PRISMATIC or own.kind == FREE:
            for k in range(3):
                s = 0.0
                for c in range(3):
                    s += own.base[k, c] * own.slide[c]
                own.r[k] += s
        if own.kind == REVOLUTE or own.kind == PRISMATIC:
            rotate(own.base, own.axis, own.a)
        if own.parent >= 0:
            for k in range(3):
                own.p[k] = links[own.parent].p[k] + own.r[k]
        else:
            copy_vector(own.r, own.p)


@jit_internal
def aim_joints(links: Records) -> float:
    """Fill dq, the displacements x in the joints' axes; return g'x."""
    slope = 0.0
    for i in range(len(links)):
        own = links[i]
        B, x, dq = own.base, own.x, own.dq
        for k in range(3):
            dq[k] = B[0, k] * x[0] + B[1, k] * x[1] + B[2, k] * x[2]
            dq[3 + k] = B[0, k] * x[3] + B[1, k] * x[4] + B[2, k] * x[5]
        for k in range(6):
            slope += own.g[k] * x[k]
    return slope


@jit_internal
def keep_posture(links: Records) -> None:
    """Remember the joints as the start of the iteration."""
    for i in range(len(links)):
        own = links[i]
        copy_block(own.turn, own.last_turn)
        copy_vector(own.slide, own.last_slide)


@jit_internal
def move_joints(links: Records, share: float) -> float:
    """Move the joints from where they were kept by a share of dq: [A] (6).

    Returns:
        The largest displacement.
    """
    largest, A = 0.0, np.empty((3, 3))
    for i in range(len(links)):
        own = links[i]
        dq = own.dq
        if own.kind != PRISMATIC and own.kind != FIXED:
            _turn_by(share * dq[0], share * dq[1], share * dq[2], A)
            product(A, own.last_turn, own.turn)
        if own.kind == PRISMATIC or own.kind == FREE:
            for k in range(3):
                own.slide[k] = own.last_slide[k] + share * dq[3 + k]
        for k in range(6):
            largest = max(largest, abs(dq[k]))
    return share * largest


@inlined
def _turn_by(x: float, y: float, z: float, out: Array) -> None:
    """Fill out with the rotation by |w| about w = (x, y, z).

    By series below half a radian, exact to rounding there; else by half angles.
    """
    t2 = x * x + y * y + z * z
    if t2 < 0.25:
        a = 1.0 / 362880.0 - t2 * (1.0 / 39916800.0 - t2 / 6227020800.0)
        a = 1.0 - t2 * (1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 * a)))
        b = 1.0 / 3628800.0 - t2 * (1.0 / 479001600.0 - t2 / 87178291200.0)
        b = 0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 * (1.0 / 40320.0 - t2 * b)))
    else:
        t = math.sqrt(t2)
        s = math.sin(0.5 * t)
        a, b = 2.0 * s * math.cos(0.5 * t) / t, 2.0 * s * s / t2
    bx, by, bz = b * x, b * y, b * z
    ax, ay, az = a * x, a * y, a * z
    out[0, 0] = 1.0 - by * y - bz * z
    out[1, 1] = 1.0 - bx * x - bz * z
    out[2, 2] = 1.0 - bx * x - by * y
    out[0, 1], out[1, 0] = bx * y - az, bx * y + az
    out[0, 2], out[2, 0] = bx * z + ay, bx * z - ay
    out[1, 2], out[2, 1] = by * z - ax, by * z + ax
