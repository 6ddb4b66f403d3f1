"""What the phases of walking share, and what steps have taught about the robot."""

from __future__ import annotations

from dataclasses import replace

from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import SupportPolygon, support_corners
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.sensing import FloorEstimate, PivotBias
from telexist.teleop.controllers.stepping import (
    LEFT,
    RIGHT,
    CommandRamp,
    Foothold,
    FootstepPlan,
    StepPace,
    StepSpacing,
    planar_rotation,
    standing_foothold,
    stoop_at,
    timed,
    turned_towards,
)
from telexist.teleop.controllers.terms import FootTask, Intent, Measured, stay
from telexist.teleop.terms import WalkCommand

__all__ = ["WalkState"]


class WalkState:
    """The support foot, the plan of steps, the command, and what was learnt.

    Attributes:
        parameters: Of the robot.
        soles: Left and right.
        plan: Where and when the next feet land.
        spacing: How far apart the feet are.
        floor: Its height and tilt.
        pivot: How far from the asked ZMP the robot pivots.
        pace: How long steps really take.
        support: Where the support foot stands.
        command: Where to, at the pace of the steps.
        asked: Where to, as asked, after the ramp.
        recovering: Whether it walks to be caught.
        steps: Taken.
        yaw: Heading of the base [rad].
        shift: Of the DCM by the pivot's bias (2,) [m].
    """

    support: Foothold
    yaw: float
    shift: Array

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` comes first."""
        self.parameters, self.soles = parameters, soles
        self.plan = FootstepPlan(parameters, soles)
        self.spacing = StepSpacing(parameters)
        self.floor = FloorEstimate(parameters.sensing)
        self.pivot = PivotBias(parameters.omega, parameters.sensing)
        self.pace = StepPace(parameters.gait)
        self._ramp = CommandRamp(parameters.gait)
        self.command = WalkCommand()
        self.asked = WalkCommand()
        self.recovering, self.steps = False, 0

    def start(
        self, measured: Measured, support: int, *, yaw: float, recovering: bool
    ) -> None:
        """Begin to walk.

        Args:
            measured: The robot.
            support: The foot to stand on first.
            yaw: Heading of the base [rad].
            recovering: Whether the robot is to be caught.
        """
        self.recovering, self.steps, self.yaw = recovering, 0, yaw
        self.support = standing_foothold(measured, support)
        self.floor.start(measured, support)
        self._ramp.reset()
        self.command = self._ramp.value
        self.spacing.start()
        self.plan.parameters = timed(self.parameters, self.command)
        self.pace.forget()
        self.pivot.forget()

    def follow(self, command: WalkCommand, dt: float) -> None:
        """Go on for dt [s] towards a command."""
        self.asked = self._ramp.step(command, dt)
        self.command = self.pace.command(self.asked)
        self.pace.wait(dt)

    @property
    def stoop(self) -> float:
        """How much lower than standing the body is to be [m]."""
        return stoop_at(self.parameters, self.asked)

    def unbiased(self, measured: Measured, share: float) -> Measured:
        """Return the robot with the DCM as the plan has it.

        Args:
            measured: The robot.
            share: Of the pivot's bias that counts.
        """
        self.shift = share * (planar_rotation(self.yaw) @ self.pivot.value)
        return replace(measured, dcm=measured.dcm - self.shift)

    def land(self, measured: Measured) -> tuple[Foothold, bool]:
        """Take the swing foot as the support foot.

        Returns:
            The foothold left behind, and whether the feet stand as for standing.
        """
        old, swing = self.support, 1 - self.support.foot
        self.support = standing_foothold(measured, swing)
        self.pivot.end(measured.dcm, planar_rotation(self.yaw))
        self.pace.landed(self.plan.parameters)
        if self.plan.on_place:
            self.recovering = False  # it is caught
        stop = self.command == WalkCommand() and not self.recovering
        stands = self.spacing.landed(old, self.support, stay=stop)
        steps = timed(self.parameters, self.asked)
        self.plan.parameters = self.spacing.of(steps)
        return old, stands

    def polygon(self, measured: Measured, share: float = 1.0) -> SupportPolygon:
        """Return what both soles, or a share of each, span on the floor."""
        corners = support_corners(measured, self.soles, (LEFT, RIGHT), share=share)
        return SupportPolygon(corners)

    def both_stay(
        self, measured: Measured, loads: tuple[float, float]
    ) -> tuple[FootTask, FootTask]:
        """Return the tasks of two feet that stand, with the loads they may carry."""
        left, right = (
            stay(measured, i, self.floor.normal, loads[i]) for i in (LEFT, RIGHT)
        )
        return left, right

    def intent(
        self,
        zmp: Array,
        plan: tuple[Array, Array],
        feet: tuple[FootTask, FootTask],
        *,
        goal: float,
        footholds: Array,
        dt: float,
    ) -> Intent:
        """Put together what a phase has decided.

        Args:
            zmp: Asked for (2,) [m].
            plan: ZMP and DCM as planned, (2,) each [m].
            feet: What the left and the right foot do.
            goal: Heading of the foot that lands next [rad].
            footholds: Steps to come (k, 4).
            dt: Step [s].
        """
        gait = self.parameters.gait
        self.yaw = turned_towards(self.yaw, self.support.yaw, goal, dt, gait)
        return Intent(
            zmp=zmp,
            zmp_plan=plan[0],
            dcm_plan=plan[1] + self.shift,
            feet=feet,
            yaw=self.yaw,
            floor=self.floor.height,
            footholds=footholds,
        )
