"""Position servos follow the references: for a robot that cannot fall."""

from __future__ import annotations

import numpy as np
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
        """Return the reference as a command; what is no number stays where it is."""
        q, dq = reference.q, reference.dq
        sane = np.isfinite(q) & np.isfinite(dq)
        if not sane.all():
            q, dq = np.where(sane, q, state.q), np.where(sane, dq, 0.0)
        return JointCommand(stamp=reference.stamp, q=q, dq=dq)

    def report(self) -> ControllerReport:
        """Return nothing to show."""
        return ControllerReport(values={})


def make_servo(robot: RobotModel, posture: PostureSettings) -> ServoController:
    """Return the controller for any robot; its servos know no weights."""
    return ServoController()
