"""A velocity that a law is to keep, with its gains and its energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["VelocityTask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VelocityTask:
    """chi = J nu is to be chi_d.

    Attributes:
        J: (p, nv).
        bias: Jdot nu (p,).
        error: chi - chi_d (p,).
        integral: Of the error (p,).
        wanted: Rate of chi_d (p,).
        K_d: Weighs |error|^2 in V, positive (p, p).
        K_p: Weighs |integral|^2 in V, positive (p, p).
        K_D: How fast V is to fall, positive (p, p).
    """

    J: Array
    bias: Array
    error: Array
    integral: Array
    wanted: Array
    K_d: Array
    K_p: Array
    K_D: Array

    @property
    def energy(self) -> float:
        """V, (8.34)."""
        fast = float(self.error @ self.K_d @ self.error)
        return 0.5 * fast + 0.5 * float(self.integral @ self.K_p @ self.integral)

    def energy_rate(self, dnu: Array) -> float:
        """Return the rate of V at accelerations (nv,), (8.38)."""
        rate = self.K_d @ (self.J @ dnu + self.bias - self.wanted)
        return float(self.error @ (rate + self.K_p @ self.integral))

    @property
    def along(self) -> Array:
        """The direction of the error (p,); zeros without one."""
        size = float(np.linalg.norm(self.error))
        return self.error / size if size > 0.0 else np.zeros_like(self.error)
