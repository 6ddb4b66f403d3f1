"""The human model: a person of any size and mass as URDF text.

A `HumanSize` and a mass go in; the model with 66 or 48 joints comes out.
"""

from telexist.retarget.human.adult_size import ADULT_HEIGHT, adult_size
from telexist.retarget.human.joints import HUMAN_MODELS, AxisJoint, segment_joints
from telexist.retarget.human.shapes import (
    MASS_FRACTIONS,
    Shape,
    principal_inertia,
    segment_shape,
)
from telexist.retarget.human.urdf import ADULT_MASS, human_urdf

__all__ = [
    "ADULT_HEIGHT",
    "ADULT_MASS",
    "AxisJoint",
    "HUMAN_MODELS",
    "MASS_FRACTIONS",
    "Shape",
    "adult_size",
    "human_urdf",
    "principal_inertia",
    "segment_joints",
    "segment_shape",
]
