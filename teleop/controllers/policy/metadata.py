"""Policies that describe themselves: the metadata in the ONNX files of three trainers.

| trainer | keys |
|---|---|
| BeyondMimic, mjlab | `joint_names`, `default_joint_pos`, `joint_stiffness`, `joint_damping`, `action_scale`, `observation_names`, `observation_history_lengths`, `command_names`, `anchor_body_name` |
| holosoma | `dof_names`, `kp`, `kd`, `command_ranges`, perhaps `default_dof_angles`, `action_scale` |

Lists are separated by commas, or are JSON.
"""  # noqa: E501

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadPolicy

__all__ = ["table_of_metadata"]

NUMBERS = {
    "default": ("default_joint_pos", "default_dof_angles", "default_angles"),
    "stiffness": ("joint_stiffness", "kp"),
    "damping": ("joint_damping", "kd"),
}
JOINTS = ("joint_names", "dof_names")
MOTION = "motion"  # in the name of a command that is a motion to track
RANGES = {
    "lin_vel_x": "vx",
    "lin_vel_y": "vy",
    "ang_vel_yaw": "wz",
    "ang_vel_z": "wz",
    "vx": "vx",
    "vy": "vy",
    "wz": "wz",
}
HOLOSOMA = [
    {"name": "actions"},
    {"name": "base_ang_vel", "scale": [0.25]},
    {"name": "command_ang_vel"},
    {"name": "command_lin_vel"},
    {"name": "cos_phase"},
    {"name": "joint_pos"},
    {"name": "joint_vel", "scale": [0.05]},
    {"name": "projected_gravity"},
    {"name": "sin_phase"},
]
"""What holosoma's walking policies see; their files do not say it."""
HOLOSOMA_FIXED = 13  # of these numbers are not about joints


def table_of_metadata(
    metadata: Mapping[str, str], inputs: int | None, path: Path
) -> dict[str, Any]:
    """Return what metadata say, as a TOML file would say it.

    Args:
        metadata: Of the ONNX file.
        inputs: How many numbers its network takes.
        path: The file, for messages.

    Raises:
        BadPolicy: Naming the key that cannot be read.
    """
    table: dict[str, Any] = {}
    for key in JOINTS:
        if key in metadata:
            table["joints"] = _words(metadata[key])
    for name, keys in NUMBERS.items():
        for key in keys:
            if key in metadata:
                table[name] = _numbers(metadata[key], path, key)
    if "action_scale" in metadata:
        scale = _numbers(metadata["action_scale"], path, "action_scale")
        table["action"] = {"scale": scale}
    if "anchor_body_name" in metadata:
        table["anchor"] = metadata["anchor_body_name"].strip()
    if "observation_names" in metadata:
        table["observation"] = _observation(metadata, path)
    if "command_ranges" in metadata:
        table["command"] = _ranges(metadata["command_ranges"], path)
    count = len(table.get("joints", ()))
    if "dof_names" in metadata and inputs == 3 * count + HOLOSOMA_FIXED:
        table.setdefault("observation", [{"terms": HOLOSOMA}])
        table.setdefault("action", {"scale": [0.25]})
    return table


def _observation(metadata: Mapping[str, str], path: Path) -> list[dict[str, Any]]:
    """Return one block a term, with the history that each has."""
    names = _words(metadata["observation_names"])
    lengths: list[float] = []
    if "observation_history_lengths" in metadata:
        key = "observation_history_lengths"
        lengths = _list(metadata[key], path, key)
    if len(lengths) not in (0, len(names)):
        problem = f"{len(lengths)} lengths for {len(names)} observations"
        raise BadPolicy(path, problem, place="observation_history_lengths")
    tracks = any(MOTION in word for word in _words(metadata.get("command_names", "")))
    blocks = []
    for i, name in enumerate(names):
        if tracks and name in ("command", "generated_commands", "motion_command"):
            name = "reference_joints"
        frames = max(int(lengths[i]), 1) if lengths else 1
        blocks.append({"terms": [{"name": name}], "frames": frames})
    return blocks


def _ranges(text: str, path: Path) -> dict[str, Any]:
    try:
        found = json.loads(text)
        return {
            RANGES[key]: [float(low), float(high)]
            for key, (low, high) in found.items()
            if key in RANGES
        }
    except (ValueError, TypeError, AttributeError) as error:
        problem = f"expected a JSON table of ranges, found {text[:80]!r}"
        raise BadPolicy(path, problem, place="command_ranges") from error


def _numbers(text: str, path: Path, key: str) -> Any:
    """Return a list of numbers, or a table of patterns."""
    try:
        found = json.loads(text)
    except ValueError:
        return _list(text, path, key)
    if isinstance(found, dict):
        return found
    return [found] if isinstance(found, int | float) else found


def _list(text: str, path: Path, key: str) -> list[float]:
    try:
        return [float(word) for word in _words(text)]
    except ValueError as error:
        problem = f"expected numbers, found {text[:80]!r}"
        raise BadPolicy(path, problem, place=key) from error


def _words(text: str) -> list[str]:
    stripped = text.strip().removeprefix("[").removesuffix("]")
    words = (word.strip().strip("'\"") for word in stripped.split(","))
    return [word for word in words if word]
