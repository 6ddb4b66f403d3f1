"""Makes the robot that lives in MuJoCo."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.description import RobotModel
from telexist.robots.mujoco import Mount, SensorNoise
from telexist.robots.mujoco.camera import HeadCamera
from telexist.robots.mujoco.robot.mujoco_robot import MujocoRobot

__all__ = ["make"]


def make(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `mujoco`: free, with sensors as bad as real ones, if it is to balance.

    Raises:
        BadInput: If a place is given: it is here.
    """
    if options.place:
        raise BadInput(f"mujoco takes no further words, such as '{options.place}'")
    held: Mount = "fixed" if model.body.fixed_base else "pole"
    mount: Mount = "free" if options.balances else held
    camera = None
    if options.camera:
        camera = HeadCamera(model, now=options.now, mount=mount, wishes=options.wishes)
    return MujocoRobot(
        model,
        now=options.now,
        sleep=options.sleep,
        mount=mount,
        noise=SensorNoise() if options.balances else None,
        camera=camera,
        bounds=options.bounds,
        period=options.period,
        real_time=options.real_time,
    )
