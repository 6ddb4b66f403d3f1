"""The numbers that make controllers work, by rule from the robot's model.

In: a robot's model and what `[control]` of its file states. Out: `ControlParameters`,
with the groups of numbers that are the same for every robot; `control_rows` shows all.
"""

from telexist.teleop.controllers.parameters.control_rows import control_rows
from telexist.teleop.controllers.parameters.number import NumberRow
from telexist.teleop.controllers.parameters.parameters import (
    ControlParameters,
    StandingRobot,
    control_parameters,
)
from telexist.teleop.controllers.parameters.posture_settings import PostureSettings
from telexist.teleop.controllers.parameters.sensing_parameters import SensingParameters
from telexist.teleop.controllers.parameters.sitting_parameters import SittingParameters
from telexist.teleop.controllers.parameters.squat_depth import LowestHeights
from telexist.teleop.controllers.parameters.standing_parameters import (
    ContactParameters,
    FallParameters,
    FreeFootParameters,
    TrunkParameters,
)
from telexist.teleop.controllers.parameters.walking_parameters import (
    AdjustmentParameters,
    GaitParameters,
    SwingParameters,
    WalkingParameters,
)

__all__ = [
    "AdjustmentParameters",
    "ContactParameters",
    "ControlParameters",
    "FallParameters",
    "FreeFootParameters",
    "GaitParameters",
    "LowestHeights",
    "NumberRow",
    "PostureSettings",
    "SensingParameters",
    "SittingParameters",
    "StandingRobot",
    "SwingParameters",
    "TrunkParameters",
    "WalkingParameters",
    "control_parameters",
    "control_rows",
]
