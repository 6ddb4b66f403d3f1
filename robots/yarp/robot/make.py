"""Makes a robot behind YARP."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.description import RobotModel
from telexist.robots.yarp.robot.yarp_robot import YarpRobot

__all__ = ["make"]


def make(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `yarp`, or `yarp:HOST:PORT?prefix=/icub&parts=torso,head`.

    Raises:
        BadInput: If the place cannot be understood, or the robot is to balance.
    """
    if options.balances:
        raise BadInput(
            "yarp drives positions: it holds no robot on its feet. Use --controller "
            "servo with the robot on its pole"
        )
    return YarpRobot(model, now=options.now, place=options.place)
