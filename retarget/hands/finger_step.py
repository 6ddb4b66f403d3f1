"""One step of fingers towards a person's, as one compiled call.

Levenberg and Marquardt's method over the drives `x` inside a box, of

    sum_f W_TIP |(tip_f - base_f) / L_f - t_f|^2
    + sum_f w(d_f) |(tip_f - tip_thumb) / L_thumb - u_f|^2
    + W_CURL |x - x_curl|^2 + W_LAST |x - x_last|^2

with the wanted tips `t` and pinches `u` in lengths of the fingers and the thumb. A step
that does not lessen the sum is taken back and tried again with more damping, so what is
out of reach is not swung about.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Bools, Ints, jit_hold_gil
from telexist.retarget.so3 import Array

__all__ = ["HandArrays", "step_fingers"]

TRIES = 6  # times that the sum is looked at
LEAST_DAMPING = 1e-4  # of the diagonal
MOST_DAMPING = 1e6


class HandArrays(NamedTuple):
    """A hand laid out for the step: n joints, m drives, f fingers, thumb first.

    Attributes:
        parent: Body that carries each joint (n,).
        rotation: See `HandLinkage` (n, 3, 3).
        position: (n, 3).
        axis: (n, 3).
        slides: (n,).
        drive: Which drive moves each joint, or -1 (n,).
        multiplier: (n,).
        offset: Added; the whole position where there is no drive (n,).
        moves: Whether a joint moves a body (n + 1, n).
        ends: Base body and tip body of each finger (f, 2).
        end_points: Base and tip in axes of their bodies (f, 2, 3).
        length: Of the straight finger (f,).
        lower: Of each drive (m,).
        upper: (m,).
        R: Work: orientations of the bodies (n + 1, 3, 3).
        p: Work: their places (n + 1, 3).
        own_axis: Work: the joints' axes along body 0 (n, 3).
        bases: Work: places of the bases (f, 3).
        tips: Work: places of the tips (f, 3).
        J: Work: derivatives of vectors and tips by the drives (2, f, 3, m).
        H: Work (m, m).
        g: Work (m,).
        L: Work (m, m).
        y: Work (m,).
        dx: Work: the step (m,).
        free: Work: drives that are not at an end (m,).
        best: Work: the best positions so far (m,).
        damping: Work: that of the last step (1,).
    """

    parent: Ints
    rotation: Array
    position: Array
    axis: Array
    slides: Bools
    drive: Ints
    multiplier: Array
    offset: Array
    moves: Bools
    ends: Ints
    end_points: Array
    length: Array
    lower: Array
    upper: Array
    R: Array
    p: Array
    own_axis: Array
    bases: Array
    tips: Array
    J: Array
    H: Array
    g: Array
    L: Array
    y: Array
    dx: Array
    free: Ints
    best: Array
    damping: Array


@jit_hold_gil
def step_fingers(
    hand: HandArrays, goals: Array, weights: Array, rest: Array, box: Array, x: Array
) -> None:
    """Move the drives towards the goals, in place.

    Args:
        hand: The hand, with its work space.
        goals: Wanted tip vectors (0) and pinches (1), along body 0 (2, f, 3).
        weights: Of tips (0) and pinches (1); the thumb has no pinch (2, f).
        rest: Posture towards which the drives are drawn (0) and its weights (1) (2, m).
        box: Lowest and highest positions at the end of this step (2, m).
        x: Positions of the drives, inside the box (m,).
    """
    n = len(hand.parent)
    m = len(x)
    f = len(hand.length)
    H, g, L, y, dx, free = hand.H, hand.g, hand.L, hand.y, hand.dx, hand.free
    J, R, p, own, best = hand.J, hand.R, hand.p, hand.own_axis, hand.best
    for r in range(3):
        p[0, r] = 0.0
        for c in range(3):
            R[0, r, c] = 1.0 if r == c else 0.0
    least = np.inf
    damping = hand.damping[0]
    for attempt in range(TRIES):
        # Where the bodies are.
        for i in range(n):
            b = hand.parent[i]
            d = hand.drive[i]
            q = hand.offset[i]
            if d >= 0:
                q += hand.multiplier[i] * x[d]
            a0, a1, a2 = hand.axis[i, 0], hand.axis[i, 1], hand.axis[i, 2]
            s, k = (0.0, 1.0) if hand.slides[i] else (np.sin(q), np.cos(q))
            v = 1.0 - k
            e00, e01, e02 = k + v * a0 * a0, v * a0 * a1 - s * a2, v * a0 * a2 + s * a1
            e10, e11, e12 = v * a1 * a0 + s * a2, k + v * a1 * a1, v * a1 * a2 - s * a0
            e20, e21, e22 = v * a2 * a0 - s * a1, v * a2 * a1 + s * a0, k + v * a2 * a2
            for r in range(3):
                m0 = m1 = m2 = 0.0
                place = p[b, r]
                for c in range(3):
                    w = R[b, r, c]
                    m0 += w * hand.rotation[i, c, 0]
                    m1 += w * hand.rotation[i, c, 1]
                    m2 += w * hand.rotation[i, c, 2]
                    place += w * hand.position[i, c]
                along = m0 * a0 + m1 * a1 + m2 * a2
                own[i, r] = along
                if hand.slides[i]:
                    place += q * along
                p[i + 1, r] = place
                R[i + 1, r, 0] = m0 * e00 + m1 * e10 + m2 * e20
                R[i + 1, r, 1] = m0 * e01 + m1 * e11 + m2 * e21
                R[i + 1, r, 2] = m0 * e02 + m1 * e12 + m2 * e22
        # Where tips and bases are, and what that is worth.
        cost = 0.0
        for a in range(m):
            cost += rest[1, a] * (x[a] - rest[0, a]) ** 2
        for j in range(f):
            for r in range(3):
                first, last = hand.ends[j, 0], hand.ends[j, 1]
                base, tip = p[first, r], p[last, r]
                for c in range(3):
                    base += R[first, r, c] * hand.end_points[j, 0, c]
                    tip += R[last, r, c] * hand.end_points[j, 1, c]
                hand.bases[j, r] = base
                hand.tips[j, r] = tip
                error = (tip - base) / hand.length[j] - goals[0, j, r]
                cost += weights[0, j] * error * error
                if j > 0:
                    error = (tip - hand.tips[0, r]) / hand.length[0]
                    cost += weights[1, j] * (error - goals[1, j, r]) ** 2
        if cost < least:
            least = cost
            damping = max(0.3 * damping, LEAST_DAMPING)
            for a in range(m):
                best[a] = x[a]
        else:
            damping = min(8.0 * damping, MOST_DAMPING)
        if attempt == TRIES - 1:
            break
        if cost == least:
            # How they move with the drives.
            for j in range(f):
                for r in range(3):
                    for a in range(m):
                        J[0, j, r, a] = 0.0
                        J[1, j, r, a] = 0.0
                for end in range(2):
                    sign = 2.0 * end - 1.0
                    point = hand.tips[j] if end else hand.bases[j]
                    for i in range(n):
                        a = hand.drive[i]
                        if a < 0 or not hand.moves[hand.ends[j, end], i]:
                            continue
                        u0, u1, u2 = own[i, 0], own[i, 1], own[i, 2]
                        if not hand.slides[i]:
                            r0 = point[0] - p[i + 1, 0]
                            r1 = point[1] - p[i + 1, 1]
                            r2 = point[2] - p[i + 1, 2]
                            v0 = u1 * r2 - u2 * r1
                            v1 = u2 * r0 - u0 * r2
                            u2 = u0 * r1 - u1 * r0
                            u0, u1 = v0, v1
                        k = hand.multiplier[i]
                        J[0, j, 0, a] += sign * k * u0
                        J[0, j, 1, a] += sign * k * u1
                        J[0, j, 2, a] += sign * k * u2
                        if end == 1:
                            J[1, j, 0, a] += k * u0
                            J[1, j, 1, a] += k * u1
                            J[1, j, 2, a] += k * u2
            # Normal equations, lower half.
            for a in range(m):
                g[a] = rest[1, a] * (x[a] - rest[0, a])
                for b in range(a):
                    H[a, b] = 0.0
                H[a, a] = rest[1, a]
            for j in range(f):
                for pinch in range(2 if j > 0 else 1):
                    weight = weights[pinch, j]
                    scale = 1.0 / hand.length[0 if pinch else j]
                    for r in range(3):
                        value = hand.tips[j, r]
                        value -= hand.tips[0, r] if pinch else hand.bases[j, r]
                        error = value * scale - goals[pinch, j, r]
                        for a in range(m):
                            y[a] = J[pinch, j, r, a] * scale
                            if pinch:
                                y[a] -= J[1, 0, r, a] * scale
                        for a in range(m):
                            if y[a] != 0.0:
                                wy = weight * y[a]
                                g[a] += wy * error
                                for b in range(a + 1):
                                    H[a, b] += wy * y[b]
        # The step inside the box: what would leave it stops at its end.
        for a in range(m):
            free[a] = 1
        for _again in range(m + 1):
            for a in range(m):
                if not free[a]:
                    continue
                y[a] = -g[a]
                for b in range(m):
                    if not free[b]:
                        y[a] -= (H[a, b] if a > b else H[b, a]) * dx[b]
                for b in range(a + 1):
                    if not free[b]:
                        continue
                    total = H[a, b] if a != b else (1.0 + damping) * H[a, a]
                    for c in range(b):
                        if free[c]:
                            total -= L[a, c] * L[b, c]
                    if a == b:
                        L[a, a] = np.sqrt(max(total, 1e-12))
                    else:
                        L[a, b] = total / L[b, b]
                for c in range(a):
                    if free[c]:
                        y[a] -= L[a, c] * y[c]
                y[a] /= L[a, a]
            for a in range(m - 1, -1, -1):
                if free[a]:
                    for c in range(a + 1, m):
                        if free[c]:
                            y[a] -= L[c, a] * y[c]
                    y[a] /= L[a, a]
                    dx[a] = y[a]
            left = False
            for a in range(m):
                if free[a] and not box[0, a] <= best[a] + dx[a] <= box[1, a]:
                    below = best[a] + dx[a] < box[0, a]
                    dx[a] = (box[0, a] if below else box[1, a]) - best[a]
                    free[a] = 0
                    left = True
            if not left:
                break
        for a in range(m):
            x[a] = min(max(best[a] + dx[a], box[0, a]), box[1, a])
    hand.damping[0] = damping
    for a in range(m):
        x[a] = best[a]
