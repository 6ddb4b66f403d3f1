"""Dynamical inverse kinematics, compiled: targets for links in, joint motion out.

One step is exact within joint limits, speeds and couplings, in time linear in the
number of joints [R] (9)-(13).
"""

from telexist.retarget.ik.articulated import forward_kinematics
from telexist.retarget.ik.joint_roles import JointRoles
from telexist.retarget.ik.limits import StepBounds, step_bounds
from telexist.retarget.ik.mechanism import FREE, Mechanism, make_mechanism
from telexist.retarget.ik.posture_search import orientation_errors
from telexist.retarget.ik.reaching_ik import ReachingIk
from telexist.retarget.ik.recursive_ik import RecursiveIk, step_towards
from telexist.retarget.ik.recursive_step import (
    limit_step,
    settle,
    step_recursively,
    take_limits,
    take_step,
)
from telexist.retarget.ik.rotations import (
    arcsine_over_sine,
    copy_matrix,
    copy_vector,
    exponential,
    logarithm,
    product,
    product_transposed,
    rotate,
    transposed_product,
)
from telexist.retarget.ik.settings import IkSettings
from telexist.retarget.ik.target_clip import follow_targets
from telexist.retarget.ik.targets import OrientationTargets, PointTarget, Targets

__all__ = [
    "FREE",
    "IkSettings",
    "JointRoles",
    "Mechanism",
    "OrientationTargets",
    "PointTarget",
    "ReachingIk",
    "RecursiveIk",
    "StepBounds",
    "Targets",
    "arcsine_over_sine",
    "copy_matrix",
    "copy_vector",
    "exponential",
    "follow_targets",
    "forward_kinematics",
    "limit_step",
    "logarithm",
    "make_mechanism",
    "orientation_errors",
    "product",
    "product_transposed",
    "rotate",
    "settle",
    "step_bounds",
    "step_recursively",
    "step_towards",
    "take_limits",
    "take_step",
    "transposed_product",
]
