"""What VRM says about the bones: which node is which part of the person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from telexist.retarget.recordings.gltf.container import GltfFile

__all__ = ["humanoid_nodes"]

_MIDDLE = {"hips": "Pelvis", "spine": "L5", "neck": "Neck", "head": "Head"}
_SIDED: Mapping[str, str] = MappingProxyType(
    {
        "Shoulder": "Shoulder",
        "UpperArm": "UpperArm",
        "LowerArm": "ForeArm",
        "Hand": "Hand",
        "UpperLeg": "UpperLeg",
        "LowerLeg": "LowerLeg",
        "Foot": "Foot",
        "Toes": "Toe",
    }
)


def humanoid_nodes(file: GltfFile, nodes: int) -> tuple[dict[str, int], str]:
    """Return segment to node, and what said so; empty where the file is no VRM.

    Raises:
        BadRecording: If a bone is no node.
    """
    for name, word in (
        ("VRMC_vrm_animation", "VRM animation"),
        ("VRMC_vrm", "VRM 1"),
        ("VRM", "VRM 0"),
    ):
        extension = file.extension(name)
        if extension is not None:
            bones = dict(_bones(extension))
            for bone, node in bones.items():
                if not isinstance(node, int) or not 0 <= node < nodes:
                    raise file.bad(f"{bone!r:.30} is no node", f"extensions.{name}")
            return _segments(bones), word
    return {}, ""


def _bones(extension: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the bones: a table in VRM 1, a list in VRM 0."""
    humanoid = extension.get("humanoid")
    bones = humanoid.get("humanBones") if isinstance(humanoid, dict) else None
    if isinstance(bones, dict):
        for name, bone in bones.items():
            if isinstance(bone, dict):
                yield str(name), bone.get("node")
    elif isinstance(bones, list):
        for bone in bones:
            if isinstance(bone, dict):
                yield str(bone.get("bone")), bone.get("node")


def _segments(bones: Mapping[str, int]) -> dict[str, int]:
    found = {_MIDDLE[name]: node for name, node in bones.items() if name in _MIDDLE}
    if "upperChest" in bones:
        found["T8"] = bones["upperChest"]
        if "chest" in bones:
            found["T12"] = bones["chest"]
    elif "chest" in bones:
        found["T8"] = bones["chest"]
    for side in ("left", "right"):
        for bone, segment in _SIDED.items():
            if f"{side}{bone}" in bones:
                found[f"{side.title()}{segment}"] = bones[f"{side}{bone}"]
    return found
