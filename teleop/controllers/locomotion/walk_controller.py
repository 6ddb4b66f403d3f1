"""Balance and walk where joypad, treadmill or keyboard say."""

from __future__ import annotations

from telexist.robots.description import RobotModel
from telexist.teleop.controllers.locomotion.locomotion import LocomotionController
from telexist.teleop.controllers.parameters import PostureSettings

__all__ = ["WalkController", "make_walk"]


class WalkController(LocomotionController):
    """Walks while a command is given, stands and balances otherwise."""


def make_walk(robot: RobotModel, posture: PostureSettings) -> WalkController:
    """Return the controller for a robot with two feet.

    Raises:
        BadInput: If it has none.
    """
    return WalkController(robot, settings=posture)
