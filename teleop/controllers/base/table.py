"""The controllers, by the word with which a user asks for one."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from telexist.retarget.errors import UnknownName
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.base.interface import Controller
from telexist.teleop.controllers.parameters import PostureSettings

__all__ = ["CONTROLLERS", "make_controller"]

CONTROLLERS: Mapping[str, str] = MappingProxyType(
    {
        "balance": "telexist.teleop.controllers.locomotion:make_balance",
        "servo": "telexist.teleop.controllers.servo:make_servo",
        "walk": "telexist.teleop.controllers.locomotion:make_walk",
    }
)
"""Word to the function that makes the controller, imported only when asked for."""


def make_controller(
    word: str, robot: RobotModel, posture: PostureSettings | None = None
) -> Controller:
    """Make the controller that a word asks for.

    Args:
        word: One of `CONTROLLERS`.
        robot: The robot.
        posture: How firmly its joints follow the operator while it balances.

    Raises:
        UnknownName: If there is no such controller.
        BadInput: If the robot cannot be controlled like that: it has no feet.
    """
    if word not in CONTROLLERS:
        raise UnknownName("controller", word, CONTROLLERS)
    module, _, function = CONTROLLERS[word].partition(":")
    make = cast(
        Callable[[RobotModel, PostureSettings], Controller],
        getattr(importlib.import_module(module), function),
    )
    return make(robot, posture or PostureSettings())
