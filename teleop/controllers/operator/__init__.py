"""What the operator wants of a robot that also stands: posture, trunk, free foot."""

from telexist.teleop.controllers.operator.free_foot import (
    FreeFoot,
    SoleGoal,
    StandingFoot,
)
from telexist.teleop.controllers.operator.operator_posture import OperatorPosture
from telexist.teleop.controllers.operator.posture_task import PostureTask

__all__ = ["FreeFoot", "OperatorPosture", "PostureTask", "SoleGoal", "StandingFoot"]
