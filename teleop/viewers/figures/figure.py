"""Anything that moves on the page: parts with poses over time, solids on the parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.segments import PARENT, SEGMENTS, SIDES
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array
from telexist.teleop.viewers.figures.solid import SceneMesh, capsule, side_colour

__all__ = ["Figure", "human_figure", "human_solids"]

_RADIUS = {  # [m] for a person of 1.75 m
    "Pelvis": 0.085,
    "L5": 0.09,
    "L3": 0.09,
    "T12": 0.095,
    "T8": 0.1,
    "Neck": 0.05,
    "Head": 0.085,
    "Shoulder": 0.055,
    "UpperArm": 0.045,
    "ForeArm": 0.038,
    "Hand": 0.032,
    "UpperLeg": 0.068,
    "LowerLeg": 0.05,
    "Foot": 0.04,
    "Toe": 0.028,
}
_WIDE = ("L5", "L3", "T12", "T8")
_ENDS = {"Head": "HeadTop", "Hand": "HandTip", "Toe": "ToeTip"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Figure:
    """A person or a robot in motion.

    Attributes:
        name: Shown above it.
        time: (t,) [s].
        parts: Names of the k parts; the first one is followed by the camera.
        rotations: `world_R_part` (t, k, 3, 3).
        positions: `world_p_part` (t, k, 3) [m].
        solids: What is drawn.
        height: Of its top over the floor when it stands [m].
        readings: Names of numbers over time (t,), shown beside the figure.
    """

    name: str
    time: Array
    parts: tuple[str, ...]
    rotations: Array
    positions: Array
    solids: tuple[SceneMesh, ...]
    height: float
    readings: dict[str, Array]

    def index(self, time: float) -> int:
        """Return the frame nearest to a time [s]."""
        after = int(np.searchsorted(self.time, time))
        if after == 0:
            return 0
        if after == len(self.time):
            return after - 1
        nearer = time - self.time[after - 1] < self.time[after] - time
        return after - 1 if nearer else after


def human_figure(clip: HumanClip) -> Figure:
    """Return the person of a clip: one capsule for each segment."""
    return Figure(
        name="human",
        time=clip.time,
        parts=SEGMENTS,
        rotations=clip.rotations,
        positions=clip.positions,
        solids=human_solids(clip.size),
        height=clip.size.height,
        readings={},
    )


def human_solids(size: HumanSize) -> tuple[SceneMesh, ...]:
    """Return a person's capsules, each in the axes of its segment."""
    return tuple(s for name in SEGMENTS for s in _segment_solids(size, name)) + (
        _nose(size),
    )


def _nose(size: HumanSize) -> SceneMesh:
    """Return what shows where the person looks."""
    unit = size.height / 1.75
    middle = 0.45 * (size.tips["HeadTop"] - size.joints["Head"])
    ahead = np.array([_RADIUS["Head"] * unit, 0.0, 0.0])
    return capsule(
        "Head",
        middle + 0.8 * ahead,
        middle + 1.1 * ahead,
        radius=0.02 * unit,
        colour=side_colour("face"),
    )


def _segment_solids(size: HumanSize, segment: str) -> list[SceneMesh]:
    part = segment.removeprefix("Left").removeprefix("Right")
    start = size.joints[segment]
    radius = _RADIUS[part] * size.height / 1.75
    colour = side_colour(_side_of(segment))
    solids = [
        capsule(segment, np.zeros(3), end - start, radius=radius, colour=colour)
        for end in _far_ends(size, segment, part)
    ]
    return [_wider(s) for s in solids] if part in _WIDE else solids


def _wider(solid: SceneMesh) -> SceneMesh:
    """Return a part of the trunk, which is wider than deep."""
    return replace(solid, vertices=solid.vertices * (1.0, 1.5, 1.0))


def _side_of(segment: str) -> str:
    return next((side for side in SIDES if segment.lower().startswith(side)), "")


def _far_ends(size: HumanSize, segment: str, part: str) -> list[Array]:
    """Return where a segment's capsules end, N-pose (3,) [m]."""
    if part in _ENDS:
        tip = size.tips[segment.replace(part, _ENDS[part])]
        return [size.joints[segment] + 0.8 * (tip - size.joints[segment])]
    children = [name for name in SEGMENTS if PARENT[name] == segment]
    if segment == "T8":
        children = ["Neck"]
    ends = [size.joints[name] for name in children]
    if part == "Foot":
        ends.append(size.tips[segment.replace("Foot", "Heel")])
    return ends
