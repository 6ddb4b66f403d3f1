"""A person between two frames.

The robot follows at `RATE` or faster, whatever the rate of the source: so that the same
motion gives the same answer at 30 Hz and at 120 Hz.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.follow.frame_arrays import FrameArrays
from telexist.retarget.ik import exponential, logarithm, product, product_transposed

__all__ = ["fill_between", "copy_frame", "steps_between"]

RATE = 120.0  # [Hz]
MOST = 60  # steps between two frames, however far apart they are


@jit_internal
def steps_between(dt: float) -> int:
    """Return the number of steps between frames that are dt apart."""
    return min(max(int(np.ceil(dt * RATE - 0.05)), 1), MOST)


@jit_internal
def copy_frame(frame: FrameArrays) -> FrameArrays:
    """Return a copy; frames that may be written would else be compiled for too."""
    return FrameArrays(
        frame.shown,
        frame.placed,
        frame.R.copy(),
        frame.w.copy(),
        frame.p.copy(),
        frame.v.copy(),
    )


@jit_internal
def _cubic(a: float, va: float, b: float, vb: float, share: float, dt: float) -> float:
    """Return the place on the cubic from a to b with speeds va and vb."""
    rest = 1.0 - share
    return (
        a * rest * rest * (1.0 + 2.0 * share)
        + b * share * share * (1.0 + 2.0 * rest)
        + dt * share * rest * (va * rest - vb * share)
    )


@jit_internal
def fill_between(
    person: Record, frame: FrameArrays, share: float, dt: float, out: FrameArrays
) -> None:
    """Fill a person a `share` of the way from the last frame to this one.

    Args:
        person: The person at the last frame.
        frame: The person now.
        share: In (0, 1].
        dt: Time between the two [s].
        out: To be filled.
    """
    A, B, e = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    for g in range(len(frame.shown)):
        if not frame.shown[g]:
            continue
        if person.seen[g] == 0:
            for r in range(3):
                out.w[g, r], out.p[g, r] = frame.w[g, r], frame.p[g, r]
                out.v[g, r] = frame.v[g, r]
                for c in range(3):
                    out.R[g, r, c] = frame.R[g, r, c]
            continue
        product_transposed(frame.R[g], person.R[g], A)
        logarithm(A, e)
        exponential(share * e[0], share * e[1], share * e[2], A)
        product(A, person.R[g], B)
        for r in range(3):
            for c in range(3):
                out.R[g, r, c] = B[r, c]
            out.w[g, r] = person.w[g, r] + share * (frame.w[g, r] - person.w[g, r])
            out.v[g, r] = person.v[g, r] + share * (frame.v[g, r] - person.v[g, r])
            a, va = person.p[g, r], person.v[g, r]
            b, vb = frame.p[g, r], frame.v[g, r]
            out.p[g, r] = _cubic(a, va, b, vb, share, dt)
