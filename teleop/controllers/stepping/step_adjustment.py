"""Where and when to put the foot down when the DCM is not where it should be.

With z the centre of pressure held until then and E = exp(omega T), the DCM at the end
of single support is z + E (xi - z), seen from the stance foot, and the plan needs it at
b u + c offset (see `dcm_plan`). For a time T the error is taken up in this order: by
the pressure within the sole, by the foothold u within reach, and what is left by the
offset, which the step after it has to make good. The time is the one at which all
changes together cost least (after Khadiv et al., "Walking control based on step timing
adaptation", 2020, but searched over the whole range: there are several local answers
when the DCM is about to pass over the stance foot).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import AdjustmentParameters
from telexist.teleop.controllers.stepping.dcm_plan import SupportEnd

__all__ = ["AdjustedStep", "StepGoal", "adjust_step"]

TIMES = np.linspace(0.0, 1.0, 25)  # that are tried, of the range
Way = Literal["", "ahead", "behind"]
Area = tuple[Array, Array]  # least and greatest foothold (2,), stance axes [m]
CROSSINGS: tuple[Way, ...] = ("ahead", "behind")
PEAK = 1.875  # peak over mean speed of a minimum-jerk motion


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGoal:
    """A step as planned, and how far it may be changed.

    Attributes:
        stance: Stance foot (2,) [m].
        axes: Of the stance foot on the floor (2, 2).
        room: How far from its middle the pressure may go, in its axes (2,) [m].
        low: Least foothold in those axes, from the stance foot (2,) [m].
        high: Greatest.
        crossing: Where the feet may cross: from which distance ahead or behind, and how
            far beyond the stance foot (2,) [m].
        foothold: Planned (2,) [m].
        swing: Where the swing foot is (2,) [m].
        foot_speed: Greatest of the swing foot [m/s].
        time_left: Planned, until the end of single support [s].
        shortest: Least time left [s].
        longest: Greatest time left [s].
        offset: Planned offset X - u (2,) [m].
        end: How single support ends.
        slack: How far off the DCM may be then [m].
        way: A way across that has been begun, or "".
        may_cross: Whether a way across may still be chosen.
        costs: What changes cost.
    """

    stance: Array
    axes: Array
    room: Array
    low: Array
    high: Array
    crossing: Array
    foothold: Array
    swing: Array
    foot_speed: float
    time_left: float
    shortest: float
    longest: float
    offset: Array
    end: SupportEnd
    slack: float = 0.0
    way: Way = ""
    may_cross: bool = True
    costs: AdjustmentParameters = AdjustmentParameters()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedStep:
    """The step to take.

    Attributes:
        foothold: Where (2,) [m].
        time_left: [s].
        offset: X - u (2,) [m].
        way: How the foot crosses the other's line, or "" on its own side.
    """

    foothold: Array
    time_left: float
    offset: Array
    way: Way = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Changes:
    """The changes for k times.

    Attributes:
        foothold: (k, 2) [m].
        offset: (k, 2) [m].
        missed: How far the offset is from the planned one (k,) [m].
        cost: Of all (k,).
    """

    foothold: Array
    offset: Array
    missed: Array
    cost: Array


def adjust_step(goal: StepGoal, dcm: Array, omega: float) -> AdjustedStep:
    """Return the least change of a step that catches the DCM.

    Args:
        goal: The planned step.
        dcm: Where the DCM is (2,) [m].
        omega: Of the pendulum [1/s].
    """
    xi = goal.axes.T @ (dcm - goal.stance)
    times = goal.shortest + TIMES * (goal.longest - goal.shortest)
    areas = _areas(goal)
    way = goal.way
    changes, time = _least(goal, xi, times, omega, areas[way])
    if goal.may_cross and way == "" and changes.missed[0] > goal.costs.caught:
        least = changes.cost[0]
        for other in CROSSINGS:
            found = _least(goal, xi, times, omega, areas[other])
            cost = found[0].cost[0] * (goal.costs.behind if other == "behind" else 1.0)
            if cost < least:
                (changes, time), way, least = found, other, cost
    return AdjustedStep(
        foothold=goal.stance + goal.axes @ changes.foothold[0],
        time_left=time,
        offset=goal.axes @ changes.offset[0],
        way=way,
    )


def _areas(goal: StepGoal) -> dict[Way, Area]:
    """Return where the foot may land: on its side, or crossing ahead or behind."""
    clear, beyond = goal.crossing
    low, high = goal.low.copy(), goal.high.copy()
    if low[1] > 0.0:  # the left foot swings
        low[1] = -beyond
    else:
        high[1] = beyond
    ahead, behind = np.array([clear, low[1]]), np.array([-clear, high[1]])
    return {
        "": (goal.low, goal.high),
        "ahead": (ahead, high),
        "behind": (low, behind),
    }


def _changes(
    goal: StepGoal, xi: Array, times: Array, omega: float, area: Area
) -> _Changes:
    """Return what has to change if the step ends after each of some times (k,)."""
    end, to_axes = goal.end, goal.axes.T
    plan, offset = to_axes @ (goal.foothold - goal.stance), to_axes @ goal.offset
    grown = np.exp(omega * times)[:, None]
    # By which the pressure can shift the DCM, and what need not be shifted.
    room = (grown - 1.0) * goal.room + goal.slack
    error = grown * xi - (end.step * plan + end.offset * offset)
    error = error - _within(error, -room, room)
    wanted = _within(plan + error / end.step, *area)
    foothold = _in_time(goal, wanted, times)
    error = grown * xi - (end.step * foothold + end.offset * offset)
    shift = _within(error, -room, room)
    error = error - shift
    missed = np.sqrt(_squares(error)) / max(end.offset, 0.5)
    pressure = shift / np.maximum(grown - 1.0, 1e-3)
    outside = foothold - _within(foothold, *area)
    costs = goal.costs
    cost = (
        _squares(foothold - plan)
        + costs.offset_weight * missed * missed
        + costs.pressure_weight * _squares(pressure)
        + costs.time_weight * np.square(times - goal.time_left)
        + costs.outside_weight * _squares(outside)
    )
    if end.offset > 0.0:
        offset = offset + error / end.offset
    offset = np.broadcast_to(offset, foothold.shape)
    return _Changes(foothold=foothold, offset=offset, missed=missed, cost=cost)


def _in_time(goal: StepGoal, wanted: Array, times: Array) -> Array:
    """Return the footholds (k, 2) that the swing foot can reach in time.

    It gives up its way ahead before its way aside, where falls are quicker.
    """
    swing = goal.axes.T @ (goal.swing - goal.stance)
    reach = goal.foot_speed * times / PEAK
    way = wanted - swing
    aside = _within(way[:, 1], -reach, reach)
    left = np.sqrt(reach * reach - aside * aside)
    found = np.empty_like(wanted)
    found[:, 0], found[:, 1] = _within(way[:, 0], -left, left), aside
    return swing + found


def _within(values: Array, low: Array, high: Array) -> Array:
    """Return values between bounds; quicker than numpy's clip for so few."""
    return np.minimum(np.maximum(values, low), high)


def _squares(vectors: Array) -> Array:
    """Return the squared lengths (k,) of vectors (k, 2)."""
    x, y = vectors[:, 0], vectors[:, 1]
    return x * x + y * y


def _least(
    goal: StepGoal, xi: Array, times: Array, omega: float, area: Area
) -> tuple[_Changes, float]:
    """Return the change of least cost and its time, between those tried."""
    cost = _changes(goal, xi, times, omega, area).cost
    i = int(np.argmin(cost))
    time = float(times[i])
    if 0 < i < len(times) - 1:  # the least of a parabola through three
        before, here, after = cost[i - 1 : i + 2]
        bend = before - 2.0 * here + after
        if bend > 0.0:
            time += 0.5 * (before - after) / bend * float(times[1] - times[0])
    return _changes(goal, xi, np.array([time]), omega, area), time
