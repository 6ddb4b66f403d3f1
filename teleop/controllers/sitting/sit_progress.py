"""Going along a way: where the body is to be now, and what to ask for to be there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.advance import AdvanceLaw, TrajectoryAdvance
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import SittingParameters
from telexist.teleop.controllers.sitting.sit_way import SitPoint, SitWay

__all__ = ["SitAim", "SitProgress"]

ENDING = 0.3  # of a way, at its end, over which help fades: it is to arrive at rest
ANY_LEAD = 1e9  # a body ahead of its reference is still helped: it is to be faster


@dataclass(frozen=True, slots=True, kw_only=True)
class SitAim:
    """What is asked of the body in a step; axes of the heading.

    Attributes:
        com_acc: Acceleration of the centre of mass (3,) [m/s^2].
        error: From where it is to be to where it is (3,) [m].
        goal: Where it is to be from the soles' middle (3,) [m].
        lean: Of the base: place, velocity, acceleration (3,) [rad].
        q: Of the joints: place, velocity, acceleration (3, n).
    """

    com_acc: Array
    error: Array
    goal: Array
    lean: Array
    q: Array


class SitProgress:
    """One way and how far it has been gone.

    Attributes:
        way: The way.
        rate: Of psi, 1 without help.
    """

    def __init__(
        self, way: SitWay, p: SittingParameters, mass: float, psi: float = 0.0
    ) -> None:
        """Begin at a place of the way.

        Args:
            way: The way.
            p: Gains, and how readily it is gone faster.
            mass: Of the robot [kg].
            psi: Where to begin [s].
        """
        self.way = way
        self._law = AdvanceLaw(
            upper=p.advance_upper,
            relaxation=p.advance_relaxation,
            mass=p.advance_mass * mass,
            least=p.advance_least,
            smallest=0.1,
            tolerance=ANY_LEAD,
            stiffness=p.stiffness,
            damping=p.damping,
        )
        self._advance = TrajectoryAdvance(self._law, speed=way.speed, psi=psi)

    @property
    def psi(self) -> float:
        """How far it has been gone [s]."""
        return self._advance.psi

    @property
    def rate(self) -> float:
        """How fast it is gone, 1 without help."""
        return self._advance.rate

    @property
    def share(self) -> float:
        """How far it has been gone, 0 to 1."""
        return min(self.psi / self.way.duration, 1.0)

    @property
    def done(self) -> bool:
        """Whether the end is reached."""
        return self.psi >= self.way.duration

    def step(self, com: Array, com_vel: Array, force: Array, dt: float) -> SitAim:
        """Go on for dt [s]; the arrays (3,) have the heading's axes.

        Args:
            com: Centre of mass from the soles' middle [m].
            com_vel: Its velocity [m/s].
            force: That may help along the way [N].
            dt: Step [s].
        """
        point = self.way.at(self.psi)
        left = (self.way.duration - self.psi) / (ENDING * self.way.duration)
        force = min(max(left, 0.0), 1.0) * force
        step = self._advance.step(point.com, com, com_vel, force, dt)
        slower = -(step.rate - 1.0) / self._law.relaxation
        return _aim(point, step.acceleration, step.error, step.rate, slower)

    def hold(self, com: Array, com_vel: Array) -> SitAim:
        """Stay where it is; arguments as for `step`."""
        point = self.way.at(self.psi)
        error = com - point.com.x
        law = self._law
        return _aim(point, -law.stiffness * error - law.damping * com_vel, error, 0, 0)


def _aim(
    point: SitPoint, com_acc: Array, error: Array, rate: float, slower: float
) -> SitAim:
    return SitAim(
        com_acc=com_acc,
        error=error,
        goal=point.com.x,
        lean=_along(point.lean, rate, slower),
        q=_along(point.q, rate, slower),
    )


def _along(values: Array, rate: float, slower: float) -> Array:
    """Return value, velocity and acceleration in time of a value by psi."""
    second = values[2] * rate**2 + values[1] * slower
    return np.array([values[0], values[1] * rate, second])
