"""A clip in a mirror: left and right change places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["mirrored"]

_MIRROR = np.array([1.0, -1.0, 1.0])  # the plane through x and z
_TURNS = -_MIRROR  # what turns is turned the other way round


def mirrored(clip: HumanClip) -> HumanClip:
    """Return the clip in the mirror that is the world's x-z plane.

    With M = diag(1, -1, 1): places are M p, rotations M R M of the other side's
    segment, angular velocities -M w.
    """
    other = [SEGMENT_INDEX[_other_side(name)] for name in SEGMENTS]
    hands = clip.hand_points
    return replace(
        clip,
        rotations=clip.rotations[:, other] * np.outer(_MIRROR, _MIRROR),
        angular_velocities=clip.angular_velocities[:, other] * _TURNS,
        positions=clip.positions[:, other] * _MIRROR,
        linear_velocities=clip.linear_velocities[:, other] * _MIRROR,
        size=HumanSize(joints=_points(clip.size.joints), tips=_points(clip.size.tips)),
        hand_points=None if hands is None else hands[:, ::-1] * _MIRROR,
        notes=(*clip.notes, "mirrored: left and right changed places"),
    )


def _other_side(name: str) -> str:
    for side, other in (("Left", "Right"), ("Right", "Left")):
        if name.startswith(side):
            return other + name.removeprefix(side)
    return name


def _points(points: Mapping[str, Array]) -> dict[str, Array]:
    return {name: points[_other_side(name)] * _MIRROR for name in points}
