"""Makes a Unitree G1."""

from __future__ import annotations

from telexist.retarget.errors import BadInput
from telexist.robots.backends import RobotOptions
from telexist.robots.base import Robot
from telexist.robots.description import RobotModel
from telexist.robots.unitree.low_command import MOTORS
from telexist.robots.unitree.unitree_robot import UnitreeRobot

__all__ = ["make"]


def make(model: RobotModel, options: RobotOptions) -> Robot:
    """Make `unitree:HOST`, the ZMQ bridge on it, or `unitree:dds?interface=eth0`.

    Raises:
        BadInput: If the robot is no G1 of 29 joints, or is to balance.
    """
    missing = [name for name in MOTORS if name not in model.body.kinematics.joints]
    if missing:
        raise BadInput(
            f"unitree drives a G1 of 29 joints; {model.body.name} has no {missing[0]}: "
            "--robot g1"
        )
    if options.balances:
        raise BadInput(
            "unitree drives positions here: it holds no robot on its feet. Hang it "
            "from its frame, or use the arms alone: --backend unitree:HOST?arms=yes"
        )
    return UnitreeRobot(model, now=options.now, place=options.place)
