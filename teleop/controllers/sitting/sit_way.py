"""The ways between sitting and standing: centre of mass, lean and joints agree.

Way "lean": on the seat the base leans until the centre of mass is over the feet. Way
"rise": hips go from the seat to where they stand, and the base leans as it must to keep
the centre of mass there. Both are tables of postures with soles flat, and splines
through them; on each the parameter psi [s] goes by minimum jerk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from telexist.retarget.advance import PathPoint
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import (
    BodyState,
    DynamicsModel,
    PlantedLegs,
    sitting_posture,
)

__all__ = ["SitPoint", "SitWay", "SitWays", "find_ways"]

OFFSETS = (0.4, 0.5, 0.6)  # of half a sole, behind its middle, that will do
LEANS, RISES = 10, 20  # postures of a way
MOST_LEAN = 1.2  # [rad] of the base
PASSES = 12  # of the search for a lean
GOOD = 1e-5  # [m] of the centre of mass
SLOPE = 1e-3  # [rad] for its derivative


Make = Callable[[float, Configuration], Configuration]


@dataclass(frozen=True, slots=True, kw_only=True)
class SitPoint:
    """A way at a value of psi; derivatives are by psi.

    Attributes:
        com: Centre of mass from the soles' middle, axes of the heading.
        lean: Of the base, forward: value, first and second derivative (3,) [rad].
        q: Joints: value, first and second derivative (3, n).
    """

    com: PathPoint
    lean: Array
    q: Array


class SitWay:
    """A way through postures.

    Attributes:
        duration: psi at its end [s].
        speed: Greatest of the centre of mass [m/s].
    """

    def __init__(self, values: Array, duration: float) -> None:
        """Lay splines.

        Args:
            values: Centre of mass, lean and joints of postures, evenly (k, 4 + n).
            duration: psi at the end [s].
        """
        self._values, self.duration = values, duration
        spline = CubicSpline(np.linspace(0.0, 1.0, len(values)), values)
        self._splines = [spline, spline.derivative(), spline.derivative(2)]
        shares = np.linspace(0.0, duration, 101)
        speeds = [float(np.linalg.norm(self.at(psi).com.dx)) for psi in shares]
        self.speed = max(*speeds, 1e-3)

    def at(self, psi: float) -> SitPoint:
        """Return the way at psi [s]; outside it stays at its ends."""
        T = self.duration
        u = min(max(psi / T, 0.0), 1.0)
        s = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
        ds = 30.0 * (u * (1.0 - u)) ** 2 / T
        d2s = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / T**2
        x, dx, d2x = (spline(s) for spline in self._splines)
        both = np.array([x, ds * dx, ds * ds * d2x + d2s * dx])
        return SitPoint(
            com=PathPoint(x=both[0, :3], dx=both[1, :3], d2x=both[2, :3]),
            lean=both[:, 3],
            q=both[:, 4:],
        )

    def backward(self) -> SitWay:
        """Return the way back."""
        return SitWay(self._values[::-1].copy(), self.duration)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitWays:
    """Both ways of a robot and its seat.

    Attributes:
        sitting: The posture it sits in.
        lean: From sitting upright to leaning over the feet.
        rise: From there to standing.
        seat_height: Over the soles [m].
    """

    sitting: Configuration
    lean: SitWay
    rise: SitWay
    seat_height: float


def find_ways(
    model: DynamicsModel,
    standing: Configuration,
    seat_height: float,
    *,
    lean_time: float,
    rise_time: float,
    behind: float = 0.0,
) -> SitWays:
    """Find the ways by the robot's model.

    Args:
        model: The robot; it is left in some posture.
        standing: How it stands; its feet stay there.
        seat_height: Over the soles [m].
        lean_time: psi of the lean [s].
        rise_time: psi of the rise [s].
        behind: How far behind the soles' middle the centre of mass is when the robot
            leaves the seat [m]; 0: as little as it can without leaning much.

    Raises:
        BadInput: If it cannot sit there, or not come over its feet.
    """
    legs = PlantedLegs(model.robot, standing)
    sitting = sitting_posture(legs, seat_height)
    table = _Table(model, legs)

    def on_seat(lean: float, start: Configuration) -> Configuration:
        return sitting_posture(legs, seat_height, lean=lean, start=start)

    if behind:
        offset = behind
        last = table.leaning(on_seat, -offset, sitting)
    else:
        offset, last = table.farthest(on_seat, sitting)
    rows, posture = [], sitting
    for lean in np.linspace(0.0, last.lean, LEANS + 1):
        posture = on_seat(float(lean), posture)
        rows.append(table.row(posture, float(lean)))
    rises, now = [table.row(last.posture, last.lean)], last
    first = np.array(legs.shape.angles(legs.hips(last.posture)))
    final = np.array(legs.shape.angles(legs.hips(standing)))
    for share in np.linspace(0.0, 1.0, RISES + 1)[1:]:
        hips = legs.shape.hip(*(first + share * (final - first)))

        def risen(
            lean: float, start: Configuration, hips: Array = hips
        ) -> Configuration:
            return legs.posture(hips, lean, start)

        if share == 1.0:
            rises.append(table.row(standing, 0.0))
            break
        goal = -offset * (1.0 - share) ** 2 * (1.0 + 2.0 * share)
        now = table.leaning(risen, goal, now.posture, now.lean)
        rises.append(table.row(now.posture, now.lean))
    return SitWays(
        sitting=sitting,
        lean=SitWay(np.array(rows), lean_time),
        rise=SitWay(np.array(rises), rise_time),
        seat_height=seat_height,
    )


@dataclass(frozen=True, slots=True)
class _Leaning:
    posture: Configuration
    lean: float


class _Table:
    """Looks at postures of a robot."""

    def __init__(self, model: DynamicsModel, legs: PlantedLegs) -> None:
        self._model, self._legs = model, legs

    def com(self, posture: Configuration) -> Array:
        """Return the centre of mass from the soles' middle (3,) [m]."""
        model = self._model
        model.update(
            BodyState(
                world_p_base=posture.world_p_base,
                world_R_base=posture.world_R_base,
                q=posture.q,
                world_v_base=np.zeros(3),
                world_w_base=np.zeros(3),
                dq=np.zeros(model.n),
            )
        )
        return model.com - self._legs.middle

    def row(self, posture: Configuration, lean: float) -> Array:
        """Return centre of mass, lean and joints (4 + n,)."""
        return np.concatenate([self.com(posture), [lean], posture.q])

    def farthest(self, make: Make, start: Configuration) -> tuple[float, _Leaning]:
        """Return the offset over the soles that a robot can lean to, and how.

        Raises:
            BadInput: If no lean brings its weight over its feet.
        """
        soles = self._model.robot.body.soles.values()
        half = 0.5 * min(sole.length for sole in soles)
        for share in OFFSETS[:-1]:
            try:
                return share * half, self.leaning(make, -share * half, start)
            except BadInput:
                continue
        return OFFSETS[-1] * half, self.leaning(make, -OFFSETS[-1] * half, start)

    def leaning(
        self, make: Make, goal: float, start: Configuration, lean: float = 0.0
    ) -> _Leaning:
        """Return the posture that leans so that its weight is where it is to be.

        Args:
            make: Lean and posture nearby to the posture.
            goal: Of the centre of mass ahead of the soles' middle [m].
            start: A posture nearby.
            lean: Of that one [rad].

        Raises:
            BadInput: If no lean brings it there.
        """
        posture = make(lean, start)
        off = goal - float(self.com(posture)[0])
        for _ in range(PASSES):
            if abs(off) < GOOD:
                break
            near = float(self.com(make(lean + SLOPE, posture))[0])
            slope = (near - goal + off) / SLOPE
            lean += min(max(off / max(slope, 1e-3), -0.2), 0.2)
            if not -MOST_LEAN < lean < MOST_LEAN:
                break
            posture = make(lean, posture)
            off = goal - float(self.com(posture)[0])
        if abs(off) > 1e-3:
            name = self._model.robot.body.name
            raise BadInput(f"{name} cannot bring its weight over its feet from there")
        return _Leaning(posture, lean)
