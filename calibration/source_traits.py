"""What is known of a source's raw frames before anybody stands in front of it."""

from __future__ import annotations

from dataclasses import dataclass

from retarget.segments import SEGMENTS

__all__ = ["ALIGNED", "WORN", "SourceTraits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTraits:
    """How raw frames are to be understood.

    Attributes:
        aligned: Segments whose raw frames have x ahead, y left and z up while the
            operator stands in N-pose, whatever the heading; none if unknown.
        joints: Whether positions are those of the joints, as suits and skeletons
            give. If not, they are those of things that are worn: a headset before the
            eyes, controllers in the palms, trackers strapped on.
    """

    aligned: frozenset[str] = frozenset()
    joints: bool = True


ALIGNED = SourceTraits(aligned=frozenset(SEGMENTS))
"""Suits and skeletons with known frames: MVN, VMC, recordings."""

WORN = SourceTraits(aligned=frozenset({"Head"}), joints=False)
"""Headset, controllers and trackers: of the headset it is known where it looks."""
