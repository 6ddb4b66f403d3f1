"""LM-PFD: Levenberg-Marquardt as the forward dynamics of a virtual mechanism [A].

For hard single problems: large models, large errors, closed chains and wires.
"""

from retarget.ik.lm_pfd.layout import build_problem
from retarget.ik.lm_pfd.model import (
    Link,
    LinkModel,
    Loop,
    PoseTarget,
    Posture,
    ViaPoint,
    Wire,
    point_target,
)
from retarget.ik.lm_pfd.robot_posture import RobotPosture, solve_robot_posture
from retarget.ik.lm_pfd.settings import LmSettings, LmSolution
from retarget.ik.lm_pfd.solver import (
    ArticulatedSteps,
    LinkSpaceSteps,
    solve,
    solve_pose,
)

__all__ = [
    "ArticulatedSteps",
    "Link",
    "LinkModel",
    "LinkSpaceSteps",
    "LmSettings",
    "LmSolution",
    "Loop",
    "PoseTarget",
    "Posture",
    "RobotPosture",
    "ViaPoint",
    "Wire",
    "build_problem",
    "point_target",
    "solve",
    "solve_pose",
    "solve_robot_posture",
]
