"""Where and when to put the foot down when the DCM is not where it should be.

With r the centre of pressure held until then and tau = exp(omega T_left), the DCM at
the end of single support is r + tau (xi - r), and the plan needs it at
a p0 + b u + c offset (see `dcm_plan`). This is linear in foothold u, tau and offset, so
the smallest change of all three is a quadratic programme with five unknowns
(after Khadiv et al., "Walking control based on step timing adaptation", 2020).
What the centre of pressure can absorb within the sole is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np

from retarget.so3 import Array
from teleop.controllers.dcm_plan import SupportEnd

__all__ = ["AdjustedStep", "StepGoal", "adjust_step", "not_absorbed"]

PLACE_WEIGHT = 1.0  # of the foothold's change [1/m^2]
TIME_WEIGHT = 0.02  # of the change of tau, relative to its plan
OFFSET_WEIGHT = 200.0  # of the offset's change [1/m^2]: the next step must be possible
EQUAL = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGoal:
    """A step as planned, and how far it may be changed.

    Attributes:
        stance: Stance foot (2,) [m].
        axes: Of the stance foot on the floor (2, 2).
        low: Least foothold in those axes, from the stance foot (2,) [m].
        high: Greatest.
        foothold: Planned (2,) [m].
        time_left: Planned, until the end of single support [s].
        shortest: Least time left [s].
        longest: Greatest time left [s].
        offset: Planned offset X - u (2,) [m].
        end: How single support ends.
    """

    stance: Array
    axes: Array
    low: Array
    high: Array
    foothold: Array
    time_left: float
    shortest: float
    longest: float
    offset: Array
    end: SupportEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedStep:
    """The step to take: foothold (2,) [m], time left [s], offset (2,) [m]."""

    foothold: Array
    time_left: float
    offset: Array


def not_absorbed(error: Array, room: Array) -> Array:
    """Return what is left of an error (k,) that may shrink by `room` (k,)."""
    return np.sign(error) * np.maximum(np.abs(error) - room, 0.0)


def adjust_step(
    goal: StepGoal, dcm: Array, pressure: Array, omega: float
) -> AdjustedStep:
    """Return the least change of a step that catches the DCM.

    Args:
        goal: The planned step.
        dcm: Where the DCM is (2,) [m], less what the sole absorbs.
        pressure: Where the centre of pressure is held (2,) [m].
        omega: Of the pendulum [1/s].
    """
    axes, end = goal.axes, goal.end
    # In stance axes, from the stance foot: unknowns are (u, tau / tau_plan, offset).
    xi = axes.T @ (dcm - goal.stance)
    r = axes.T @ (pressure - goal.stance)
    u_plan = axes.T @ (goal.foothold - goal.stance)
    offset_plan = axes.T @ goal.offset
    tau_plan = np.exp(omega * goal.time_left)
    weights = np.array([PLACE_WEIGHT] * 2 + [TIME_WEIGHT] + [OFFSET_WEIGHT] * 2)
    plan = np.array([*u_plan, 1.0, *offset_plan])
    # b u + c offset - tau_plan (xi - r) t = r - (a + b + c' ...) p0, with p0 = 0 here.
    A = np.zeros((2, 5))
    A[0, 0] = A[1, 1] = end.step
    A[0, 3] = A[1, 4] = end.offset
    A[:, 2] = -tau_plan * (xi - r)
    top = np.array([*goal.high, np.exp(omega * goal.longest) / tau_plan, 9.0, 9.0])
    bottom = np.array([*goal.low, np.exp(omega * goal.shortest) / tau_plan, -9.0, -9.0])
    upper, lower = np.concatenate([top, r]), np.concatenate([bottom, r])
    sense = np.zeros(7, dtype=np.int32)
    sense[5:] = EQUAL
    x, _, flag, _ = daqp.solve(
        np.diag(weights), -weights * plan, A, upper, lower, sense
    )
    if flag < 1 or not np.all(np.isfinite(x)):
        return AdjustedStep(
            foothold=goal.foothold, time_left=goal.time_left, offset=goal.offset
        )
    return AdjustedStep(
        foothold=goal.stance + axes @ x[:2],
        time_left=float(np.log(x[2] * tau_plan) / omega),
        offset=axes @ x[3:],
    )
