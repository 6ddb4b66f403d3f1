"""Balance only: stand on two feet or one, step only to keep from falling."""

from __future__ import annotations

from telexist.robots.description import RobotModel
from telexist.teleop.controllers.locomotion.locomotion import LocomotionController
from telexist.teleop.controllers.parameters import PostureSettings
from telexist.teleop.terms import RobotReference, WalkCommand

__all__ = ["BalanceController", "make_balance"]


class BalanceController(LocomotionController):
    """Keeps the robot where it is while its joints follow the operator."""

    walks = False

    def walk_command(self, reference: RobotReference) -> WalkCommand:
        """Return no command, whatever is asked."""
        return WalkCommand()


def make_balance(robot: RobotModel, posture: PostureSettings) -> BalanceController:
    """Return the controller for a robot with two feet.

    Raises:
        BadInput: If it has none.
    """
    return BalanceController(robot, settings=posture)
