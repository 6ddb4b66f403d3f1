"""Least squares over a clip whose rows join neighbouring frames: one banded matrix."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve_banded, cholesky_banded
from telexist.retarget.so3 import Array

__all__ = ["THIRD", "ClipNormal", "Factor"]

THIRD = np.array([-1.0, 3.0, -3.0, 1.0])
"""The third difference of four frames."""


class ClipNormal:
    """The normal equations of t frames with m unknowns each.

    Rows on one frame, on up to three frames in a row, and third differences of single
    unknowns are added; `solve` costs O(t m^3).
    """

    def __init__(self, t: int, m: int) -> None:
        """Begin with nothing."""
        self.t, self.m = t, m
        self._blocks = [np.zeros((t, m, m)) for _ in range(3)]  # (t, t + d)
        self._far = np.zeros((t, m))  # diagonal of (t, t + 3)
        self.g = np.zeros((t, m))

    def add_rows(self, J: Array, e: Array) -> None:
        """Ask for J x = e on each frame: (t, r, m) and (t, r), weights included."""
        turned = np.swapaxes(J, 1, 2)
        self._blocks[0] += turned @ J
        self.g += (turned @ e[..., None])[..., 0]

    def add_diagonal(self, weight: Array, e: Array) -> None:
        """Ask for x = e with weights on each unknown, both (t, m)."""
        steps = np.arange(self.m)
        self._blocks[0][:, steps, steps] += weight
        self.g += weight * e

    def add_triples(self, J: Array, weight: float) -> None:
        """Ask for rows on frames k, k + 1, k + 2 to vanish: (t - 2, r, 3 m)."""
        n, m = self.t - 2, self.m
        parts = [J[..., i * m : (i + 1) * m] for i in range(3)]
        for i in range(3):
            turned = weight * np.swapaxes(parts[i], 1, 2)
            for j in range(i, 3):
                self._blocks[j - i][i : i + n] += turned @ parts[j]

    def add_differences(self, weight: Array, e: Array, taps: Array) -> None:
        """Ask for sum taps_i x_(k + i) = e, of each unknown, both (t - taps + 1, m)."""
        n, steps = len(weight), np.arange(self.m)
        for i, a in enumerate(taps):
            self.g[i : i + n] += a * weight * e
            for j in range(i, len(taps)):
                part = a * taps[j] * weight
                if j - i == 3:
                    self._far[i : i + n] += part
                else:
                    self._blocks[j - i][i : i + n, steps, steps] += part

    def factor(self) -> Factor:
        """Return what solves for any right side."""
        t, m = self.t, self.m
        band = np.zeros((3 * m + 1, t, m))
        for d, block in enumerate(self._blocks):
            for b in range(m):
                first = b if d == 0 else 0
                rows = slice(d * m + first - b, d * m + m - b)
                band[rows, :, b] += block[:, b, first:].T
        band[3 * m] += self._far
        ab = band.reshape(3 * m + 1, t * m)
        return Factor(
            cholesky_banded(ab, overwrite_ab=True, lower=True, check_finite=False)
        )


class Factor:
    """A factored banded matrix."""

    def __init__(self, cholesky: Array) -> None:
        """Keep the lower factor."""
        self._cholesky = cholesky

    def solve(self, g: Array) -> Array:
        """Return x of the shape of g (t, m)."""
        x = cho_solve_banded((self._cholesky, True), g.ravel(), check_finite=False)
        return np.asarray(x.reshape(g.shape))
