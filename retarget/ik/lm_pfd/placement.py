"""Compiled kinematics: links in the world, and joints moved along a direction."""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner
from retarget.ik.lm_pfd.records import FIXED, FREE, PRISMATIC, REVOLUTE
from retarget.ik.lm_pfd.small_blocks import copy_block, copy_vector
from retarget.ik.rotations import exponential, product, turn

__all__ = ["aim_joints", "keep_posture", "move_joints", "place_links"]


@inner
def place_links(links):  # type: ignore[no-untyped-def]
    """Place all links in the world, from the turns and slides of their joints."""
    for i in range(len(links)):
        own = links[i]
        if own.parent >= 0:
            on = links[own.parent]
            product(on.R, own.rest_R, own.base)
            turn(on.R, own.rest_p, own.r)
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
            turn(own.base, own.axis, own.a)
        if own.parent >= 0:
            for k in range(3):
                own.p[k] = links[own.parent].p[k] + own.r[k]
        else:
            copy_vector(own.r, own.p)


@inner
def aim_joints(links):  # type: ignore[no-untyped-def]
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


@inner
def keep_posture(links):  # type: ignore[no-untyped-def]
    """Remember the joints as the start of the iteration."""
    for i in range(len(links)):
        own = links[i]
        copy_block(own.turn, own.last_turn)
        copy_vector(own.slide, own.last_slide)


@inner
def move_joints(links, share):  # type: ignore[no-untyped-def]
    """Move the joints from where they were kept by a share of dq: [A] (6).

    Returns:
        The largest displacement.
    """
    largest, A = 0.0, np.empty((3, 3))
    for i in range(len(links)):
        own = links[i]
        dq = own.dq
        if own.kind != PRISMATIC and own.kind != FIXED:
            exponential(share * dq[0], share * dq[1], share * dq[2], A)
            product(A, own.last_turn, own.turn)
        if own.kind == PRISMATIC or own.kind == FREE:
            for k in range(3):
                own.slide[k] = own.last_slide[k] + share * dq[3 + k]
        for k in range(6):
            largest = max(largest, abs(dq[k]))
    return share * largest
