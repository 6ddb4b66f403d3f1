"""Where and when the swing foot lands: planned, then looked at again and again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.dcm_plan import (
    landing_offset,
    last_step_end,
    support_end,
)
from telexist.teleop.controllers.stepping.footsteps import (
    Foothold,
    next_foothold,
    planar_rotation,
    step_bounds,
)
from telexist.teleop.controllers.stepping.step_adjustment import (
    AdjustedStep,
    StepGoal,
    adjust_step,
)
from telexist.teleop.controllers.stepping.step_spacing import PARALLEL
from telexist.teleop.controllers.terms import Measured
from telexist.teleop.terms import WalkCommand

__all__ = ["LAST_TIME", "LATEST", "StepChoice"]

AHEAD = 4  # steps that are planned
ABSORB = 0.6  # share of the sole that the centre of pressure uses before steps change
SHORTEST, LONGEST = 0.5, 1.3  # of a single support that is changed
SHORTEST_HURRIED = 0.4  # of one that is to catch the robot
CLEAR = 1.1  # sole lengths from which one foot is ahead of the other
UNDERWAY = 0.15  # phase from which a foot that crosses keeps to its way
LOOK_PERIOD, CALM = 0.008, 0.02  # [s] between looks at a step that near its plan [m]
SETTLED = 0.05  # [s] before landing from which a step is no longer changed
LATEST = 0.12  # [s] after its time a landing is taken for granted
LAST_TIME = 2.0  # [1/omega] of the double support that ends in rest
REST_ROOM = 0.15  # of the feet's spacing: standing takes over a DCM that far off
EARLY = 0.5  # phase until which the last step may become one before the last


class StepChoice:
    """One step after the other.

    Attributes:
        plan: Foothold as the command has it.
        step: The step to take now.
        last: Whether the robot is to come to rest after it.
        around: Whether the foot set out to pass the other one ahead or behind.
        parameters: Of the robot; the time of steps may change between them.
        ahead: The foothold that was looked at last and those after it, as they were
            planned: x, y, yaw, foot (k, 4).
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `begin` comes first."""
        self.parameters, self._soles = parameters, soles
        self._end = support_end(parameters)
        omega = parameters.omega
        self._last_end = last_step_end(omega, LAST_TIME / omega)
        self.ahead = np.zeros((0, 4))

    def begin(
        self, hold: Foothold, command: WalkCommand, *, hurry: bool, last: bool
    ) -> None:
        """Plan the next step.

        Args:
            hold: Where the robot stands.
            command: Where to.
            hurry: Whether steps may be as quick as legs allow, to catch the robot.
            last: Whether the robot may come to rest after it.
        """
        self._hold, self._axes = hold, planar_rotation(hold.yaw)
        self._command, self._next_look, self.around = command, 0.0, False
        self._shortest = SHORTEST_HURRIED if hurry else SHORTEST
        self.plan = next_foothold(hold, command, self.parameters)
        self.last = last and abs(self.plan.yaw - hold.yaw) < 0.02
        self._offset = self.offset_from(self.plan, command)
        self.step = AdjustedStep(
            foothold=self.plan.p,
            time_left=self.parameters.single_support,
            offset=self._offset,
        )

    def look(self, measured: Measured, time: float, phase: float, dt: float) -> None:
        """Go on for dt: think the step over while it can be changed.

        Args:
            measured: The robot.
            time: Since lift-off [s].
            phase: Of the swing foot, 1 at landing.
            dt: Step [s].
        """
        if self.step.time_left <= SETTLED or time < self._next_look:
            left = max(self.step.time_left - dt, -LATEST)
            self.step = replace(self.step, time_left=left)
            return
        self.step = self._adjusted(measured, time, phase)
        if phase <= UNDERWAY:
            self.around = self.step.way != ""
        moved = self.moved
        self._next_look = time + (LOOK_PERIOD if moved < CALM else 0.0)
        if self.last and moved > PARALLEL and phase < EARLY:
            # Coming to rest leaves no room for corrections: then take another step.
            self.last = False
            self._offset = self.offset_from(self.plan, self._command)

    @property
    def moved(self) -> float:
        """How far the step is from where the command has it, along an axis [m]."""
        return float(np.abs(self.step.foothold - self.plan.p).max())

    @property
    def dcm_end(self) -> Array:
        """Where the DCM is to be when single support ends (2,) [m]."""
        end = self._last_end if self.last else self._end
        return end.at(self._hold.p, self.step.foothold, self.step.offset)

    @property
    def coming(self) -> Array:
        """The step that is being taken as it is now, the others beside it (k, 4)."""
        steps = self.ahead[:1].copy() if self.last else self.ahead.copy()
        steps[:, :2] += self.step.foothold - self.plan.p
        return steps

    def offset_from(
        self, first: Foothold, command: WalkCommand, *, last: bool = False
    ) -> Array:
        """Return X - u (2,) [m] for a foothold and the steps after it.

        Args:
            first: The foothold.
            command: Where to.
            last: Whether the robot is to come to rest after one more step.
        """
        steps = [first]
        for _ in range(AHEAD):
            steps.append(next_foothold(steps[-1], command, self.parameters))
        self.ahead = np.array([[*s.p, s.yaw, float(s.foot)] for s in steps])
        if last:
            return landing_offset(steps[:2], self.parameters, self._last_end)
        return landing_offset(steps, self.parameters, self._end)

    def _adjusted(self, measured: Measured, time: float, phase: float) -> AdjustedStep:
        p, stance = self.parameters, self._hold.foot
        sole = self._soles[stance]
        low, high = step_bounds(stance, p)
        return adjust_step(
            StepGoal(
                stance=self._hold.p,
                axes=self._axes,
                room=0.5 * ABSORB * np.array([sole.length, sole.width]),
                low=low,
                high=high,
                crossing=np.array([CLEAR * sole.length, p.max_crossing]),
                foothold=self.plan.p,
                swing=measured.pivot(1 - stance),
                foot_speed=p.foot_speed,
                time_left=max(p.single_support - time, 0.02),
                shortest=max(self._shortest * p.single_support * (1.0 - phase), 0.02),
                longest=max(LONGEST * p.single_support - time, 0.03),
                offset=self._offset,
                end=self._last_end if self.last else self._end,
                slack=REST_ROOM * p.foot_spacing if self.last else 0.0,
                way=self.step.way if self.around and phase > UNDERWAY else "",
            ),
            measured.dcm,
            p.omega,
        )
