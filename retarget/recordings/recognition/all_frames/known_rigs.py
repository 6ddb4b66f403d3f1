"""Rigs that are met often, by the names of their joints, and how they are made.

Some have a rest skeleton that is a posture, which needs no more than a check. Others
say nothing by it, but the axes of their joints are drawn alike in every file: along the
bone, and about the hinge. Where names, or bones, are those of such a rig and the motion
agrees, its axes are exact, whatever a clip shows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from telexist.retarget.so3 import Array, rotation_y

__all__ = ["KnownRig", "known_rig", "rigs_with_axes"]

_TOWARDS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "ahead": (1.0, 0.0, 0.0),
        "back": (-1.0, 0.0, 0.0),
        "left": (0.0, 1.0, 0.0),
        "right": (0.0, -1.0, 0.0),
        "up": (0.0, 0.0, 1.0),
        "down": (0.0, 0.0, -1.0),
    }
)
_TRUNK = ("L5", "L3", "T12", "T8", "Neck", "Head")
_ARM = ("UpperArm", "ForeArm", "Hand")
_LEG = ("UpperLeg", "LowerLeg")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRig:
    """What is known of rigs of one kind.

    Attributes:
        name: What it is called; empty for a rig that is not known.
        axes: Segment to `neutral_R_joint` (3, 3), where all files agree in it.
        bones: Segment of the trunk to where its bone points in its own axes (3,).
        joints: Segment to its joint, as the file writes it, for rigs with axes.
        stands: Whether its rest skeleton is a person who stands.
        elbow_turn: By how much the axes of its elbows are turned outwards [rad].
        head_lean: By how much the line to the top of the head leans forward [rad].
    """

    name: str = ""
    axes: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))
    bones: Mapping[str, Array] = field(default_factory=lambda: MappingProxyType({}))
    joints: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    stands: bool = False
    elbow_turn: float = 0.0
    head_lean: float = 0.0


def _axes(x: str, y: str) -> Array:
    """Return `neutral_R_joint` of a joint whose x and y point there in N-pose."""
    first, second = np.array(_TOWARDS[x]), np.array(_TOWARDS[y])
    return np.stack([first, second, np.cross(first, second)], axis=1)


def _lafan1() -> dict[str, Array]:
    """Return the axes of Ubisoft's rig: x along every bone, z about the hinges."""
    axes = dict.fromkeys(("Pelvis", *_TRUNK), _axes("up", "ahead"))
    for side, out in (("Left", "left"), ("Right", "right")):
        axes[f"{side}Shoulder"] = _axes(out, "back")
        axes |= {f"{side}{part}": _axes("down", "back") for part in _ARM}
        axes |= {f"{side}{part}": _axes("down", "ahead") for part in _LEG}
        axes[f"{side}Toe"] = _axes("ahead", "up")
        axes[f"{side}Foot"] = rotation_y(np.deg2rad(21.45)) @ _axes("ahead", "up")
    return axes


def _bandai() -> dict[str, Array]:
    """Return the axes of Bandai Namco's rig: the right side's are the left's turned."""
    axes = dict.fromkeys(_TRUNK, _axes("up", "ahead"))
    axes["Pelvis"] = _axes("up", "right")
    for side, down, ahead, up in (
        ("Left", "down", "ahead", "up"),
        ("Right", "up", "back", "down"),
    ):
        axes[f"{side}Shoulder"] = _axes("left", up)
        axes |= {f"{side}{part}": _axes(down, "left") for part in (*_ARM, *_LEG)}
        axes[f"{side}Toe"] = _axes(ahead, "left")
        axes[f"{side}Foot"] = rotation_y(np.deg2rad(39.8)) @ _axes(ahead, "left")
    return axes


def _bones(pelvis: tuple[float, float, float], right: float) -> Mapping[str, Array]:
    """Return bones along x, but for the pelvis' and the right collar's."""
    along = np.array([1.0, 0.0, 0.0])
    bones = dict.fromkeys((*_TRUNK[:-1], "LeftShoulder"), along)
    bones |= {"Pelvis": np.array(pelvis), "RightShoulder": right * along}
    return MappingProxyType(bones)


