"""Compiled errors of targets, wires and loops, their cost and their push on the links.

The cost is [A] (48), f = 1/2 e' Sigma_L e + 1/2 d' Sigma_W d, with d the excess length
of the wires. Loops add |e + b|^2 / (2 mu): their joints are soft by a compliance mu,
and the bias b makes up for it (method of multipliers).
"""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.ik import (
    arcsine_over_sine,
    logarithm,
    product,
    product_transposed,
    rotate,
)
from telexist.retarget.lm_pfd.inlined import inlined
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.lm_pfd.small_blocks import add_block, add_shifted, clear_block
from telexist.retarget.so3 import Array

__all__ = ["load_links", "update_cost"]


@jit_internal
def update_cost(m: Problem) -> float:
    """Find all errors for the links as placed; fill and return cost and merit."""
    solver = m.solver[0]
    solver.cost = _target_cost(m) + _wire_cost(m)
    solver.merit = solver.cost + _loop_cost(m) / solver.loop_compliance
    solver.evaluations += 1
    return solver.merit


@jit_internal
def _target_cost(m: Problem) -> float:
    cost, R = 0.0, np.empty((3, 3))
    for i in range(len(m.targets)):
        own = m.targets[i]
        on, e = m.links[own.link], own.e
        for k in range(3):
            e[3 + k] = own.p[k] - on.p[k]
        if own.offset != 0:
            rotate(on.R, own.point, own.arm)
            for k in range(3):
                e[3 + k] -= own.arm[k]
        if own.turns != 0:
            _turn_error(own.R, on.R, e, R)
        y, W = own.push, own.weight
        e0, e1, e2, e3, e4, e5 = e[0], e[1], e[2], e[3], e[4], e[5]
        if own.plain != 0:
            a, b = own.turn_weight, own.place_weight
            y[0], y[1], y[2], y[3], y[4], y[5] = (
                a * e0,
                a * e1,
                a * e2,
                b * e3,
                b * e4,
                b * e5,
            )
            cost += a * (e0 * e0 + e1 * e1 + e2 * e2) + b * (
                e3 * e3 + e4 * e4 + e5 * e5
            )
            continue
        for r in range(6):
            s = W[0, r] * e0 + W[1, r] * e1 + W[2, r] * e2
            y[r] = s + W[3, r] * e3 + W[4, r] * e4 + W[5, r] * e5
        cost += e0 * y[0] + e1 * y[1] + e2 * y[2]
        cost += e3 * y[3] + e4 * y[4] + e5 * y[5]
        if own.uneven != 0:
            _pull_back(e, y)
    return 0.5 * cost


@inlined
def _turn_error(A: Array, B: Array, e: Array, R: Array) -> None:
    """Fill the first of e with log(A B'), quickly where the angle is below 60 degrees.

    Sine and cosine of the angle come from A and B without their product; R is room
    for it where it is needed.
    """
    a0, a1, a2, b0, b1, b2 = A[0, 0], A[1, 0], A[2, 0], B[0, 0], B[1, 0], B[2, 0]
    a3, a4, a5, b3, b4, b5 = A[0, 1], A[1, 1], A[2, 1], B[0, 1], B[1, 1], B[2, 1]
    a6, a7, a8, b6, b7, b8 = A[0, 2], A[1, 2], A[2, 2], B[0, 2], B[1, 2], B[2, 2]
    c = (a0 * b0 + a1 * b1 + a2 * b2) + (a3 * b3 + a4 * b4 + a5 * b5)
    c += a6 * b6 + a7 * b7 + a8 * b8
    if c > 2.0:
        v0 = (b1 * a2 - b2 * a1) + (b4 * a5 - b5 * a4) + (b7 * a8 - b8 * a7)
        v1 = (b2 * a0 - b0 * a2) + (b5 * a3 - b3 * a5) + (b8 * a6 - b6 * a8)
        v2 = (b0 * a1 - b1 * a0) + (b3 * a4 - b4 * a3) + (b6 * a7 - b7 * a6)
        s2 = 0.25 * (v0 * v0 + v1 * v1 + v2 * v2)
        if s2 < 0.01:
            f = 0.5 * arcsine_over_sine(s2)
        else:
            s = math.sqrt(s2)
            f = 0.5 * math.asin(s) / s
        e[0], e[1], e[2] = f * v0, f * v1, f * v2
        return
    product_transposed(A, B, R)
    logarithm(R, e)


@inlined
def _pull_back(e: Array, y: Array) -> None:
    """Turn the angular part of y into a moment: K'y with de = -K omega.

    K = I + S/2 + f S^2, S = hat(e), is the inverse right Jacobian of the rotation group
    at the error e. Where y is along e, K'y = y: weights that are equal for all
    directions need no pulling back.
    """
    c0 = e[1] * y[2] - e[2] * y[1]
    c1 = e[2] * y[0] - e[0] * y[2]
    c2 = e[0] * y[1] - e[1] * y[0]
    t2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    half = 0.5 * np.sqrt(t2)
    f = (1.0 - half / np.tan(half)) / t2 if t2 > 1e-8 else 1.0 / 12.0
    y[0] += f * (e[1] * c2 - e[2] * c1) - 0.5 * c0
    y[1] += f * (e[2] * c0 - e[0] * c2) - 0.5 * c1
    y[2] += f * (e[0] * c1 - e[1] * c0) - 0.5 * c2


