"""The controllers, by the word with which a user asks for one.

To add one: a function `make(robot, posture) -> Controller` and a row here; strangers
bring an entry point of the group `telexist.controllers`.
"""

from __future__ import annotations

from typing import cast

from telexist.retarget.plugins import PluginTable
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.base.interface import Controller
from telexist.teleop.controllers.parameters import PostureSettings

__all__ = ["CONTROLLERS", "make_controller"]

CONTROLLERS = PluginTable(
    "controller",
    "telexist.controllers",
    {
        "balance": "telexist.teleop.controllers.locomotion:make_balance",
        "policy": "telexist.teleop.controllers.policy:make_policy",
        "servo": "telexist.teleop.controllers.servo:make_servo",
        "walk": "telexist.teleop.controllers.locomotion:make_walk",
    },
)
"""Word to the function that makes the controller, imported only when asked for."""


def make_controller(
    word: str, robot: RobotModel, posture: PostureSettings | None = None
) -> Controller:
    """Make the controller that a word asks for.

    Args:
        word: One of `CONTROLLERS`; "policy:FILE" for a learned one.
        robot: The robot.
        posture: How firmly its joints follow the operator while it balances.

    Raises:
        UnknownName: If there is no such controller.
        BadPlugin: If it is another package's, and broken.
        BadInput: If the robot cannot be controlled like that: it has no feet.
    """
    settings = posture or PostureSettings()
    name, _, file = word.partition(":")
    if name == "policy":
        return cast(Controller, CONTROLLERS.call(name, robot, settings, file))
    return cast(Controller, CONTROLLERS.call(word, robot, settings, like=Controller))
