"""A command line that runs in this process, and small recordings to run it on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from telexist.launch_scripts.telexist import main


@dataclass(frozen=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The one line that an ending command may write."""
        (line,) = [x for x in self.err.splitlines() if x.startswith("telexist: error")]
        return line


Telexist = Callable[..., Ran]


@pytest.fixture
def telexist(capsys: pytest.CaptureFixture[str]) -> Telexist:
    """Return a function that runs the command with arguments."""

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Ran(code, captured.out, captured.err)

    return run


BVH_HEAD = """HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
{body}
}}
"""

JOINTS = {  # a person of 1.7 m in centimetres, T-pose, y up, facing z
    "Spine": ("Hips", 0, 10, 0),
    "Chest": ("Spine", 0, 20, 0),
    "Neck": ("Chest", 0, 22, 0),
    "Head": ("Neck", 0, 10, 0),
    "LeftShoulder": ("Chest", 4, 16, 0),
    "LeftArm": ("LeftShoulder", 14, 0, 0),
    "LeftForeArm": ("LeftArm", 28, 0, 0),
    "LeftHand": ("LeftForeArm", 25, 0, 0),
    "RightShoulder": ("Chest", -4, 16, 0),
    "RightArm": ("RightShoulder", -14, 0, 0),
    "RightForeArm": ("RightArm", -28, 0, 0),
    "RightHand": ("RightForeArm", -25, 0, 0),
    "LeftUpLeg": ("Hips", 9, -4, 0),
    "LeftLeg": ("LeftUpLeg", 0, -42, 0),
    "LeftFoot": ("LeftLeg", 0, -40, 0),
    "LeftToeBase": ("LeftFoot", 0, -6, 14),
    "RightUpLeg": ("Hips", -9, -4, 0),
    "RightLeg": ("RightUpLeg", 0, -42, 0),
    "RightFoot": ("RightLeg", 0, -40, 0),
    "RightToeBase": ("RightFoot", 0, -6, 14),
}
ENDS = {"Head": (0, 18, 0), "LeftHand": (16, 0, 0), "RightHand": (-16, 0, 0)}


def _joint(name: str) -> str:
    _, x, y, z = JOINTS[name]
    children = [_joint(child) for child, row in JOINTS.items() if row[0] == name]
    if not children:
        end = " ".join(map(str, ENDS.get(name, (0, 0, 6))))
        children = [f"End Site\n{{\n  OFFSET {end}\n}}"]
    inside = "\n".join(children)
    channels = "CHANNELS 3 Zrotation Xrotation Yrotation"
    return f"JOINT {name}\n{{\n  OFFSET {x} {y} {z}\n  {channels}\n{inside}\n}}"


def bvh_text(
    frames: int = 12, *, frame_time: float = 1.0 / 30.0, degrees: float = 2.0
) -> str:
    """Return a person who raises the left arm from T-pose, by degrees each frame."""
    body = "\n".join(_joint(n) for n, row in JOINTS.items() if row[0] == "Hips")
    depth_first = _order("Hips")
    lines = []
    for k in range(frames):
        turns = {"LeftArm": (degrees * k, 0.0, 0.0)}
        values = [0.0, 92.0, 0.0, 0.0, 0.0, 0.0]
        for name in depth_first:
            values += turns.get(name, (0.0, 0.0, 0.0))
        lines.append(" ".join(f"{value:.4f}" for value in values))
    motion = f"MOTION\nFrames: {frames}\nFrame Time: {frame_time:.6f}\n"
    return BVH_HEAD.format(body=body) + motion + "\n".join(lines) + "\n"


def _order(root: str) -> list[str]:
    names: list[str] = []
    for child, row in JOINTS.items():
        if row[0] == root:
            names += [child, *_order(child)]
    return names


@pytest.fixture
def bvh() -> Callable[..., str]:
    """Return a function that writes the text of a small recording."""
    return bvh_text


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Return the path of a small recording."""
    path = tmp_path / "raise.bvh"
    path.write_text(bvh_text(), encoding="utf-8")
    return path


def leftovers(folder: Path) -> list[str]:
    """Return files that should not be there after a run."""
    return [p.name for p in folder.rglob("*") if p.name.endswith(".part")]