@jit_internal
def _wire_cost(m: Problem) -> float:
    """Return 1/2 d' Sigma_W d with d = max(l - natural, 0): [A] (41) and (51)."""
    for i in range(len(m.vias)):
        via = m.vias[i]
        on = m.links[via.link]
        rotate(on.R, via.point, via.arm)
        for k in range(3):
            via.p[k] = on.p[k] + via.arm[k]
    cost = 0.0
    for i in range(len(m.wires)):
        own, length = m.wires[i], 0.0
        for k in range(own.first_via, own.end_via - 1):
            a, b = m.vias[k].p, m.vias[k + 1].p
            x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            length += np.sqrt(x * x + y * y + z * z)
        own.excess = max(length - own.length, 0.0)
        cost += own.weight * own.excess * own.excess
    return 0.5 * cost


@jit_internal
def _loop_cost(m: Problem) -> float:
    cost, A, B = 0.0, np.empty((3, 3)), np.empty((3, 3))
    for i in range(len(m.loops)):
        own = m.loops[i]
        first, second, e = m.links[own.first], m.links[own.second], own.e
        rotate(first.R, own.first_point, own.first_arm)
        rotate(second.R, own.second_point, own.second_arm)
        for k in range(3):
            e[3 + k] = first.p[k] + own.first_arm[k] - second.p[k] - own.second_arm[k]
        if own.turns != 0:
            product(first.R, own.first_R_second, A)
            product_transposed(A, second.R, B)
            logarithm(B, e)
        for k in range(6):
            cost += (e[k] + own.bias[k]) ** 2
    return 0.5 * cost


@jit_internal
def load_links(m: Problem) -> None:
    """Gather what targets, wires and loops push on the links: [A] (52).

    The weights of the targets become the inertia of their links: [A] (17).
    """
    for i in range(len(m.links)):
        on = m.links[i]
        clear_block(on.inertia)
        for k in range(6):
            on.push[k] = 0.0
    for i in range(len(m.targets)):
        own = m.targets[i]
        on = m.links[own.link]
        for k in range(6):
            on.push[k] += own.push[k]
        if own.offset != 0:
            _add_moment(on.push, own.arm, own.push, 1.0)
            add_shifted(own.weight, own.arm, on.inertia)
        elif own.plain != 0:
            for k in range(3):
                on.inertia[k, k] += own.turn_weight
                on.inertia[3 + k, 3 + k] += own.place_weight
        else:
            add_block(own.weight, on.inertia)
    for i in range(len(m.wires)):
        own = m.wires[i]
        if own.excess > 0.0:
            _fill_row(m, own)
            for k in range(own.first_part, own.end_part):
                part = m.parts[k]
                on = m.links[part.link]
                for r in range(6):
                    on.push[r] -= own.weight * own.excess * part.row[r]
    for i in range(len(m.loops)):
        _push_loop(m, m.loops[i])


@jit_internal
def _push_loop(m: Problem, own: Record) -> None:
    """Draw the two links of a loop together."""
    wrench = np.empty(6)
    for k in range(6):
        wrench[k] = (own.e[k] + own.bias[k]) / m.solver[0].loop_compliance
    first, second = m.links[own.first].push, m.links[own.second].push
    for k in range(6):
        first[k] -= wrench[k]
        second[k] += wrench[k]
    _add_moment(first, own.first_arm, wrench, -1.0)
    _add_moment(second, own.second_arm, wrench, 1.0)


@inlined
def _add_moment(push: Array, arm: Array, wrench: Array, share: float) -> None:
    """Add the moment of the wrench's force on an arm."""
    f0, f1, f2 = share * wrench[3], share * wrench[4], share * wrench[5]
    push[0] += arm[1] * f2 - arm[2] * f1
    push[1] += arm[2] * f0 - arm[0] * f2
    push[2] += arm[0] * f1 - arm[1] * f0


@jit_internal
def _fill_row(m: Problem, wire: Record) -> None:
    """Fill how the links' motions lengthen a wire: [A] (44)-(47)."""
    for k in range(wire.first_part, wire.end_part):
        m.parts[k].row[:] = 0.0
    for k in range(wire.first_via, wire.end_via - 1):
        a, b = m.vias[k], m.vias[k + 1]
        if a.part == b.part:
            continue  # this stretch is rigid
        x, y, z = a.p[0] - b.p[0], a.p[1] - b.p[1], a.p[2] - b.p[2]
        length = np.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            x, y, z = x / length, y / length, z / length
            _add_direction(m.parts[a.part].row, a.arm, x, y, z)
            _add_direction(m.parts[b.part].row, b.arm, -x, -y, -z)


@inlined
def _add_direction(row: Array, arm: Array, x: float, y: float, z: float) -> None:
    row[0] += arm[1] * z - arm[2] * y
    row[1] += arm[2] * x - arm[0] * z
    row[2] += arm[0] * y - arm[1] * x
    row[3] += x
    row[4] += y
    row[5] += z
