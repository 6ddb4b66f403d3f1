"""The motions of the paper's comparison, [R] 4.1: T-pose, walking, running.

Walking and running are public recordings (CMU 35_01 and 16_35), taken at 60 Hz. No
recording of a T-pose is at hand: a person stands still with level arms.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.human import adult_size
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import rotation_x

__all__ = ["MOTIONS", "load_motion", "motions_folder"]

MOTIONS: Mapping[str, str] = MappingProxyType(
    {"t-pose": "", "walking": "cmu/35_01.bvh", "running": "cmu/16_35.bvh"}
)
"""Motion to its recording; none is computed."""
RATE = 60.0  # [Hz]
STILL = 1.0  # [s] length of the T-pose


def motions_folder() -> Path:
    """Return where public recordings are: see CONTRIBUTING.md."""
    named = os.environ.get("TELEXIST_SHARED")
    root = Path(__file__).resolve().parents[2] / "shared" / "data"
    return (Path(named) if named else root) / "motions"


def load_motion(name: str, folder: Path) -> HumanClip:
    """Return a motion of `MOTIONS` at 60 Hz.

    Raises:
        BadInput: If its recording is not there.
    """
    if not MOTIONS[name]:
        return _t_pose()
    path = folder / MOTIONS[name]
    if not path.is_file():
        raise BadInput(
            f"{path} is not there: name the folder of recordings with --motions"
        )
    clip = read_clip(str(path))
    step = max(1, round(clip.rate / RATE))
    return HumanClip(
        name=name,
        source=clip.source,
        time=clip.time[::step],
        rotations=clip.rotations[::step],
        angular_velocities=clip.angular_velocities[::step],
        positions=clip.positions[::step],
        linear_velocities=clip.linear_velocities[::step],
        size=clip.size,
    )


def _t_pose() -> HumanClip:
    size = adult_size()
    t = round(STILL * RATE)
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for part in ("UpperArm", "ForeArm", "Hand"):
            rotations[:, SEGMENT_INDEX[side + part]] = rotation_x(sign * np.pi / 2.0)
    places = np.array([size.joints[segment] for segment in SEGMENTS])
    still = np.zeros((t, len(SEGMENTS), 3))
    return HumanClip(
        name="t-pose",
        source="computed",
        time=np.arange(t) / RATE,
        rotations=rotations,
        angular_velocities=still,
        positions=np.tile(places, (t, 1, 1)),
        linear_velocities=still,
        size=size,
    )
