"""Motions in the files that trainers of policies load.

A `RobotMotion` and the tree of its robot go in; bytes in a named dialect come out: the
right order of joints and bodies, quaternions, frame rate and velocities for each.
"""

from telexist.retarget.training.body_motion import BodyPaths, body_motion
from telexist.retarget.training.dialects import (
    DIALECTS,
    TrainingDialect,
    encode_dialect,
)
from telexist.retarget.training.even_motion import (
    EvenMotion,
    TrainingOptions,
    even_motion,
)
from telexist.retarget.training.frame_rate import exact_rate, parse_rate
from telexist.retarget.training.model_tree import (
    ModelTree,
    breadth_first,
    depth_first,
)

__all__ = [
    "BodyPaths",
    "DIALECTS",
    "EvenMotion",
    "ModelTree",
    "TrainingDialect",
    "TrainingOptions",
    "body_motion",
    "breadth_first",
    "depth_first",
    "encode_dialect",
    "even_motion",
    "exact_rate",
    "parse_rate",
]
