"""Walking: footsteps, DCM through them, and steps that change in place and time."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from retarget.robot_body import Sole
from retarget.smoothing import minimum_jerk
from retarget.so3 import Array
from teleop.controllers.dcm_plan import landing_offset, last_step_end, support_end
from teleop.controllers.floor_estimate import FloorEstimate
from teleop.controllers.footsteps import (
    LEFT,
    RIGHT,
    Foothold,
    first_stance,
    next_foothold,
    planar_rotation,
    standing_foothold,
    step_bounds,
    turned_towards,
)
from teleop.controllers.intent import Intent, dcm_feedback, stay
from teleop.controllers.measured import Measured
from teleop.controllers.parameters import ControlParameters
from teleop.controllers.pivot_bias import PivotBias
from teleop.controllers.pressure_line import PressureLine
from teleop.controllers.step_adjustment import AdjustedStep, StepGoal, adjust_step
from teleop.controllers.step_pace import StepPace
from teleop.controllers.support_polygon import SupportPolygon, support_corners
from teleop.controllers.swing_foot import SwingFoot
from teleop.controllers.whole_body_tasks import FootTask
from teleop.devices.interface import WalkCommand

__all__ = ["WALKING_SHARE", "Walking"]

Phase = Literal["first", "single", "double", "last"]

AHEAD = 4  # steps that are planned
ABSORB = 0.6  # share of the sole that the centre of pressure uses before steps change
SOLE_SHARE = 1.0  # of the sole in which the ZMP is asked for
WALKING_SHARE = 0.7  # of the sole in which the pressure really stays
TOUCH = 0.08  # of body weight that says the swing foot has landed
EARLIEST = 0.6  # phase from which a landing is believed
SHORTEST, LONGEST = 0.5, 1.3  # of a single support that is changed
CLEAR = 1.1  # sole lengths from which one foot is ahead of the other
LOOK_PERIOD, CALM = 0.008, 0.02  # [s] between looks at a step that near its plan [m]
SETTLED = 0.05  # [s] before landing from which a step is no longer changed
UNLOAD_TIME = 0.2  # [s] to take the load of a body off a foot, in need
LATEST = 0.12  # [s] after its time a landing is taken for granted
LAST_TIME = 2.0  # [1/omega] of the double support that ends in rest
PARALLEL = 0.03  # [m] of feet side by side
RESTING, RESTING_RATE = 0.008, 0.02  # [m], [m/s] from the end of walking


class Walking:
    """Takes steps until the command is zero, then comes to rest.

    Attributes:
        finished: Whether the robot has come to rest.
        steps: Steps taken.
        phase: What is going on.
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` comes first."""
        self._p = parameters
        self._soles = soles
        self._end = support_end(parameters)
        self._last_time = LAST_TIME / parameters.omega
        self._last_end = last_step_end(parameters.omega, self._last_time)
        self.finished, self.steps = True, 0
        self.phase: Phase = "first"
        self._floor = FloorEstimate()
        self._pivot = PivotBias(parameters.omega)
        self._pace = StepPace(parameters)

    def start(
        self, measured: Measured, command: WalkCommand, *, yaw: float, hurry: bool
    ) -> None:
        """Begin to walk from standing.

        Args:
            measured: The robot.
            command: Where to.
            yaw: Heading of the base [rad].
            hurry: Whether the first step must come at once, to catch the robot.
        """
        self.finished, self.steps = False, 0
        self._yaw = yaw
        self._stance = _nearer_foot(measured) if hurry else first_stance(command)
        self._hold = standing_foothold(measured, self._stance)
        self._floor.start(measured, self._stance)
        self._command, self._last_step = command, False
        self._pace.forget()
        self._pivot.forget()
        duration = self._p.first_double_support
        if hurry:  # a foot without load can rise at once
            duration = max(0.01, UNLOAD_TIME * float(measured.load[1 - self._stance]))
        middle = measured.sole_p[:, :2].mean(axis=0)
        both = SupportPolygon(support_corners(measured, self._soles, (LEFT, RIGHT)))
        start = both.nearest(measured.dcm) if hurry else middle
        dcm_end = self._hold.p + self._offset_from(self._hold)
        line = PressureLine(start, self._hold.p, duration, dcm_end, self._p.omega)
        self._begin_line("first", line, measured)
        self._take_over = 0.0 if hurry else 0.4 * duration

    def step(self, measured: Measured, command: WalkCommand, dt: float) -> Intent:
        """Go on for dt and say what to do."""
        self._time += dt
        self._command = self._pace.command(command)
        self._pace.wait(dt)
        self._shift = planar_rotation(self._yaw) @ self._pivot.value
        if self.phase == "last":  # standing knows no such shift
            self._shift *= 1.0 - min(max(self._time / self._line.duration, 0.0), 1.0)
        measured = replace(measured, dcm=measured.dcm - self._shift)
        if self.phase == "single":
            self._check_landing(measured)
        elif self._time >= self._line.duration:
            if self.phase == "last":
                self.finished = self._at_rest(measured)
            else:
                self._begin_single(measured)
        both = self.phase != "single"
        self._floor.step(measured, self._stance, dt, both_stand=both)
        if self.phase == "single":
            return self._single(measured, dt)
        return self._both(measured, dt)

    def _at_rest(self, measured: Measured) -> bool:
        """Standing takes over: the nearer the DCM, the smoother; but not for ever."""
        near = RESTING + RESTING_RATE * (self._time - self._line.duration)
        return bool(np.linalg.norm(measured.dcm - self._line.end) < near)

    # -- double support ---------------------------------------------------------

    def _begin_line(
        self, phase: Phase, line: PressureLine, measured: Measured, *, wait: float = 0.0
    ) -> None:
        """Begin to move the ZMP along a line after a time to wait."""
        self.phase, self._time, self._wait = phase, -wait, wait
        self._line = line
        self._polygon = SupportPolygon(
            support_corners(measured, self._soles, (LEFT, RIGHT), share=SOLE_SHARE)
        )

    def _both(self, measured: Measured, dt: float) -> Intent:
        p, line = self._p, self._line
        zmp, dcm = line.zmp(self._time), line.dcm(self._time)
        asked = dcm_feedback(
            measured.dcm, dcm, zmp, gain=p.walking_dcm_gain, omega=p.omega
        )
        if self.phase == "first" and self._time < self._take_over:
            # Standing's law hands over to walking's without a jump in torque.
            share = float(minimum_jerk(self._time / self._take_over))
            hold = dcm_feedback(
                measured.dcm, line.start, line.start, gain=p.dcm_gain, omega=p.omega
            )
            asked = hold + share * (asked - hold)
        return self._intent(
            measured,
            self._polygon.nearest(asked),
            zmp,
            dcm,
            self._standing_feet(measured),
            dt,
        )

    def _standing_feet(self, measured: Measured) -> tuple[FootTask, ...]:
        """Return the feet's tasks: load goes from one to the other without a jump."""
        since = self._time + self._wait
        duration = self._line.duration
        share = min(max(self._time / duration, 0.0), 1.0)
        new, loads = self._stance, [2.0, 2.0]
        if self.phase == "double":
            loads[new] = 0.15 + 3.0 * since / duration
        if self.phase in ("double", "first"):
            loads[1 - new] = max(0.02, 2.0 * (1.0 - share))
        return tuple(
            stay(measured, i, self._floor.normal, loads[i]) for i in (LEFT, RIGHT)
        )

    # -- single support ---------------------------------------------------------

    def _begin_single(self, measured: Measured) -> None:
        self.phase, self._time, self._next_look = "single", 0.0, 0.0
        self.steps += 1
        swing = 1 - self._stance
        self._hold = standing_foothold(measured, self._stance)
        self._plan = next_foothold(self._hold, self._command, self._p)
        self._pivot.begin(measured.dcm)
        self._swing = SwingFoot(
            measured.sole_p[swing], measured.sole_R[swing], height=self._p.step_height
        )
        idle = self._command == WalkCommand()
        self._last_step = idle and abs(self._plan.yaw - self._hold.yaw) < 0.02
        self._plan_offset = self._offset_from(self._plan)
        self._step = AdjustedStep(
            foothold=self._plan.p,
            time_left=self._p.single_support,
            offset=self._plan_offset,
        )

    def _single(self, measured: Measured, dt: float) -> Intent:
        p = self._p
        axes = planar_rotation(self._hold.yaw)
        left = p.single_support - self._time
        if self._step.time_left > SETTLED and self._time >= self._next_look:
            self._step = self._adjusted(measured, axes, left)
            calm = np.abs(self._step.foothold - self._plan.p).max() < CALM
            self._next_look = self._time + (LOOK_PERIOD if calm else 0.0)
            self._give_up_resting()
        else:
            time_left = max(self._step.time_left - dt, -LATEST)
            self._step = replace(self._step, time_left=time_left)
        step = self._step
        end = self._last_end if self._last_step else self._end
        goal_end = end.at(self._hold.p, step.foothold, step.offset)
        decay = np.exp(-p.omega * step.time_left)
        dcm = self._hold.p + decay * (goal_end - self._hold.p)
        asked = dcm_feedback(
            measured.dcm, dcm, self._hold.p, gain=p.walking_dcm_gain, omega=p.omega
        )
        zmp = self._inside_sole(asked, axes, SOLE_SHARE)
        self._pivot.follow(self._inside_sole(asked, axes, WALKING_SHARE), dt)
        swing = 1 - self._stance
        place = np.array(
            [*step.foothold, self._floor.at(step.foothold), self._plan.yaw]
        )
        self._swing.step(place, step.time_left, dt, tilt=self._floor.tilt)
        air = FootTask(
            load=0.0,
            acc=self._swing.acceleration(
                measured.sole_p[swing], measured.sole_R[swing], measured.sole_v[swing]
            ),
        )
        ground = stay(measured, self._stance, self._floor.normal)
        feet = (ground, air) if self._stance == LEFT else (air, ground)
        return self._intent(measured, zmp, self._hold.p, dcm, feet, dt)

    def _adjusted(self, measured: Measured, axes: Array, left: float) -> AdjustedStep:
        p = self._p
        sole = self._soles[self._stance]
        low, high = step_bounds(self._stance, p)
        ahead = 1.0 - self._swing.phase
        return adjust_step(
            StepGoal(
                stance=self._hold.p,
                axes=axes,
                room=0.5 * ABSORB * np.array([sole.length, sole.width]),
                low=low,
                high=high,
                crossing=np.array([CLEAR * sole.length, p.max_crossing]),
                foothold=self._plan.p,
                swing=measured.sole_p[1 - self._stance, :2],
                foot_speed=p.foot_speed,
                time_left=max(left, 0.02),
                shortest=max(SHORTEST * p.single_support * ahead, 0.02),
                longest=max(LONGEST * p.single_support - self._time, 0.03),
                offset=self._plan_offset,
                end=self._last_end if self._last_step else self._end,
            ),
            measured.dcm,
            p.omega,
        )

    def _give_up_resting(self) -> None:
        """Coming to rest leaves no room for corrections: then take another step."""
        moved = np.abs(self._step.foothold - self._plan.p).max()
        if self._last_step and moved > PARALLEL:
            self._last_step = False
            self._plan_offset = self._offset_from(self._plan)

    def _inside_sole(self, zmp: Array, axes: Array, share: float) -> Array:
        sole = self._soles[self._stance]
        half = 0.5 * share * np.array([sole.length, sole.width])
        local = np.clip(axes.T @ (zmp - self._hold.p), -half, half)
        return self._hold.p + axes @ local

    def _check_landing(self, measured: Measured) -> None:
        swing = 1 - self._stance
        touched = measured.load[swing] > TOUCH and self._swing.phase > EARLIEST
        late = self._swing.phase >= 1.0 and self._swing.lateness > LATEST
        if not (touched or late):
            return
        old, self._stance = self._hold, swing
        self._hold = standing_foothold(measured, swing)
        self._pivot.end(measured.dcm, planar_rotation(self._yaw))
        self._pace.landed()
        gap = planar_rotation(old.yaw).T @ (self._hold.p - old.p)
        side_by_side = (
            abs(gap[0]) < PARALLEL
            and abs(abs(gap[1]) - self._p.foot_spacing) < 2.0 * PARALLEL
        )
        wait = min(max(self._step.time_left, 0.0), 0.5 * self._p.single_support)
        if self._last_step and side_by_side and self._command == WalkCommand():
            middle = 0.5 * (old.p + self._hold.p)
            line = PressureLine(old.p, middle, self._last_time, middle, self._p.omega)
            self._begin_line("last", line, measured, wait=wait)
            return
        lateness = max(-self._step.time_left, 0.0)
        usual = self._p.double_support
        duration = max(usual - lateness, 0.6 * usual)
        dcm_end = self._hold.p + self._offset_from(self._hold)
        line = PressureLine(old.p, self._hold.p, duration, dcm_end, self._p.omega)
        self._begin_line("double", line, measured, wait=wait)

    # -- what both share --------------------------------------------------------

    def _offset_from(self, first: Foothold) -> Array:
        steps = [first]
        for _ in range(AHEAD):
            steps.append(next_foothold(steps[-1], self._command, self._p))
        return landing_offset(steps, self._p, self._end)

    def _intent(
        self,
        measured: Measured,
        zmp: Array,
        zmp_plan: Array,
        dcm_plan: Array,
        feet: tuple[FootTask, ...],
        dt: float,
    ) -> Intent:
        goal = self._plan.yaw if self.phase == "single" else self._hold.yaw
        self._yaw = turned_towards(self._yaw, self._hold.yaw, goal, dt)
        return Intent(
            zmp=zmp,
            zmp_plan=zmp_plan,
            dcm_plan=dcm_plan + self._shift,
            feet=(feet[0], feet[1]),
            yaw=self._yaw,
            floor=self._floor.height,
            footholds=self._shown(),
        )

    def _shown(self) -> Array:
        if self.phase != "single":
            return np.zeros((0, 4))
        return np.array(
            [[*self._step.foothold, self._plan.yaw, float(self._plan.foot)]]
        )


def _nearer_foot(measured: Measured) -> int:
    """Return the foot nearer to the DCM: it can carry, the other can step."""
    distance = np.linalg.norm(measured.sole_p[:, :2] - measured.dcm, axis=1)
    return int(np.argmin(distance))
