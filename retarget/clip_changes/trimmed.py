"""A clip without the standing still at its beginning and end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.signals import HumanClip

__all__ = ["trimmed"]

STILL = 0.05  # [m/s] of the fastest segment: standing, not moving
KEPT = 0.25  # [s] of standing that stays at each end
SHORTEST = 1.0  # [s] of motion; a clip with less is left as it is


def trimmed(clip: HumanClip) -> HumanClip:
    """Return the clip from a moment before the first movement to one after the last.

    Nothing is cut from a clip in which nobody moves for a second.
    """
    speed = np.linalg.norm(clip.linear_velocities, axis=-1).max(axis=1)
    moving = np.flatnonzero(speed > STILL)
    if moving.size == 0:
        return clip
    first, last = clip.time[moving[0]] - KEPT, clip.time[moving[-1]] + KEPT
    begin, end = np.searchsorted(clip.time, (first, last), side="left")
    if clip.time[moving[-1]] - clip.time[moving[0]] < SHORTEST:
        return clip
    if begin == 0 and end >= len(clip):
        return clip
    kept = slice(int(begin), int(end) + 1)
    cut = float(clip.time[-1]) - float(clip.time[kept][-1] - clip.time[begin])
    hands = clip.hand_points
    return replace(
        clip,
        time=clip.time[kept] - clip.time[begin],
        rotations=clip.rotations[kept],
        angular_velocities=clip.angular_velocities[kept],
        positions=clip.positions[kept],
        linear_velocities=clip.linear_velocities[kept],
        hand_points=None if hands is None else hands[kept],
        notes=(*clip.notes, f"trimmed: {cut:.2f} s of standing cut off"),
    )
