"""Write a robot.toml for any humanoid URDF, by itself.

Facing, sides, link map, neutral posture, soles and locked joints come from the tree,
the axes, their limits, the masses and shapes: never from names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.robots.description import (
    BodyLimits,
    LimitSpec,
    facing_rotation,
    joint_limits,
    keep_followers_inside,
    resolve_mimics,
)
from telexist.robots.draft.anatomy import Anatomy, recognise
from telexist.robots.draft.body_tree import BodyTree
from telexist.robots.draft.link_map import LinkMap, map_links
from telexist.robots.draft.neutral import NeutralPosture, neutral_posture
from telexist.robots.draft.palms import find_palms
from telexist.robots.draft.soles import find_soles
from telexist.robots.mjcf import read_model
from telexist.robots.urdf import TomlValue, Urdf, clean_urdf, toml_text

__all__ = ["Draft", "draft_robot", "draft_urdf"]

DECIMALS = 4  # of angles [rad] and lengths [m] in the file
AT_ZERO = 5e-4  # [rad] nearer angles are not written
FAR_FROM_N_POSE = np.radians(20.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A robot.toml and what to know about it.

    Attributes:
        name: Name of the robot.
        text: The file; the notes are comments at its top.
        notes: What was uncertain, and what the robot cannot do.
    """

    name: str
    text: str
    notes: tuple[str, ...]


def draft_robot(path: Path, *, folder: Path | None = None) -> Draft:
    """Write a robot.toml for a URDF file.

    Args:
        path: The URDF.
        folder: Where the robot.toml will lie, if the model shall be named relative to
            it; otherwise its path is absolute.

    Raises:
        BadModel: If it cannot be read or no humanoid is recognised in it.
    """
    return draft_urdf(read_model(path), folder=folder)


def draft_urdf(urdf: Urdf, *, folder: Path | None = None) -> Draft:
    """Write a robot.toml for a URDF that is already read; see `draft_robot`."""
    anatomy = recognise(BodyTree(urdf))
    link_map = map_links(anatomy)
    found = find_soles(anatomy)
    links = dict(link_map.links)
    for side, sole in found.soles.items():
        links[f"{side.capitalize()}Foot"] = sole.link
    posture = _Posture(urdf, anatomy, links, link_map)
    notes = (*anatomy.notes, *found.notes, *posture.notes())
    name = _name(urdf)
    table: dict[str, TomlValue] = {
        "name": name,
        "title": urdf.name,
        "locked": list(link_map.locked),
        "model": {"path": _model_path(urdf.path, folder)},
        "base": _base(anatomy, links),
        "links": links,
        "neutral": posture.table(),
        "soles": {side: _sole(sole) for side, sole in found.soles.items()},
        "hands": link_map.hands,
        "limits": posture.limit_table(),
    }
    if not link_map.locked:
        del table["locked"]
    comments = "".join(f"# {note}\n" for note in notes)
    return Draft(name=name, text=comments + toml_text(table), notes=notes)


class _Posture:
    """The neutral posture of a robot whose link map is known, and its limits."""

    def __init__(
        self,
        urdf: Urdf,
        anatomy: Anatomy,
        links: Mapping[str, str],
        link_map: LinkMap,
    ) -> None:
        self.urdf = urdf
        self.locked = {name: _rest(urdf, name) for name in link_map.locked}
        following = resolve_mimics(urdf, self.locked)
        text = clean_urdf(urdf, locked=following.locked)
        self.kinematics = Kinematics(text, path=str(urdf.path))
        joints = self.kinematics.joints
        self.limits: BodyLimits = keep_followers_inside(
            joint_limits(urdf, joints, _stated(urdf)), joints, following.mimics
        )
        self.found: NeutralPosture = neutral_posture(
            urdf,
            self.kinematics,
            links,
            world_R_root=facing_rotation(anatomy.forward, anatomy.up),
            limits=self.limits,
            mimics=following.mimics,
            palms=find_palms(anatomy),
        )

    def table(self) -> dict[str, float]:
        """Return the joints that are not at zero."""
        rows = zip(
            self.kinematics.joints,
            self.found.q,
            self.limits.lower,
            self.limits.upper,
            strict=True,
        )
        table = {name: _inside(q, lower, upper) for name, q, lower, upper in rows}
        return {n: q for n, q in {**self.locked, **table}.items() if abs(q) > AT_ZERO}

    def limit_table(self) -> dict[str, dict[str, float]]:
        """Return the limits that the model does not give."""
        table: dict[str, dict[str, float]] = {}
        stated = _stated(self.urdf)
        for i, name in enumerate(self.kinematics.joints):
            row = {}
            if name in stated or name in self.limits.default_position:
                row["lower"] = round(float(self.limits.lower[i]), DECIMALS)
                row["upper"] = round(float(self.limits.upper[i]), DECIMALS)
            if name in self.limits.default_velocity:
                row["velocity"] = round(float(self.limits.velocity[i]), DECIMALS)
            if row:
                table[name] = row
        return table

    def notes(self) -> list[str]:
        """Say where limbs cannot reach N-pose, and which limits are defaults."""
        notes = [
            f"{segment}: {np.degrees(error):.0f} degrees from N-pose is its nearest"
            for segment, error in self.found.errors.items()
            if error > FAR_FROM_N_POSE
        ]
        defaults = self.limit_table()
        if defaults:
            notes.append(
                f"limits of {len(defaults)} joints are not in the model: defaults below"
            )
        return notes


