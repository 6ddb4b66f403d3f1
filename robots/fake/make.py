"""Makes the robot without physics."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.description import RobotModel
from telexist.robots.fake.fake_robot import FakeRobot

__all__ = ["make"]


def make(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `fake`.

    Raises:
        BadInput: If a place is given: it is nowhere.
    """
    if options.place:
        raise BadInput(f"fake takes no further words, such as '{options.place}'")
    return FakeRobot(model, now=options.now)