def _sided(pairs: Mapping[str, str]) -> dict[str, str]:
    """Return pairs for both sides: `{}` in a name is where its side is written."""
    made = {}
    for part, joint in pairs.items():
        for side in ("left", "right"):
            written = side[0] if joint.endswith("{}") else side
            made[f"{side.title()}{part}"] = joint.format(written)
    return made


_LAFAN1_JOINTS = {
    "Pelvis": "hips",
    "L5": "spine",
    "L3": "spine1",
    "T8": "spine2",
    "Neck": "neck",
    "Head": "head",
    **_sided(
        {
            "Shoulder": "{}shoulder",
            "UpperArm": "{}arm",
            "ForeArm": "{}forearm",
            "Hand": "{}hand",
            "UpperLeg": "{}upleg",
            "LowerLeg": "{}leg",
            "Foot": "{}foot",
            "Toe": "{}toe",
        }
    ),
}
_BANDAI_JOINTS = {
    "Pelvis": "hips",
    "T12": "spine",
    "T8": "chest",
    "Neck": "neck",
    "Head": "head",
    **_sided(
        {
            "Shoulder": "shoulder{}",
            "UpperArm": "upperarm{}",
            "ForeArm": "lowerarm{}",
            "Hand": "hand{}",
            "UpperLeg": "upperleg{}",
            "LowerLeg": "lowerleg{}",
            "Foot": "foot{}",
            "Toe": "toes{}",
        }
    ),
}


def _plain(name: str) -> str:
    """Return a joint's name without prefix, capitals and marks."""
    return re.sub(r"[^a-z0-9]", "", name.split(":")[-1].lower())


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_KINDS: tuple[tuple[frozenset[str], KnownRig], ...] = (
    (
        _names("hips lhipjoint rhipjoint leftupleg leftarm leftforearm"),
        KnownRig(
            name="CMU",
            # in the archive's T-pose the axes of the elbows are off the vertical
            elbow_turn=float(np.deg2rad(30.0)),
            head_lean=float(np.deg2rad(12.0)),
        ),
    ),
    (
        frozenset({"jointroot", *_BANDAI_JOINTS.values()}),
        KnownRig(
            name="Bandai Namco",
            axes=MappingProxyType(_bandai()),
            bones=_bones((1.0, 0.0, 0.0), -1.0),
            joints=MappingProxyType(_BANDAI_JOINTS),
        ),
    ),
    (
        _names(
            "hips chest chest2 chest3 chest4 neck head leftcollar leftshoulder "
            "leftelbow leftwrist lefthip leftknee leftankle lefttoe"
        ),
        KnownRig(name="Xsens", stands=True),
    ),
    (
        _names(
            "pelvis spine1 spine2 spine3 neck head leftcollar leftshoulder leftelbow "
            "leftwrist lefthip leftknee leftankle leftfoot"
        ),
        KnownRig(name="SMPL", stands=True),
    ),
    (
        _names(
            "mixamorig hips spine spine1 spine2 neck head leftshoulder leftarm "
            "leftforearm lefthand leftupleg leftleg leftfoot lefttoebase"
        ),
        KnownRig(name="Mixamo", stands=True),
    ),
    (
        frozenset(_LAFAN1_JOINTS.values()),
        KnownRig(
            name="LAFAN1",
            axes=MappingProxyType(_lafan1()),
            bones=_bones((0.936, -0.353, 0.0), 1.0),
            joints=MappingProxyType(_LAFAN1_JOINTS),
        ),
    ),
)


def known_rig(names: Collection[str]) -> KnownRig:
    """Return what is known of a rig with joints of these names."""
    plain = {_plain(name): name for name in names}
    words = {*plain, *(_plain(n.split(":")[0]) for n in names if ":" in n)}
    for needed, rig in _KINDS:
        if needed <= words:
            joints = {segment: plain[name] for segment, name in rig.joints.items()}
            return replace(rig, joints=MappingProxyType(joints))
    return KnownRig()


def rigs_with_axes() -> tuple[KnownRig, ...]:
    """Return the rigs that can be told by their joints' axes, without names."""
    return tuple(
        replace(rig, joints=MappingProxyType({})) for _, rig in _KINDS if rig.axes
    )
