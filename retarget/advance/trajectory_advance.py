"""Trajectory advancement: help along a path makes its parameter run faster.

With x(psi) the path, dx = dx/dpsi, n = dx / |dx|, e = v - dx rate, E = place - x(psi):

    rate = clip((v . dx + max(0, E . dx) K_P / K_D + eps) / (|dx|^2 + eps), 1, upper)
    a = d2x rate^2 - dx (rate - 1) / T - K_D e - K_P E + c help n

After Tirupachuri's thesis, (9.4) and (9.10), with five corrections. V = |e|^2 / 2 +
K_P |E|^2 / 2 falls whatever the second derivative of psi is: the rate relaxes to 1
instead of being differentiated, which would be a loop of gain 1. The partner feels a
chosen mass. Without help the rate only falls, so that noise cannot advance. Help fades
(c) towards the greatest rate and ends where one is faster than the reference, where it
would raise V. psi catches up with a place that is ahead of it, or what is lost to eps
and to steps in time would add up. All of the force is to be cancelled by whoever
follows `a`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.advance.advance_law import AdvanceLaw
from telexist.retarget.advance.path_point import PathPoint
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["Advanced", "TrajectoryAdvance"]

FADE = 0.5  # of the way to the greatest rate, over which help fades
NOWHERE = 1e-9  # [m/s] of a path that does not move


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced:
    """What one step decided.

    Attributes:
        acceleration: To ask of the place (3,) [m/s^2].
        rate: Of psi.
        help: Force that counted as help [N].
        energy: V, which falls without help and hardly grows with it [m^2/s^2].
        error: From the path to the place (3,) [m].
    """

    acceleration: Array
    rate: float
    help: float
    energy: float
    error: Array


class TrajectoryAdvance:
    """Goes along a path, faster with help.

    Attributes:
        psi: The path's parameter [s].
        rate: Of psi against time, at least 1.
    """

    def __init__(self, law: AdvanceLaw, *, speed: float, psi: float = 0.0) -> None:
        """Stand at a place of the path.

        Args:
            law: How readily it goes ahead.
            speed: Greatest |dx| of the path [m/s].
            psi: Where to begin [s].

        Raises:
            BadInput: If the speed is not above 0.
        """
        if not 0.0 < speed < math.inf:
            raise BadInput(f"a path of speed {speed} m/s cannot be gone faster")
        self.law, self.psi, self.rate = law, psi, 1.0
        self._eps = (law.smallest * speed) ** 2

    def step(
        self, point: PathPoint, place: Array, velocity: Array, force: Array, dt: float
    ) -> Advanced:
        """Take a reading, go on for dt and return what to ask for.

        Args:
            point: The path at `psi`.
            place: Where the hand is (3,) [m].
            velocity: Of it (3,) [m/s].
            force: On it (3,) [N]; one that is not finite is none.
            dt: Until the next step [s].
        """
        law, speed = self.law, math.sqrt(float(point.dx @ point.dx))
        n = point.dx / speed if speed > NOWHERE else np.zeros(3)
        along = float(n @ force)
        helped = along if math.isfinite(along) and along >= law.least else 0.0
        error = place - point.x
        self.rate = rate = self._projected(
            point.dx, velocity, error, helped=helped > 0.0, dt=dt
        )
        e = velocity - point.dx * rate
        push = self._push(helped, float(e @ n), speed * rate)
        acceleration = (
            point.d2x * rate**2
            - point.dx * ((rate - 1.0) / law.relaxation)
            - law.damping * e
            - law.stiffness * error
            + push * n
        )
        self.psi += rate * dt
        return Advanced(
            acceleration=acceleration,
            rate=rate,
            help=helped,
            energy=0.5 * float(e @ e) + 0.5 * law.stiffness * float(error @ error),
            error=error,
        )

    def _projected(
        self, dx: Array, velocity: Array, error: Array, *, helped: bool, dt: float
    ) -> float:
        law, eps = self.law, self._eps
        ahead = max(float(error @ dx), 0.0) * law.stiffness / law.damping
        rate = (float(velocity @ dx) + ahead + eps) / (float(dx @ dx) + eps)
        rate = min(max(rate, 1.0), law.upper)
        if helped:
            return rate
        return min(rate, 1.0 + (self.rate - 1.0) * math.exp(-dt / law.relaxation))

    def _push(self, helped: float, ahead: float, speed: float) -> float:
        """Return the acceleration along the path that help gives [m/s^2]."""
        law = self.law
        if ahead > law.tolerance * speed:
            return 0.0
        share = (law.upper - self.rate) / (FADE * (law.upper - 1.0))
        return min(max(share, 0.0), 1.0) * min(helped / law.mass, law.boldest)
