"""Balance only: stand on two feet or one, step only to keep from falling."""

from __future__ import annotations

from robots.body import Robot
from teleop.controllers.interface import RobotReference
from teleop.controllers.locomotion import LocomotionController
from teleop.controllers.posture_settings import PostureSettings
from teleop.devices.interface import WalkCommand

__all__ = ["BalanceController", "make_balance"]


class BalanceController(LocomotionController):
    """Keeps the robot where it is while its joints follow the operator."""

    walks = False

    def walk_command(self, reference: RobotReference) -> WalkCommand:
        """Return no command, whatever is asked."""
        return WalkCommand()


def make_balance(robot: Robot, posture: PostureSettings) -> BalanceController:
    """Return the controller for a robot with two feet.

    Raises:
        BadInput: If it has none.
    """
    return BalanceController(robot, settings=posture)
