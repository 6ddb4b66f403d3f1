"""ASF files: bones with their directions, axes and degrees of freedom.

A bone points along `direction` in the world while the skeleton rests. Its axes C are
given in the world, too; a motion M about them turns the bone by C M C^T in its parent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.so3 import Array

__all__ = ["ROOT", "AsfBone", "AsfSkeleton", "axis_product", "parse_asf"]

ROOT = "root"
MAX_BONES = 2_000
DOFS = ("tx", "ty", "tz", "rx", "ry", "rz", "l")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AsfBone:
    """One bone.

    Attributes:
        name: Its name.
        parent: Index of the bone above; -1 for the root.
        offset: From its start to its end while the skeleton rests (3,), in its units.
        world_R_axes: Its axes while the skeleton rests (3, 3).
        dofs: What a line of the motion holds, in order: "rx", "tz", ...
    """

    name: str
    parent: int
    offset: Array
    world_R_axes: Array
    dofs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AsfSkeleton:
    """All bones, parents before children; the root comes first.

    Attributes:
        bones: The bones.
        degrees: Whether angles are in degrees.
    """

    bones: tuple[AsfBone, ...]
    degrees: bool


def parse_asf(text: str, path: Path) -> AsfSkeleton:
    """Read a skeleton.

    Raises:
        BadRecording: Naming the section or bone and the problem.
    """
    sections = _sections(text)
    if "root" not in sections or "hierarchy" not in sections:
        raise BadRecording(path, "not an ASF skeleton: no :root or :hierarchy")
    degrees = "rad" not in " ".join(sections.get("units", [])).lower()
    found = {bone.name: bone for bone in _bones(sections, path, degrees=degrees)}
    if len(found) > MAX_BONES:
        raise BadRecording(path, f"has more than {MAX_BONES} bones")
    root = _root(sections["root"], path, degrees=degrees)
    return AsfSkeleton(
        bones=_in_order(root, found, sections["hierarchy"], path), degrees=degrees
    )


def axis_product(angles: Array, order: str, *, degrees: bool) -> Array:
    """Return the rotation about x, y and z in an order: "xyz" is Rz Ry Rx (..., 3, 3).

    Args:
        angles: About the axes in that order (..., k).
        order: The axes, the first to be turned about first.
        degrees: Whether the angles are in degrees.
    """
    angles = np.deg2rad(angles) if degrees else angles
    total = np.broadcast_to(np.eye(3), (*angles.shape[:-1], 3, 3))
    for i, letter in enumerate(order):
        total = _about("xyz".index(letter), angles[..., i]) @ total
    return total


def _about(axis: int, angle: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((*angle.shape, 3, 3))
    b, d = (axis + 1) % 3, (axis + 2) % 3
    R[..., axis, axis] = 1.0
    R[..., b, b], R[..., b, d] = c, -s
    R[..., d, b], R[..., d, d] = s, c
    return R


def _sections(text: str) -> dict[str, list[str]]:
    """Return the lines of every section, without comments."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for raw in text.splitlines():
        line = raw.split("#")[0].strip()
        if line.startswith(":"):
            name, _, rest = line[1:].partition(" ")
            lines = sections.setdefault(name.lower(), [])
            line = rest.strip()
        if line:
            lines.append(line)
    return sections


def _root(lines: list[str], path: Path, *, degrees: bool) -> AsfBone:
    words = {line.split()[0].lower(): line.split()[1:] for line in lines}
    dofs = tuple(word.lower() for word in words.get("order", []))
    if not dofs or any(dof not in DOFS for dof in dofs):
        raise BadRecording(path, "its order is missing or unknown", place=":root")
    order = "".join(words.get("axis", ["xyz"])).lower()
    turned = _numbers(words.get("orientation", ["0", "0", "0"]), 3, path, ":root")
    return AsfBone(
        name=ROOT,
        parent=-1,
        offset=np.zeros(3),
        world_R_axes=axis_product(turned, _axes(order, path), degrees=degrees),
        dofs=dofs,
    )


def _bones(
    sections: dict[str, list[str]], path: Path, *, degrees: bool
) -> Iterator[AsfBone]:
    words: dict[str, list[str]] = {}
    for line in sections.get("bonedata", []):
        key, *rest = line.split()
        if key.lower() == "begin":
            words = {}
        elif key.lower() == "end":
            yield _bone(words, path, degrees=degrees)
        else:
            words[key.lower()] = rest


def _bone(words: dict[str, list[str]], path: Path, *, degrees: bool) -> AsfBone:
    name = " ".join(words.get("name", []))
    if not name:
        raise BadRecording(path, "a bone without a name", place=":bonedata")
    direction = _numbers(words.get("direction", []), 3, path, name)
    (length,) = _numbers(words.get("length", []), 1, path, name)
    *angles, order = words.get("axis", ["0", "0", "0", "xyz"])
    dofs = tuple(dof.lower() for dof in words.get("dof", []))
    if any(dof not in DOFS for dof in dofs):
        raise BadRecording(path, f"unknown degrees of freedom {dofs}", place=name)
    reach = float(np.linalg.norm(direction))
    return AsfBone(
        name=name,
        parent=0,
        offset=direction * (length / reach if reach > 0.0 else 0.0),
        world_R_axes=axis_product(
            _numbers(angles, 3, path, name), _axes(order.lower(), path), degrees=degrees
        ),
        dofs=dofs,
    )


def _axes(order: str, path: Path) -> str:
    if sorted(order) != ["x", "y", "z"]:
        raise BadRecording(path, f"'{order[:20]}' is no order of axes")
    return order


def _numbers(words: list[str], count: int, path: Path, place: str) -> Array:
    try:
        values = np.array([float(word) for word in words])
    except ValueError:
        values = np.full(count, np.nan)
    if len(values) != count or not np.isfinite(values).all():
        problem = f"expected {count} numbers, found {' '.join(words)[:60]}"
        raise BadRecording(path, problem, place=place)
    return values


def _in_order(
    root: AsfBone, found: dict[str, AsfBone], lines: list[str], path: Path
) -> tuple[AsfBone, ...]:
    """Return the bones in the order of the hierarchy, each with its parent."""
    bones, place = [root], {ROOT: 0}
    for line in lines:
        parent, *children = line.split()
        if parent.lower() in ("begin", "end"):
            continue
        if parent not in place:
            raise BadRecording(path, "stands before its parent", place=parent)
        for child in children:
            if child not in found or child in place:
                problem = "is no bone, or stands twice in the hierarchy"
                raise BadRecording(path, problem, place=child)
            place[child] = len(bones)
            bone = found[child]
            bones.append(
                AsfBone(
                    name=bone.name,
                    parent=place[parent],
                    offset=bone.offset,
                    world_R_axes=bone.world_R_axes,
                    dofs=bone.dofs,
                )
            )
    return tuple(bones)
