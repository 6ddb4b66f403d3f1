"""A generated person with muscles as wires, for LM-PFD."""

from retarget.human.musculoskeletal.generator import Musculoskeleton, musculoskeleton

__all__ = ["Musculoskeleton", "musculoskeleton"]
