"""The ways to reach a robot."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from telexist.retarget.errors import UnknownName

__all__ = ["BACKENDS", "backend_class"]

BACKENDS = {
    "mujoco": "telexist.robots.mujoco.robot.mujoco_robot:MujocoRobot",
    "fake": "telexist.robots.fake.fake_robot:FakeRobot",
}
"""Name to class; imported only when asked for. "fake" has no physics: for dry runs."""


def backend_class(name: str) -> Callable[..., Any]:
    """Return the class of a back end.

    Raises:
        UnknownName: If there is none of that name.
    """
    if name not in BACKENDS:
        raise UnknownName("robot back end", name, BACKENDS)
    module, kind = BACKENDS[name].split(":")
    found: Callable[..., Any] = getattr(import_module(module), kind)
    return found
