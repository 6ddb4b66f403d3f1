"""The fingers of a robot for a whole recording."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.hands.hand_follower import HandFollower
from telexist.retarget.hands.robot_hand import RobotGripper, RobotHand
from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["follow_hands"]

SETTLE = 60  # samples in which a hand reaches the first posture


def follow_hands(
    hands: Mapping[str, RobotHand | RobotGripper], clip: HumanClip
) -> tuple[tuple[str, ...], Array]:
    """Return the finger joints of a robot's hands and their positions (t, k).

    Args:
        hands: By "left" and "right".
        clip: The recording; without fingers in it there are no joints.
    """
    t = len(clip)
    names: list[str] = []
    columns: list[Array] = [np.zeros((t, 0))]
    steps = np.diff(clip.time, prepend=clip.time[0] - 1.0 / (clip.rate or 60.0))
    for k, side in enumerate(SIDES):
        if clip.hand_points is None or side not in hands:
            continue
        points = clip.hand_points[:, k]
        seen = np.isfinite(points).all(axis=(1, 2))
        if not seen.any():
            continue
        follower = HandFollower(hands[side])
        first = points[int(np.argmax(seen))]
        for _ in range(SETTLE):
            follower.step(first, float(steps[0]))
        rows = [
            follower.step(p, float(dt)) for p, dt in zip(points, steps, strict=True)
        ]
        names += follower.joints
        columns.append(np.array(rows))
    return tuple(names), np.concatenate(columns, axis=1)
