"""Fingers of a robot for a whole recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.hands import (
    OPEN_HAND,
    RobotHand,
    follow_hands,
    standard_hand,
)
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.results import load_motion
from telexist.retarget.signals import HumanClip
from telexist.teleop.batch import retarget_clips

FIST = np.array([[0.3, 0.6, 0.8, 0.9]] + 4 * [[0.0, 1.5, 1.7, 1.0]])


def skeleton() -> list[tuple[str, str, tuple[float, float, float]]]:
    """Return joints, parents and offsets [cm] of a person in T-pose, y up."""
    joints = [("hips", "", (0.0, 95.0, 0.0)), ("spine", "hips", (0.0, 20.0, 0.0))]
    joints += [("chest", "spine", (0, 20, 0)), ("neck", "chest", (0, 18, 0))]
    joints += [("head", "neck", (0.0, 10.0, 1.0)), ("head end", "head", (0, 18, 0))]
    for side, x in (("l", 1.0), ("r", -1.0)):
        chain = [("thigh", "hips", (9 * x, -3, 0)), ("shin", "", (0, -43, 0.5))]
        chain += [("foot", "", (0, -42, -0.5)), ("toe", "", (0, -6, 14))]
        chain += [("toe end", "", (0, 0, 7)), ("arm", "chest", (17 * x, 12, 0))]
        chain += [("fore", "", (28 * x, 0, -0.5)), ("hand", "", (26 * x, 0, 0.5))]
        for k, z in enumerate((6.0, 3.0, 0.5, -2.0, -4.5)):
            base = (3.0 * x, -1.0, 3.0) if k == 0 else (9.5 * x, 0.0, z - 1.0)
            bone = (2.6 * x, 0.0, 2.0) if k == 0 else (3.0 * x, 0.0, 0.1 * z)
            chain += [(f"{k}a", "hand", base), (f"{k}b", "", bone)]
            chain += [(f"{k}c", "", bone), (f"{k} end", "", bone)]
        above = ""
        for name, parent, offset in chain:
            above = (
                parent if parent in ("hips", "chest") else f"{side}{parent or above}"
            )
            joints.append((f"{side}{name}", above, offset))
            above = name
    return joints


def bvh_with_fingers(frames: int = 60) -> str:
    """Return a person who swings arms and legs and closes both hands."""
    joints = skeleton()
    lines, order = ["HIERARCHY"], []

    def write(name: str, depth: int) -> None:
        _, above, (x, y, z) = next(j for j in joints if j[0] == name)
        pad, children = "  " * depth, [j[0] for j in joints if j[1] == name]
        word = "ROOT" if not above else "JOINT" if children else "End Site"
        lines.append(f"{pad}{word} {name if children else ''}".rstrip())
        lines.extend([pad + "{", f"{pad}  OFFSET {x} {y} {z}"])
        if children:
            place = "" if above else "Xposition Yposition Zposition "
            count = 3 if above else 6
            turn = "Zrotation Xrotation Yrotation"
            lines.append(f"{pad}  CHANNELS {count} {place}{turn}")
            order.append(name)
        for child in children:
            write(child, depth + 1)
        lines.append(pad + "}")

    write("hips", 0)
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.0333333"]
    for t in range(frames):
        s = np.sin(0.2 * t)
        row = [0.0, 95.0, 1.0 * t]
        for name in order:
            sign = 1.0 if name[0] == "l" else -1.0
            zxy = {"thigh": (0.0, 25 * s * sign, 0.0), "shin": (0, 20 + 15 * s, 0)}
            zxy |= {"arm": (-70.0 * sign, 0, 0), "fore": (0, 0, (-30 - 20 * s) * sign)}
            bend = -40.0 * (1.0 + s) * sign
            if name[1:2].isdigit():
                row += [bend, 0.0, 0.0]
            else:
                row += zxy.get(name[1:], (0.0, 0.0, 0.0))
        lines.append(" ".join(map(str, row)))
    return "\n".join(lines) + "\n"


def clip_with_hands() -> HumanClip:
    """Return a clip whose right hand closes and opens; the left is not seen."""
    clip = builtin_clip(rate=60.0)
    share = 0.5 - 0.5 * np.cos(np.pi * clip.time)
    points = np.full((len(clip), 2, 25, 3), np.nan)
    for t, s in enumerate(share):
        points[t, 1] = standard_hand(OPEN_HAND + s * (FIST - OPEN_HAND), "right")
    points[100:120, 1, 7] = np.nan  # for a while it is not seen either
    return replace(clip, hand_points=points)


def test_a_recordings_hand_moves_the_robots_inside_limits(
    hand_of: Callable[[str, str], RobotHand],
) -> None:
    hands = {side: hand_of("g1_hands", side) for side in ("left", "right")}
    names, q = follow_hands(hands, clip_with_hands())
    linkage = hands["right"].linkage
    assert names == linkage.joints
    assert np.all((q >= linkage.lower - 1e-9) & (q <= linkage.upper + 1e-9))
    assert np.abs(np.diff(q, axis=0)).max() <= 0.3
    assert np.ptp(q, axis=0).max() > 1.0
    assert np.ptp(q[100:120], axis=0).max() == 0.0


def test_a_recording_without_fingers_moves_none(
    hand_of: Callable[[str, str], RobotHand],
) -> None:
    names, q = follow_hands({"right": hand_of("g1_hands", "right")}, builtin_clip())
    assert names == ()
    assert q.shape[1] == 0


@pytest.mark.slow
def test_a_bvh_with_fingers_gives_a_result_with_finger_joints(
    tmp_path: Path, robot_of: Callable[[str], object]
) -> None:
    robot_of("g1_hands")
    path = tmp_path / "waves.bvh"
    path.write_text(bvh_with_fingers())
    clip = read_clip(path)
    assert clip.hand_points is not None
    assert np.isfinite(clip.hand_points).all()
    (outcome,) = retarget_clips([str(path)], ["g1_hands"], tmp_path / "out")
    assert outcome.status == "done", outcome.reason
    motion = load_motion(tmp_path / "out" / "waves.g1_hands.npz")
    assert len(motion.finger_names) == 14
    assert np.ptp(motion.fingers, axis=0).max() > 0.5
