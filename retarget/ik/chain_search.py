"""Joint angles of short chains between two links whose orientations are both wanted.

Where every link that matters has a wanted orientation, the joints between two of them
are a problem of their own, of one to seven joints. It is small enough to be tried from
many starts, and so it is solved in spite of limits that stop a step on its way.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import (
    Bools,
    Ints,
    Records,
    jit_internal,
    jit_release_gil,
)
from telexist.retarget.ik.rotations import (
    copy_matrix,
    copy_vector,
    exponential,
    logarithm,
    product,
    product_transposed,
)
from telexist.retarget.so3 import Array

__all__ = ["search_chain"]

ITERATIONS = 40  # from each start
CLOSE = 1e-7  # [rad] error of a chain that is solved
STRIDE = 1.0  # [rad] that a joint moves in one iteration at most
ENOUGH = 4  # solutions from which the nearest is taken
ENDLESS = np.pi  # [rad] range in which starts are tried where there is no limit


@jit_internal
def _follow_chain(
    bodies: Records, chain: Ints, q: Array, R: Array, axes: Array, A: Array, B: Array
) -> None:
    """Turn R by all joints of a chain; fill their axes in the world."""
    for j in range(len(chain)):
        own = bodies[chain[j]]
        product(R, own.rest_R, A)
        for r in range(3):
            axes[j, r] = 0.0
            if own.slides == 0:
                for c in range(3):
                    axes[j, r] += A[r, c] * own.axis[c]
        turn = 0.0 if own.slides != 0 else q[j]
        exponential(turn * own.axis[0], turn * own.axis[1], turn * own.axis[2], B)
        product(A, B, R)


@jit_internal
def _solve_free(axes: Array, e: Array, free: Bools, damping: float, x: Array) -> None:
    """Fill x of the free joints: min |e - J x|^2 + damping |x|^2, others given."""
    k = len(free)
    H, g = np.zeros((k, k)), np.zeros(k)
    for i in range(k):
        H[i, i] = 1.0
        if not free[i]:
            g[i] = x[i]
            continue
        H[i, i] = damping
        for j in range(k):
            s = axes[i, 0] * axes[j, 0] + axes[i, 1] * axes[j, 1]
            s += axes[i, 2] * axes[j, 2]
            if free[j]:
                H[i, j] += s
            else:
                g[i] -= s * x[j]
        g[i] += axes[i, 0] * e[0] + axes[i, 1] * e[1] + axes[i, 2] * e[2]
    copy_vector(np.linalg.solve(H, g), x)


@jit_internal
def _bounded_step(
    bodies: Records, chain: Ints, q: Array, axes: Array, e: Array, x: Array
) -> None:
    """Fill the step x of a chain, every joint inside its limits."""
    k = len(chain)
    free = np.ones(k, dtype=np.bool_)
    for j in range(k):
        x[j] = 0.0
        free[j] = bodies[chain[j]].held == 0
    damping = 1e-2 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) + 1e-12
    for _ in range(k):
        _solve_free(axes, e, free, damping, x)
        settled = True
        for j in range(k):
            own = bodies[chain[j]]
            low, high = max(own.lower - q[j], -STRIDE), min(own.upper - q[j], STRIDE)
            if free[j] and (x[j] < low or x[j] > high):
                x[j] = min(max(x[j], low), high)
                free[j] = settled = False
        if settled:
            return


@jit_internal
def _solve_chain(
    bodies: Records, chain: Ints, start: Array, wanted: Array, q: Array
) -> float:
    """Turn the joints q from where they are; return the error that is left [rad]."""
    k = len(chain)
    R, A, B = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    axes, x, e = np.empty((k, 3)), np.zeros(k), np.zeros(3)
    error = np.inf
    for _ in range(ITERATIONS):
        copy_matrix(start, R)
        _follow_chain(bodies, chain, q, R, axes, A, B)
        product_transposed(wanted, R, A)
        logarithm(A, e)
        error = np.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
        if error < CLOSE:
            break
        _bounded_step(bodies, chain, q, axes, e, x)
        for j in range(k):
            own = bodies[chain[j]]
            q[j] = min(max(q[j] + x[j], own.lower), own.upper)
    return error


@jit_internal
def _travel(bodies: Records, chain: Ints, q: Array) -> float:
    """Return the time that a chain takes to a posture, at full speed [s]."""
    longest = 0.0
    for j in range(len(chain)):
        own = bodies[chain[j]]
        longest = max(longest, abs(q[j] - own.q) / own.velocity)
    return longest


@jit_release_gil
def search_chain(
    bodies: Records,
    chain: Ints,
    start: Array,
    wanted: Array,
    shares: Array,
    best: Array,
) -> float:
    """Find the joints of a chain that turn its end as wanted; the quickest to reach.

    Args:
        bodies: Of a `Mechanism`; nothing is changed.
        chain: Bodies from the root of the chain to its end (k,).
        start: Orientation of the body that carries the chain (3, 3).
        wanted: Orientation of its end (3, 3).
        shares: Starts as shares of the joints' ranges (t, k); before them come the
            joints as they are and the neutral posture.
        best: Filled with the joints (k,).

    Returns:
        The error that is left [rad].
    """
    k, found, least, nearest = len(chain), 0, np.inf, np.inf
    q = np.empty(k)
    for t in range(-2, len(shares)):
        for j in range(k):
            own = bodies[chain[j]]
            low, high = max(own.lower, -ENDLESS), min(own.upper, ENDLESS)
            q[j] = own.q
            if t == -1 and own.held == 0:
                q[j] = own.neutral
            elif t >= 0 and own.held == 0:
                q[j] = low + shares[t, j] * (high - low)
            q[j] = min(max(q[j], own.lower), own.upper)
        error = _solve_chain(bodies, chain, start, wanted, q)
        travel = _travel(bodies, chain, q)
        solved = error < CLOSE
        found += 1 if solved else 0
        better = travel < nearest if solved and least < CLOSE else error < least
        if better:
            least, nearest = error, travel
            copy_vector(q, best)
        if found == ENOUGH:
            break
    return least
