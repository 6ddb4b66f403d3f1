"""Points on a person's segments, written as a few words: `UpperLeg .3 .02 -.01`.

The numbers are how far along the segment (0 at its own joint, 1 at the next), how far
ahead and how far outwards; the last two in fractions of the stature. In N-pose all
segment frames are parallel to the world, so these are segment coordinates too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["BodyPoint", "segment_point"]

_ENDS: Mapping[str, str] = MappingProxyType(
    {
        "Pelvis": "L5",
        "L5": "L3",
        "L3": "T12",
        "T12": "T8",
        "T8": "Neck",
        "Neck": "Head",
        "Head": "HeadTop",
        "Shoulder": "UpperArm",
        "UpperArm": "ForeArm",
        "ForeArm": "Hand",
        "Hand": "HandTip",
        "UpperLeg": "LowerLeg",
        "LowerLeg": "Foot",
        "Foot": "Toe",
        "Toe": "ToeTip",
    }
)
"""Where each segment ends: the next joint, or a tip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyPoint:
    """A point of a segment.

    Attributes:
        segment: One of `SEGMENTS`.
        segment_p_point: Place in the segment's frame (3,) [m].
    """

    segment: str
    segment_p_point: Array


def segment_point(
    size: HumanSize, side: str, text: str, *, outwards: float = 0.0
) -> BodyPoint:
    """Read a point.

    Args:
        size: The person.
        side: `Left` or `Right`; where the outside is, and whose limb is meant.
        text: Segment without its side, along, ahead, outwards.
        outwards: More of the last, as a fraction of the stature.

    Raises:
        BadInput: If the text names no segment.
    """
    part, *numbers = text.split()
    if part not in _ENDS or len(numbers) != 3:
        raise BadInput(f"'{text}' is not a point of a segment")
    along, ahead, outside = map(float, numbers)
    name = part if part in SEGMENTS else f"{side}{part}"
    end = _ENDS[part]
    tip = end if end in SEGMENTS or end == "HeadTop" else f"{side}{end}"
    far = size.joints[tip] if tip in size.joints else size.tips[tip]
    left = 1.0 if side == "Left" else -1.0
    flesh = np.array([ahead, left * (outside + outwards), 0.0])
    point = along * (far - size.joints[name]) + size.height * flesh
    return BodyPoint(segment=name, segment_p_point=point)
