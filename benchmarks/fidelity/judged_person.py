"""The person of a recording: joints by their names, in parts of a leg of 0.85 m."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.benchmarks.fidelity.bvh_points import BvhPoints

__all__ = ["LEG", "PARTS", "JudgedPerson", "judged_person"]

LEG = 0.85  # [m] for which speeds and heights are stated
PARTS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
JUMP = 0.25  # [m] from the first frame to the second: a posture put before the motion

_DIALECTS = (
    ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"),
    ("Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle"),
    ("UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPerson:
    """A person, z up, lengths as if the leg were `LEG` long.

    Attributes:
        points: "left_ankle" ... to positions (t, 3).
        pelvis: Between the hips (t, 3).
        dt: Between two frames [s].
        dropped: Frames at the begin that are no motion.
    """

    points: dict[str, NDArray[np.float64]]
    pelvis: NDArray[np.float64]
    dt: float
    dropped: int


def judged_person(bvh: BvhPoints) -> JudgedPerson:
    """Find the person in a file; names decide.

    Raises:
        KeyError: If the names are of a dialect that is not known here.
    """
    columns = _columns(bvh.names)
    found = {name: bvh.positions[:, k] for name, k in columns.items()}
    unit = LEG / _leg(found)
    up = _up(found)
    # a turn that takes the file's up to z
    z = np.eye(3)[abs(up) - 1] * np.sign(up)
    x = np.roll(np.abs(z), 1)
    file_R = np.stack([x, np.cross(z, x), z])
    found = {name: unit * p @ file_R.T for name, p in found.items()}
    pelvis = (found["left_hip"] + found["right_hip"]) / 2.0
    step = np.mean([np.linalg.norm(p[1] - p[0]) for p in found.values()])
    usual = np.mean([np.linalg.norm(p[2] - p[1]) for p in found.values()])
    first = 1 if step > JUMP or step > 10.0 * usual + 0.02 else 0
    return JudgedPerson(
        points={name: p[first:] for name, p in found.items()},
        pelvis=pelvis[first:],
        dt=bvh.dt,
        dropped=first,
    )


def _columns(names: tuple[str, ...]) -> dict[str, int]:
    plain = [re.sub(r"^(.*:|mixamorig\d*)", "", name) for name in names]
    for dialect in _DIALECTS:
        columns = {}
        for side, letter in (("Left", "L"), ("Right", "R")):
            for part, name in zip(PARTS, dialect, strict=True):
                for word in (f"{side}{name}", f"{name}_{letter}"):
                    if word in plain:
                        columns[f"{side.lower()}_{part}"] = plain.index(word)
        if len(columns) == 12:
            return columns
    raise KeyError(f"names of no known dialect: {names}")


def _leg(found: dict[str, NDArray[np.float64]]) -> float:
    lengths = [
        np.linalg.norm(found[f"{side}_{a}"] - found[f"{side}_{b}"], axis=-1).mean()
        for side in ("left", "right")
        for a, b in (("hip", "knee"), ("knee", "ankle"))
    ]
    return float(sum(lengths) / 2.0)


def _up(found: dict[str, NDArray[np.float64]]) -> int:
    """Return the axis from ankles to shoulders: 1, 2, 3 for x, y, z, with its sign."""
    rise = sum(
        found[f"{side}_shoulder"] - found[f"{side}_ankle"] for side in ("left", "right")
    )
    mean = np.median(np.asarray(rise), axis=0)
    axis = int(np.argmax(np.abs(mean)))
    return int(np.sign(mean[axis])) * (axis + 1)
