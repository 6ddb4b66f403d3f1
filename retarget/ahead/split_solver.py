"""Least squares with joint limits and balance, by splitting (ADMM).

min 1/2 x'H x - g'x, start + x in a box and J x + now where the floor can carry it.
Both wishes get a copy of their own that is projected, and a dual that is kept from call
to call: the problem is linearised anew where the last solution was.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.ahead.balance_rows import BalanceRows, inside
from telexist.retarget.ahead.banded import ClipNormal
from telexist.retarget.ahead.settings import AheadSettings
from telexist.retarget.so3 import Array

__all__ = ["SplitSolver"]

RELAXED = 1.6  # over-relaxation: 1.5 to 1.8 is usual
SPARE = 1e-4  # [rad] from a limit
CLOSE = (2e-4, 2e-5)  # [m] of the ZMP and [rad] of a joint: enough


class SplitSolver:
    """Solves one linearisation after the other of one clip."""

    def __init__(
        self, *, lower: Array, upper: Array, frames: int, settings: AheadSettings
    ) -> None:
        """Begin without duals.

        Args:
            lower: Of each of the m unknowns' totals, -inf if there is none (m,).
            upper: The same (m,).
            frames: Of the clip.
            settings: Steps and rounds.
        """
        thin = np.minimum(SPARE, 0.25 * (upper - lower))
        self._lower, self._upper = lower + thin, upper - thin
        self._settings = settings
        self._weight = np.where(np.isfinite(lower) | np.isfinite(upper), 1.0, 0.0)
        self._weight *= settings.limit
        self._box_dual = np.zeros((frames, len(lower)))
        self._dual = np.zeros((frames - 2, 3))

    def solve(
        self, normal: ClipNormal, start: Array, rows: BalanceRows | None
    ) -> Array:
        """Return x (t, m).

        Args:
            normal: H and g; it is added to.
            start: What x is added to (t, m).
            rows: Of balance; None asks for none.
        """
        rho, m = self._settings.balance, start.shape[1]
        normal.add_diagonal(
            np.tile(self._weight, (len(start), 1)), np.zeros_like(start)
        )
        if rows is not None:
            normal.add_triples(rows.J, rho)
        factor = normal.factor()
        box_dual, dual = self._box_dual, self._dual
        x, moved = np.zeros_like(start), np.zeros_like(dual)
        for _ in range(self._settings.rounds):
            box = np.clip(start + x + box_dual, self._lower, self._upper)
            g = normal.g + self._weight * (box - start - box_dual)
            if rows is not None:
                carried = inside(rows.now + moved + dual, rows)
                pull = rho * (carried - rows.now - dual)[:, None] @ rows.J
                for i in range(3):
                    g[i : i + len(pull)] += pull[:, 0, i * m : (i + 1) * m]
            x = factor.solve(g)
            went = RELAXED * (start + x) + (1.0 - RELAXED) * box + box_dual
            box_dual = went - np.clip(went, self._lower, self._upper)
            close = np.abs(start + x - box).max() < CLOSE[1]
            if rows is not None:
                wide = np.concatenate([x[:-2], x[1:-1], x[2:]], axis=1)
                moved = (rows.J @ wide[..., None])[..., 0]
                away = rows.now + moved - carried
                close &= np.abs(away[rows.polygons.on]).max(initial=0.0) < CLOSE[0]
                gone = rows.now + moved + (RELAXED - 1.0) * away + dual
                dual = gone - inside(gone, rows)
            if close:
                break
        self._box_dual, self._dual = box_dual, dual
        return x
