"""The ways to reach a robot, by the word with which a user asks for one.

`--backend mujoco`, or `word:place?options` where a back end takes some. To add
one: a function `make(model, options) -> Robot` and a row here; strangers bring an entry
point of the group `telexist.robots`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from telexist.retarget.plugins import PluginTable
from telexist.robots.backends.options import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.description import RobotModel

__all__ = ["BACKENDS", "backend_kind", "make_robot"]

BACKENDS = PluginTable(
    "robot back end",
    "telexist.robots",
    {
        "mujoco": "telexist.robots.mujoco.robot:make",
        "fake": "telexist.robots.fake:make",
        "yarp": "telexist.robots.yarp.robot:make",
        "unitree": "telexist.robots.unitree:make",
        "sonic": "telexist.robots.consumers:make_sonic",
        "twist2": "telexist.robots.consumers:make_twist2",
        "iit": "telexist.robots.consumers:make_iit",
    },
)
"""Word to its `make`, imported only when asked for. "fake" has no physics."""


def backend_kind(text: str) -> str:
    """Return the word of `BACKENDS` that a text asks for."""
    return re.split("[:?]", text, maxsplit=1)[0]


def make_robot(text: str, model: RobotModel, options: RobotOptions) -> Robot:
    """Make the robot that a text asks for; nothing is reached yet.

    Args:
        text: A word of `BACKENDS`, with a place after a colon where it takes one.
        model: The robot.
        options: What the session says.

    Raises:
        UnknownName: If there is no such back end.
        BadInput: If it cannot do what the options ask, or knows no such place.
    """
    word = backend_kind(text)
    options = replace(options, place=text.removeprefix(word).removeprefix(":"))
    return cast(Robot, BACKENDS.call(word, model, options, like=Robot))
