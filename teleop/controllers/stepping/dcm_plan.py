"""The divergent component of motion (DCM) through the footsteps, in closed form.

xi = com + com_vel / omega obeys dxi/dt = omega (xi - zmp). The planned ZMP stands still
in the middle of the stance sole and goes linearly from sole to sole in double support.
With p0 the stance foot, u the next one, X the DCM when single support on u begins and
alpha = (1 - exp(-omega Td)) / (omega Td), the DCM at the end of single support is

    xi_end = (1 - alpha) p0 + alpha u + exp(-omega Td) (X - u),

and at its begin X0 = p0 + exp(-omega Ts) (xi_end - p0). Backwards over a few steps
this gives the offset X - u to aim at; what lies beyond has decayed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import Foothold

__all__ = [
    "SupportEnd",
    "carried_over",
    "caught_in_time",
    "landing_offset",
    "last_step_end",
    "support_end",
]

SHARES = (1.0, 0.8, 0.6, 0.45)  # of a double support that are tried
NEAR = 0.01  # [m] beyond its place at which a DCM counts as there
BEHIND = 0.03  # [m] from its place at which it does not lag
TRIED = 12  # durations, from the usual to the longest


class SupportEnd:
    """The DCM at the end of single support as xi_end = a p0 + b u + c offset.

    Attributes:
        stance: Share a of the stance foot.
        step: Share b of the next foot.
        offset: Share c of the offset at which the next single support begins.
    """

    __slots__ = ("offset", "stance", "step")

    def __init__(self, stance: float, step: float, offset: float) -> None:
        """Take the three shares."""
        self.stance, self.step, self.offset = stance, step, offset

    def at(self, stance: Array, step: Array, offset: Array) -> Array:
        """Return the DCM (2,) [m]."""
        return self.stance * stance + self.step * step + self.offset * offset


def support_end(parameters: ControlParameters) -> SupportEnd:
    """Return the shares when another single support follows."""
    decay = parameters.omega * parameters.double_support
    alpha = (1.0 - np.exp(-decay)) / decay
    return SupportEnd(1.0 - alpha, alpha, float(np.exp(-decay)))


def last_step_end(omega: float, duration: float) -> SupportEnd:
    """Return the shares when the robot comes to rest between its feet."""
    decay = omega * duration
    alpha = (1.0 - np.exp(-decay)) / decay
    return SupportEnd(1.0 - 0.5 * alpha, 0.5 * alpha, 0.0)


def landing_offset(
    steps: Sequence[Foothold], parameters: ControlParameters, end: SupportEnd
) -> Array:
    """Return X - u (2,) for the first of the steps to come, given those after it.

    Args:
        steps: u and what follows, two or more.
        parameters: Of the robot.
        end: How single supports end.
    """
    offset = np.zeros(2)
    decay = np.exp(-parameters.omega * parameters.single_support)
    for here, there in zip(steps[-2::-1], steps[:0:-1], strict=True):
        offset = decay * (end.at(here.p, there.p, offset) - here.p)
    return offset


def caught_in_time(
    dcm: Array,
    feet: tuple[Array, Array],
    offset: Array,
    omega: float,
    times: tuple[float, float],
) -> tuple[float, float] | None:
    """Return how long the pressure may take to a foot that has landed.

    The longest wait and double support are returned after which the DCM is no farther
    beyond the new foot than it should be; None if it runs too fast for any of them.

    Args:
        dcm: At landing (2,) [m].
        feet: The old stance foot and the new one, (2,) each [m].
        offset: Where the DCM should be from the new foot when it stands alone (2,) [m].
        omega: Of the pendulum [1/s].
        times: Usual wait on the old foot and double support [s].

    Returns:
        Wait and double support [s], or None.
    """
    wait, usual = times
    way = feet[1] - feet[0]
    way = way / max(float(np.hypot(*way)), 1e-6)
    most = float(way @ offset) + NEAR
    for pause, share in ((wait, 1.0), *((0.0, share) for share in SHARES)):
        found = _offset_after(dcm, feet, omega, (pause, share * usual))
        if float(way @ found) <= most:
            return pause, share * usual
    return None


def carried_over(
    dcm: Array,
    feet: tuple[Array, Array],
    offset: Array,
    omega: float,
    times: tuple[float, float],
    *,
    longest: float,
) -> float:
    """Return how long a double support has to be for a DCM that lags behind [s].

    The pressure goes to the new foot so slowly that it drives the DCM there; as fast
    as usual if the DCM is where it should be, or near.

    Args:
        dcm: At landing (2,) [m].
        feet: The old stance foot and the new one, (2,) each [m].
        offset: Where the DCM should be from the new foot when it stands alone (2,) [m].
        omega: Of the pendulum [1/s].
        times: Wait on the old foot and usual double support [s].
        longest: Double support that is tried [s].
    """
    wait, usual = times
    way = feet[1] - feet[0]
    way = way / max(float(np.hypot(*way)), 1e-6)
    least = float(way @ offset) - BEHIND
    duration = usual
    for duration in np.linspace(usual, max(longest, usual), TRIED).tolist():
        found = _offset_after(dcm, feet, omega, (wait, duration))
        if float(way @ found) >= least:
            break
    return duration


def _offset_after(
    dcm: Array, feet: tuple[Array, Array], omega: float, times: tuple[float, float]
) -> Array:
    """Return the DCM from the new foot (2,) [m] after a wait and a double support."""
    (old, new), (wait, duration) = feet, times
    decay = omega * duration
    alpha = (1.0 - np.exp(-decay)) / decay
    then = old + np.exp(omega * wait) * (dcm - old)
    return np.exp(decay) * (then - (1.0 - alpha) * old - alpha * new)
