"""The numbers that make controllers work, by rule from the robot's model."""

from telexist.teleop.controllers.parameters.parameters import (
    ControlParameters,
    StandingRobot,
    control_parameters,
)
from telexist.teleop.controllers.parameters.posture_settings import PostureSettings
from telexist.teleop.controllers.parameters.squat_depth import LowestHeights

__all__ = [
    "ControlParameters",
    "LowestHeights",
    "PostureSettings",
    "StandingRobot",
    "control_parameters",
]
