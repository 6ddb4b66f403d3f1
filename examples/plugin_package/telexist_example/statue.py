"""A controller: `--controller statue` stays where it was, whatever is asked."""

from __future__ import annotations

import numpy as np
from telexist.robots.base import JointCommand, RobotState
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.terms import ControllerReport, RobotReference

__all__ = ["Statue", "make"]


class Statue:
    """Asks the joints' servos to stay."""

    base = "fixed"  # the robot is bolted, or on a pole
    walks = False
    period = 0.0  # [s] between two steps: in every turn of the loop
    fallen = None

    def __init__(self, robot: RobotModel) -> None:
        """Begin in neutral posture."""
        self._q = np.array(robot.body.neutral.q)

    def reset(self, state: RobotState) -> None:
        """Stay where the robot is."""
        self._q = np.array(state.q)

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return the same command again."""
        return JointCommand(stamp=reference.stamp, q=self._q, dq=np.zeros_like(self._q))

    def report(self) -> ControllerReport:
        """Return nothing to show."""
        return ControllerReport(values={})


def make(robot: RobotModel, posture: PostureSettings) -> Statue:
    """Make `statue`."""
    return Statue(robot)
