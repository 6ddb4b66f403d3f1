"""What is known of a source's raw frames before anybody stands in front of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from telexist.retarget.segments import SEGMENTS

__all__ = ["ALIGNED", "WORN", "SourceTraits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTraits:
    """How raw frames are to be understood.

    Attributes:
        aligned: Segments whose raw frames have x ahead, y left and z up while the
            operator stands in the pose `rest`, whatever the heading; none if unknown.
        rest: "n" or "t".
        joints: Whether positions are those of the joints, as suits and skeletons
            give. If not, they are those of things that are worn: a headset before the
            eyes, controllers in the palms, trackers strapped on.
    """

    aligned: frozenset[str] = frozenset()
    rest: str = "n"
    joints: bool = True

    def for_segments(self, shown: Collection[str]) -> SourceTraits:
        """Return the traits of a frame that shows these segments.

        Without a single limb it can only come from things that are worn, of which
        nobody knows how they are strapped on: but a headset looks ahead.
        """
        if any(segment.endswith(("UpperArm", "UpperLeg")) for segment in shown):
            return self
        head = self.aligned & {"Head"}
        return SourceTraits(aligned=head, rest=self.rest, joints=False)


ALIGNED = SourceTraits(aligned=frozenset(SEGMENTS), rest="t")
"""Suits and avatars with known frames, the identity in T-pose: MVN, VMC."""

WORN = SourceTraits(aligned=frozenset({"Head"}), joints=False)
"""Headset, controllers and trackers: of the headset it is known where it looks."""
