"""SMPL rotations made from a motion whose truth is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import log_so3, rotation_x

# SMPL's x left, y up, z ahead in our axes.
BODY_R_SMPL = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
SEGMENT_OF = (
    "Pelvis",
    "LeftUpperLeg",
    "RightUpperLeg",
    "L5",
    "LeftLowerLeg",
    "RightLowerLeg",
    "T12",
    "LeftFoot",
    "RightFoot",
    "T8",
    "LeftToe",
    "RightToe",
    "Neck",
    "LeftShoulder",
    "RightShoulder",
    "Head",
    "LeftUpperArm",
    "RightUpperArm",
    "LeftForeArm",
    "RightForeArm",
    "LeftHand",
    "RightHand",
)
PARENTS = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19)


def smpl_poses(clip: HumanClip) -> np.ndarray:
    """Axis-angles (t, 66) that put every SMPL joint as the clip's segments are."""
    world = []
    for name in SEGMENT_OF:
        R = clip.rotations[:, SEGMENT_INDEX[name]]
        if name.endswith(("UpperArm", "ForeArm", "Hand")):
            lifted = np.pi / 2 if name.startswith("Left") else -np.pi / 2
            R = R @ rotation_x(lifted).T
        world.append(R @ BODY_R_SMPL)
    local = [
        R if parent < 0 else np.swapaxes(world[parent], -1, -2) @ R
        for R, parent in zip(world, PARENTS, strict=True)
    ]
    with np.errstate(invalid="ignore"):
        return np.concatenate([log_so3(R) for R in local], axis=1)


@pytest.fixture(scope="session")
def clip() -> HumanClip:
    return builtin_clip(20.0)


@pytest.fixture(scope="session")
def poses(clip: HumanClip) -> np.ndarray:
    return smpl_poses(clip)


Amass = Callable[..., Path]


@pytest.fixture(scope="session")
def amass(clip: HumanClip, poses: np.ndarray) -> Amass:
    """Return the writer of AMASS files: path, width of `poses`, other keys."""

    def write(path: Path, width: int = 156, **others: object) -> Path:
        table = np.zeros((len(clip), width))
        table[:, :66] = poses
        arrays = {
            "poses": table,
            "trans": clip.positions[:, 0],
            "gender": "neutral",
            "mocap_framerate": 20.0,
            **others,
        }
        np.savez(path, **arrays)  # type: ignore[arg-type]
        return path

    return write
