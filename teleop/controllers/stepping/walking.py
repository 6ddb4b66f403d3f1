"""Walking: footsteps, DCM through them, and steps that change in place and time."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.smoothing import minimum_jerk
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import SupportPolygon, support_corners
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.sensing import FloorEstimate, PivotBias
from telexist.teleop.controllers.stepping.command_ramp import CommandRamp
from telexist.teleop.controllers.stepping.dcm_plan import caught_in_time
from telexist.teleop.controllers.stepping.footsteps import (
    LEFT,
    RIGHT,
    Foothold,
    first_stance,
    nearer_foot,
    planar_rotation,
    standing_foothold,
    turned_towards,
)
from telexist.teleop.controllers.stepping.gait import stoop_at, timed
from telexist.teleop.controllers.stepping.load_transfer import (
    FREE,
    handed_over,
    leaving,
)
from telexist.teleop.controllers.stepping.pressure_line import PressureLine
from telexist.teleop.controllers.stepping.step_choice import (
    LAST_TIME,
    LATEST,
    StepChoice,
)
from telexist.teleop.controllers.stepping.step_pace import StepPace
from telexist.teleop.controllers.stepping.step_spacing import PARALLEL, StepSpacing
from telexist.teleop.controllers.stepping.swing_foot import SwingFoot
from telexist.teleop.controllers.terms import (
    FootTask,
    Intent,
    Measured,
    dcm_feedback,
    stay,
)
from telexist.teleop.terms import WalkCommand

__all__ = ["WALKING_SHARE", "Walking"]

Phase = Literal["first", "single", "double", "last"]

SOLE_SHARE = 1.0  # of the sole in which the ZMP is asked for
WALKING_SHARE = 0.7  # of the sole in which the pressure really stays
TOUCH = 0.08  # of body weight that says the swing foot has landed
EARLIEST = 0.6  # phase from which a landing is believed
NEAR, VERY_LATE = 0.01, 2.0  # [m] over the floor of a foot that may stand, else later
HURRIED = 0.3  # of a double support when the DCM is beyond both feet
UNLOAD_TIME = 0.1  # [s] to take the load of a body off a foot, in need
HURRIED_HIPS = 0.1  # of the height: ZMP beyond the sole, by hips and arms, in need
RESTING, RESTING_RATE = 0.008, 0.02  # [m], [m/s] from the end of walking


class Walking:
    """Takes steps until the command is zero, then comes to rest.

    Attributes:
        finished: Whether the robot has come to rest.
        hurry: Whether it walks to be caught.
        steps: Steps taken.
        phase: What is going on.
        stoop: How much lower than standing the body is to be [m].
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` comes first."""
        self._p = parameters
        self._soles = soles
        self._choice = StepChoice(parameters, soles)
        self._spacing = StepSpacing(parameters)
        self._last_time = LAST_TIME / parameters.omega
        self.finished, self.hurry, self.steps = True, False, 0
        self.phase: Phase = "first"
        self.stoop = 0.0
        self._floor = FloorEstimate()
        self._pivot = PivotBias(parameters.omega)
        self._pace = StepPace()
        self._ramp = CommandRamp()

    def start(
        self,
        measured: Measured,
        command: WalkCommand,
        *,
        yaw: float,
        hurry: bool,
        held: Array,
    ) -> None:
        """Begin to walk from standing.

        Args:
            measured: The robot.
            command: Where to.
            yaw: Heading of the base [rad].
            hurry: Whether the first step must come at once, to catch the robot.
            held: Where standing had the DCM (2,) [m].
        """
        self.finished, self.hurry, self.steps = False, hurry, 0
        self._yaw = yaw
        self._stance = nearer_foot(measured) if hurry else first_stance(command)
        self._hold = standing_foothold(measured, self._stance)
        self._floor.start(measured, self._stance)
        self._ramp.reset()
        self._command = self._ramp.value
        self._spacing.start()
        self._choice.parameters = timed(self._p, self._command)
        self._pace.forget()
        self._pivot.forget()
        duration = self._p.first_double_support
        if hurry:  # a foot without load can rise at once
            duration = max(0.01, UNLOAD_TIME * float(measured.load[1 - self._stance]))
        middle = measured.sole_p[:, :2].mean(axis=0)
        both = self._both_feet(measured)
        start = both.nearest(measured.dcm) if hurry else middle
        dcm_end = self._hold.p + self._choice.offset_from(self._hold, self._command)
        line = PressureLine(start, self._hold.p, duration, dcm_end, self._p.omega)
        self._begin_line("first", line, measured)
        self._held, self._take_over = held, 0.0 if hurry else 0.4 * duration

    def step(self, measured: Measured, command: WalkCommand, dt: float) -> Intent:
        """Go on for dt and say what to do."""
        self._time += dt
        self._asked = self._ramp.step(command, dt)
        self.stoop = stoop_at(self._p, self._asked)
        self._command = self._pace.command(self._asked)
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
        if self.phase == "last" and self._reach.outside(measured.dcm) > 0.0:
            self.finished = True  # standing uses all of the soles, and steps in need
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
        self._polygon = self._both_feet(measured)
        self._reach = self._both_feet(measured, WALKING_SHARE)

    def _both_feet(self, measured: Measured, share: float = 1.0) -> SupportPolygon:
        feet = (LEFT, RIGHT)
        corners = support_corners(measured, self._soles, feet, share=share)
        return SupportPolygon(corners)

    def _both(self, measured: Measured, dt: float) -> Intent:
        p, line = self._p, self._line
        zmp, dcm = line.zmp(self._time), line.dcm(self._time)
        asked = dcm_feedback(
            measured.dcm, dcm, zmp, gain=p.walking_dcm_gain, omega=p.omega
        )
        if self.phase == "first" and self._time < self._take_over:
            # Standing's law hands over to walking's: no jump in torque or reference.
            share = float(minimum_jerk(self._time / self._take_over))
            held = self._held
            hold = dcm_feedback(
                measured.dcm, held, held, gain=p.dcm_gain, omega=p.omega
            )
            asked = hold + share * (asked - hold)
            zmp, dcm = held + share * (zmp - held), held + share * (dcm - held)
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
        duration, new, loads = self._line.duration, self._stance, [FREE, FREE]
        share = min(max(self._time / duration, 0.0), 1.0)
        if self.phase == "first":
            loads[1 - new] = leaving(share)
        elif self.phase == "double":
            since = (self._time + self._wait) / duration
            carried = float(measured.load[1 - new])
            loads[new], loads[1 - new] = handed_over(share, since, carried)
        return tuple(
            stay(measured, i, self._floor.normal, loads[i]) for i in (LEFT, RIGHT)
        )

    # -- single support ---------------------------------------------------------

    def _begin_single(self, measured: Measured) -> None:
        self.phase, self._time = "single", 0.0
        self.steps += 1
        swing = 1 - self._stance
        self._hold = standing_foothold(measured, self._stance)
        last = self._spacing.apart
        self._choice.begin(self._hold, self._command, hurry=self.hurry, last=last)
        self._pivot.begin(measured.dcm)
        self._swing = SwingFoot(
            measured.sole_p[swing],
            measured.sole_R[swing],
            height=self._p.step_height,
            hurry=self.hurry,
        )

    def _single(self, measured: Measured, dt: float) -> Intent:
        p = self._p
        axes = planar_rotation(self._hold.yaw)
        self._choice.look(measured, self._time, self._swing.phase, dt)
        step, yaw = self._choice.step, self._choice.plan.yaw
        decay = np.exp(-p.omega * step.time_left)
        dcm = self._hold.p + decay * (self._choice.dcm_end - self._hold.p)
        asked = dcm_feedback(
            measured.dcm, dcm, self._hold.p, gain=p.walking_dcm_gain, omega=p.omega
        )
        hips = HURRIED_HIPS * p.com_height if self.hurry else 0.0
        zmp = self._inside_sole(asked, axes, SOLE_SHARE, hips)
        self._pivot.follow(self._inside_sole(asked, axes, WALKING_SHARE), dt)
        swing = 1 - self._stance
        middle = step.foothold - measured.sole_edge[swing, :2]
        place = np.array([*middle, self._floor.at(middle), yaw])
        around = axes if self._choice.around else None
        tilt = self._floor.tilt
        self._swing.step(place, step.time_left, dt, tilt=tilt, around=around)
        air = FootTask(
            load=0.0,
            acc=self._swing.acceleration(
                measured.sole_p[swing], measured.sole_R[swing], measured.sole_v[swing]
            ),
        )
        ground = stay(measured, self._stance, self._floor.normal)
        feet = (ground, air) if self._stance == LEFT else (air, ground)
        return self._intent(measured, zmp, self._hold.p, dcm, feet, dt)

    def _inside_sole(
        self, zmp: Array, axes: Array, share: float, beyond: float = 0.0
    ) -> Array:
        sole = self._soles[self._stance]
        half = 0.5 * share * np.array([sole.length, sole.width]) + beyond
        local = np.clip(axes.T @ (zmp - self._hold.p), -half, half)
        return self._hold.p + axes @ local

    def _check_landing(self, measured: Measured) -> None:
        swing = 1 - self._stance
        touched = measured.load[swing] > TOUCH and self._swing.phase > EARLIEST
        place = measured.sole_p[swing]
        near = place[2] - self._floor.at(place[:2]) < NEAR
        late = self._swing.lateness > LATEST * (1.0 if near else VERY_LATE)
        if not (touched or late):
            return
        old, self._stance = self._hold, swing
        self._hold = standing_foothold(measured, swing)
        self._pivot.end(measured.dcm, planar_rotation(self._yaw))
        self._pace.landed(self._choice.parameters)
        if self._choice.moved < PARALLEL:
            self.hurry = False  # it is caught
        stay = self._command == WalkCommand() and not self.hurry
        stands = self._spacing.landed(old, self._hold, stay=stay)
        self._choice.parameters = self._spacing.of(timed(self._p, self._asked))
        wait = min(max(self._choice.step.time_left, 0.0), 0.5 * self._p.single_support)
        if self._choice.last and stands:
            middle = 0.5 * (old.p + self._hold.p)
            line = PressureLine(old.p, middle, self._last_time, middle, self._p.omega)
            self._begin_line("last", line, measured, wait=wait)
            return
        self._begin_double(measured, old, wait)

    def _begin_double(self, measured: Measured, old: Foothold, wait: float) -> None:
        """Move the pressure on to the foot that has landed, as fast as is needed."""
        p, hold, usual = self._p, self._hold, self._p.double_support
        lateness = max(-self._choice.step.time_left, 0.0)
        times = wait, max(usual - lateness, 0.6 * usual)
        offset = self._choice.offset_from(hold, self._command, last=self._spacing.apart)
        found: tuple[float, float] | None = times
        if self._both_feet(measured).outside(measured.dcm) > 0.0:
            found = None
        elif self.hurry:
            feet = old.p, hold.p
            found = caught_in_time(measured.dcm, feet, offset, p.omega, times)
        wait, duration = found or (0.0, HURRIED * usual)
        line = PressureLine(old.p, hold.p, duration, hold.p + offset, p.omega)
        self._begin_line("double", line, measured, wait=wait)

    # -- what both share --------------------------------------------------------

    def _intent(
        self,
        measured: Measured,
        zmp: Array,
        zmp_plan: Array,
        dcm_plan: Array,
        feet: tuple[FootTask, ...],
        dt: float,
    ) -> Intent:
        goal = self._choice.plan.yaw if self.phase == "single" else self._hold.yaw
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
        """Return the steps to come; those after the foot that has landed last."""
        if self.phase == "single":
            return self._choice.coming
        return self._choice.ahead[1:] if self.phase != "last" else np.zeros((0, 4))
