"""LM-PFD: inverse kinematics as the forward dynamics of a virtual mechanism [A].

A model with targets, wires or loops goes in; the posture that meets them comes out.
"""

from telexist.retarget.lm_pfd.dense_lm import DenseSteps
from telexist.retarget.lm_pfd.gradient_methods import BfgsSteps, ConjugateGradientSteps
from telexist.retarget.lm_pfd.iterations import evaluate
from telexist.retarget.lm_pfd.layout import build_problem, set_goals, set_posture
from telexist.retarget.lm_pfd.model import (
    Link,
    LinkModel,
    Loop,
    PoseTarget,
    Posture,
    ViaPoint,
    Wire,
    point_target,
)
from telexist.retarget.lm_pfd.records import Problem
from telexist.retarget.lm_pfd.robot_posture import RobotPosture, solve_robot_posture
from telexist.retarget.lm_pfd.settings import LmSettings, LmSolution
from telexist.retarget.lm_pfd.solver import (
    ArticulatedSteps,
    Iterations,
    LinkSpaceSteps,
    solve,
    solve_pose,
)

__all__ = [
    "ArticulatedSteps",
    "BfgsSteps",
    "ConjugateGradientSteps",
    "DenseSteps",
    "Iterations",
    "Link",
    "LinkModel",
    "LinkSpaceSteps",
    "LmSettings",
    "LmSolution",
    "Loop",
    "PoseTarget",
    "Posture",
    "Problem",
    "RobotPosture",
    "ViaPoint",
    "Wire",
    "build_problem",
    "evaluate",
    "point_target",
    "set_goals",
    "set_posture",
    "solve",
    "solve_pose",
    "solve_robot_posture",
]
