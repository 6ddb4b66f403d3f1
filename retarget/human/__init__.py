"""The human model: a person of any size and mass as URDF text."""

from retarget.human.adult_size import ADULT_HEIGHT, adult_size
from retarget.human.joints import HUMAN_MODELS
from retarget.human.shapes import MASS_FRACTIONS
from retarget.human.urdf import ADULT_MASS, human_urdf

__all__ = [
    "ADULT_HEIGHT",
    "ADULT_MASS",
    "HUMAN_MODELS",
    "MASS_FRACTIONS",
    "adult_size",
    "human_urdf",
]
