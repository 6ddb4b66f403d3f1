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
from telexist.teleop.controllers.terms import Measured
from telexist.teleop.terms import WalkCommand

__all__ = ["FootstepPlan"]

AHEAD = 4  # steps that are planned


class FootstepPlan:
    """One step after the other.

    Attributes:
        nominal: Foothold as the command has it.
        step: The step to take now, adapted to the robot's motion.
        last: Whether the robot is to come to rest after it.
        crossing: Whether the foot set out to pass the other one ahead or behind.
        parameters: Of the robot; the time of steps may change between them.
        preview: The foothold that was looked at last and those after it, as they were
            planned: x, y, yaw, foot (k, 4).
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `begin` comes first."""
        self.parameters, self._soles = parameters, soles
        self._costs = parameters.adjustment
        self._end = support_end(parameters)
        omega = parameters.omega
        duration = parameters.walking.last_double_support / omega
        self._last_end = last_step_end(omega, duration)
        self.preview = np.zeros((0, 4))

    def begin(
        self, support: Foothold, command: WalkCommand, *, recovering: bool, last: bool
    ) -> None:
        """Plan the next step.

        Args:
            support: Where the robot stands.
            command: Where to.
            recovering: Whether steps may be as quick as legs allow, to catch the robot.
            last: Whether the robot may come to rest after it.
        """
        self._support, self._axes = support, planar_rotation(support.yaw)
        self._command, self._next_time, self.crossing = command, 0.0, False
        costs = self._costs
        self._shortest = costs.shortest_recovery if recovering else costs.shortest
        self.nominal = next_foothold(support, command, self.parameters)
        self.last = last and abs(self.nominal.yaw - support.yaw) < 0.02
        self._offset = self.offset_from(self.nominal, command)
        self.step = AdjustedStep(
            foothold=self.nominal.p,
            time_left=self.parameters.single_support,
            offset=self._offset,
        )

    def hurry(self) -> None:
        """Let this step be as quick as legs allow."""
        self._shortest = self._costs.shortest_recovery
        self._next_time = 0.0

    def adapt(self, measured: Measured, time: float, phase: float, dt: float) -> None:
        """Go on for dt: think the step over while it can be changed.

        Args:
            measured: The robot.
            time: Since lift-off [s].
            phase: Of the swing foot, 1 at landing.
            dt: Step [s].
        """
        p, walking = self._costs, self.parameters.walking
        if self.step.time_left <= p.settled or time < self._next_time:
            left = max(self.step.time_left - dt, -walking.latest)
            self.step = replace(self.step, time_left=left)
            return
        self.step = self._adjusted(measured, time, phase)
        if phase <= p.underway:
            self.crossing = self.step.way != ""
        moved = self.displacement
        self._next_time = time + (p.period if moved < p.calm else 0.0)
        if self.last and not self.on_place and phase < p.early:
            # Coming to rest leaves no room for corrections: then take another step.
            self.last = False
            self._offset = self.offset_from(self.nominal, self._command)

    @property
    def displacement(self) -> float:
        """How far the step is from where the command has it, along an axis [m]."""
        return float(np.abs(self.step.foothold - self.nominal.p).max())

    @property
    def on_place(self) -> bool:
        """Whether the step is as good as where the command has it."""
        return self.displacement <= self.parameters.gait.parallel

    @property
    def dcm_end(self) -> Array:
        """Where the DCM is to be when single support ends (2,) [m]."""
        end = self._last_end if self.last else self._end
        return end.at(self._support.p, self.step.foothold, self.step.offset)

    @property
    def adapted_preview(self) -> Array:
        """The step that is being taken as it is now, the others beside it (k, 4)."""
        steps = self.preview[:1].copy() if self.last else self.preview.copy()
        steps[:, :2] += self.step.foothold - self.nominal.p
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
        self.preview = np.array([[*s.p, s.yaw, float(s.foot)] for s in steps])
        if last:
            return landing_offset(steps[:2], self.parameters, self._last_end)
        return landing_offset(steps, self.parameters, self._end)

    def _adjusted(self, measured: Measured, time: float, phase: float) -> AdjustedStep:
        p, costs, stance = self.parameters, self._costs, self._support.foot
        sole = self._soles[stance]
        low, high = step_bounds(stance, p)
        return adjust_step(
            StepGoal(
                stance=self._support.p,
                axes=self._axes,
                room=0.5 * costs.absorb * np.array([sole.length, sole.width]),
                low=low,
                high=high,
                crossing=np.array([costs.clear * sole.length, p.max_crossing]),
                foothold=self.nominal.p,
                swing=measured.pivot(1 - stance),
                foot_speed=p.foot_speed,
                time_left=max(p.single_support - time, 0.02),
                shortest=max(self._shortest * p.single_support * (1.0 - phase), 0.02),
                longest=max(costs.longest * p.single_support - time, 0.03),
                offset=self._offset,
                end=self._last_end if self.last else self._end,
                slack=costs.rest_room * p.foot_spacing if self.last else 0.0,
                way=self.step.way if self.crossing and phase > costs.underway else "",
                may_cross=phase <= costs.underway,
                costs=costs,
            ),
            measured.dcm,
            p.omega,
        )
