"""Position servos follow the references: for a robot that cannot fall."""

from __future__ import annotations

from telexist.robots.base import JointCommand, RobotState
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.terms import ControllerReport, RobotReference

__all__ = ["ServoController", "make_servo"]


class ServoController:
    """Hands references on to the joints' own servos."""

    base = "fixed"
    walks = False
    period = 0.0  # [s] in every turn of the loop
    fallen = None

    def reset(self, state: RobotState) -> None:
        """Do nothing: a servo has no memory."""

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return the reference as a command."""
        return JointCommand(stamp=reference.stamp, q=reference.q, dq=reference.dq)

    def report(self) -> ControllerReport:
        """Return nothing to show."""
        return ControllerReport(values={})


def make_servo(robot: RobotModel, posture: PostureSettings) -> ServoController:
    """Return the controller for any robot; its servos know no weights."""
    return ServoController()