def _stated(urdf: Urdf) -> dict[str, LimitSpec]:
    """Return limits in place of a model's that leave no room."""
    stated = {}
    for joint in urdf.moving_joints():
        lower, upper = joint.limits.lower, joint.limits.upper
        if lower is not None and upper is not None and lower >= upper:
            stated[joint.name] = LimitSpec(lower=-np.pi, upper=np.pi)
    return stated


def _rest(urdf: Urdf, name: str) -> float:
    """Return zero, or what of a joint's limits is nearest to it."""
    limits = urdf.joints[name].limits
    lower, upper = limits.lower, limits.upper
    if lower is None or upper is None or lower >= upper:
        return 0.0
    return _inside(float(np.clip(0.0, lower, upper)), lower, upper)


def _inside(q: float, lower: float, upper: float) -> float:
    """Round a position, but not across a limit."""
    rounded = round(float(q), DECIMALS)
    step = 10.0**-DECIMALS
    if rounded > upper:
        rounded = round(rounded - step, DECIMALS)
    elif rounded < lower:
        rounded = round(rounded + step, DECIMALS)
    return rounded if lower <= rounded <= upper else float(np.clip(q, lower, upper))


def _base(anatomy: Anatomy, links: Mapping[str, str]) -> dict[str, TomlValue]:
    tree = anatomy.tree
    link = tree.urdf.root
    if anatomy.pelvis is None and tree.body_of(links["T8"]) is tree.root:
        link = links["T8"]
    link_R_root = tree.pose_of[link].R.T
    return {
        "link": link,
        "fixed": anatomy.pelvis is None,
        "forward": _numbers(link_R_root @ anatomy.forward),
        "up": _numbers(link_R_root @ anatomy.up),
    }


def _sole(sole: Sole) -> dict[str, TomlValue]:
    return {
        "link": sole.link,
        "position": _numbers(sole.link_p_sole, 5),
        "rpy": _numbers(_rpy(sole.link_R_sole), 6),
        "length": round(sole.length, DECIMALS),
        "width": round(sole.width, DECIMALS),
    }


def _rpy(R: Array) -> Array:
    """Return roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll)."""
    flat = float(np.hypot(R[0, 0], R[1, 0]))
    pitch = np.arctan2(-R[2, 0], flat)
    if flat < 1e-9:  # gimbal lock: yaw is free, take 0
        return np.array([np.arctan2(-R[1, 2], R[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])


def _numbers(values: Array, decimals: int = DECIMALS) -> list[TomlValue]:
    return [round(float(value), decimals) + 0.0 for value in values]


def _name(urdf: Urdf) -> str:
    """Return the file's name, or the robot's where the file's says nothing."""
    name = urdf.path.stem
    if name.lower() in ("model", "robot", "urdf"):
        name = urdf.name
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name.lower())


def _model_path(path: Path, folder: Path | None) -> str:
    absolute = path.absolute()
    if folder is None:
        return absolute.as_posix()
    try:
        return Path(os.path.relpath(absolute, folder.absolute())).as_posix()
    except ValueError:  # another drive
        return absolute.as_posix()
