"""Where a rigid body is, from the markers on it: least squares, gaps allowed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.so3 import Array, slerp

__all__ = ["RigidMotion", "fit_rigid", "fill_gaps"]

_FLAT = 0.01  # [m] markers that span less across their line do not tell a rotation


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidMotion:
    """A body over time, relative to a reference.

    Attributes:
        rotations: From the reference's axes to the world's (t, 3, 3).
        positions: Of the reference markers' middle (t, 3) [m].
        middle: The same in the reference (3,) [m].
        seen: Whether it was fitted and not interpolated (t,).
    """

    rotations: Array
    positions: Array
    middle: Array
    seen: NDArray[np.bool_]

    def carry(self, point: Array) -> Array:
        """Return where a point of the reference is (t, 3) [m]."""
        moved: Array = self.positions + self.rotations @ (point - self.middle)
        return moved


def fit_rigid(reference: Array, markers: Array) -> RigidMotion | None:
    """Fit a rigid body to its markers at every time (Kabsch).

    Args:
        reference: Markers in the reference (m, 3) [m].
        markers: The same over time (t, m, 3), NaN where not seen.

    Returns:
        The motion, interpolated where fewer than three markers were seen; or None if
        that is never or hardly ever so.
    """
    t = len(markers)
    seen = np.isfinite(markers).all(axis=2)
    rotations, positions = np.tile(np.eye(3), (t, 1, 1)), np.full((t, 3), np.nan)
    middle = reference.mean(axis=0)
    good = np.zeros(t, dtype=bool)
    for pattern in np.unique(seen, axis=0):
        if pattern.sum() < 3:
            continue
        a = reference[pattern]
        a_middle = a.mean(axis=0)
        a = a - a_middle
        if np.linalg.svd(a, compute_uv=False)[1] < _FLAT:
            continue
        frames = np.flatnonzero((seen == pattern).all(axis=1))
        b = markers[frames][:, pattern]
        b_middle = b.mean(axis=1)
        U, _, Vt = np.linalg.svd(np.einsum("tmi,mj->tij", b - b_middle[:, None], a))
        U[:, :, 2] *= np.linalg.det(U @ Vt)[:, None]
        rotations[frames] = U @ Vt
        positions[frames] = b_middle + rotations[frames] @ (middle - a_middle)
        good[frames] = True
    if good.sum() < max(1, t // 10):
        return None
    fill_gaps(rotations, positions, good)
    return RigidMotion(
        rotations=rotations, positions=positions, middle=middle, seen=good
    )


def fill_gaps(rotations: Array, positions: Array, good: NDArray[np.bool_]) -> None:
    """Interpolate between the frames that are good; hold the first and the last."""
    known = np.flatnonzero(good)
    for k in np.flatnonzero(~good):
        after = int(np.searchsorted(known, k))
        if after in (0, len(known)):
            near = known[min(after, len(known) - 1)]
            rotations[k], positions[k] = rotations[near], positions[near]
            continue
        a, b = known[after - 1], known[after]
        share = (k - a) / (b - a)
        rotations[k] = slerp(rotations[a], rotations[b], share)
        positions[k] = (1.0 - share) * positions[a] + share * positions[b]
