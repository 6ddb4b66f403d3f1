"""A body with muscles as wires, for LM-PFD.

A person's size goes in; a mechanism with joints, wires and markers comes out.
"""

from telexist.retarget.human.musculoskeletal.generator import (
    Musculoskeleton,
    musculoskeleton,
)
from telexist.retarget.human.musculoskeletal.markers import body_markers

__all__ = ["Musculoskeleton", "body_markers", "musculoskeleton"]
