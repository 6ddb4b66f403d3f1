"""Compile an MJCF file of a stranger, without its missing meshes.

MuJoCo's own parser resolves defaults, frames, units and includes; it is given only
files that an XML reader with limits has seen before.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import mujoco
import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from telexist.retarget.errors import BadModel
from telexist.robots.mjcf.mujoco_warnings import log_mujoco_warnings

__all__ = ["Compiled", "load_mjcf"]

MAX_BYTES = 20_000_000  # of one XML file
MAX_ELEMENTS = 200_000
MAX_BODIES = 2_000
MAX_DEPTH = 200  # of nested elements: MuJoCo's parser calls itself for each
FINITE = (
    "body_pos",
    "body_quat",
    "body_ipos",
    "body_iquat",
    "body_mass",
    "body_inertia",
    "jnt_pos",
    "jnt_axis",
    "jnt_range",
    "qpos0",
    "geom_pos",
    "geom_quat",
    "geom_size",
)
MULTIPLIERS = ("replicate", "composite", "flexcomp")
"""Elements of a few letters that become thousands of bodies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A model as MuJoCo understands it.

    Attributes:
        model: MuJoCo's compiled model.
        meshes: File of each mesh of the model, by its number.
        notes: What was left out.
    """

    model: Any
    meshes: tuple[Path | None, ...]
    notes: tuple[str, ...]


def load_mjcf(path: Path) -> Compiled:
    """Compile a file.

    Raises:
        BadModel: If it is no MJCF, absurdly large, or MuJoCo refuses it.
    """
    _look_over(path)
    log_mujoco_warnings()
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        files = {mesh.name: _file_of(mesh, spec, path) for mesh in spec.meshes}
        notes = _without_missing_meshes(spec, files)
        _bare(spec)
        model = spec.compile()
    except (ValueError, mujoco.FatalError) as error:
        lines = str(error).split("\n")
        raise BadModel(path, f"MuJoCo refuses it: {lines[0][:200]}") from error
    _require_finite(model, path)
    names = (model.mesh(i).name for i in range(model.nmesh))
    return Compiled(model=model, meshes=tuple(map(files.get, names)), notes=notes)


def _require_finite(model: Any, path: Path) -> None:
    """MuJoCo lets NaN pass with a warning; here it ends."""
    if model.nbody > MAX_BODIES:
        raise BadModel(path, f"has {model.nbody} bodies; at most {MAX_BODIES} are read")
    for what in FINITE:
        if not np.isfinite(getattr(model, what)).all():
            raise BadModel(path, f"{what} holds a number that is not finite")


def _look_over(path: Path) -> None:
    """Read the XML with limits before MuJoCo does; files that it includes, too."""
    seen: set[Path] = set()
    waiting = [path]
    elements = 0
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        root = _xml(file, path)
        count, includes = _survey(root, path)
        elements += count
        if elements > MAX_ELEMENTS:
            raise BadModel(path, f"has more than {MAX_ELEMENTS} elements")
        for name in includes:
            beside = (file.parent / name, path.parent / name)
            waiting.extend(p for p in beside[:1] if p.is_file())
            waiting.extend(p for p in beside[1:] if p.is_file() and p not in seen)


def _xml(file: Path, path: Path) -> Element:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise BadModel(path, f"{file.name} has more than {MAX_BYTES} bytes")
        root: Element = fromstring(file.read_bytes())
    except DefusedXmlException as error:
        problem = "XML that defines entities is refused: it can exhaust the machine"
        raise BadModel(path, problem) from error
    except (ParseError, ValueError, LookupError) as error:
        raise BadModel(path, f"not valid XML: {error}", place=file.name) from error
    except OSError as error:
        raise BadModel(path, error.strerror or str(error), place=file.name) from error
    return root


def _survey(root: Element, path: Path) -> tuple[int, list[str]]:
    """Return the number of elements and the files that are included."""
    count, includes, waiting = 0, [], [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        count += 1
        if depth > MAX_DEPTH:
            raise BadModel(path, "nested too deeply for a robot")
        if element.tag in MULTIPLIERS:
            raise BadModel(path, f"<{element.tag}> is no part of a robot")
        if any(_not_a_number(value) for value in element.attrib.values()):
            raise BadModel(path, f"<{element.tag}> holds a number that is not finite")
        if element.tag == "include":
            includes.append(element.get("file", ""))
        waiting.extend((child, depth + 1) for child in element)
    return count, includes


def _not_a_number(value: str) -> bool:
    """Return whether a list of numbers holds one that MuJoCo would mend unseen."""
    words = value.lower().split()
    return any(word.lstrip("+-") in ("nan", "inf", "infinity") for word in words)


def _file_of(mesh: Any, spec: Any, path: Path) -> Path | None:
    """Return the file of a mesh, if it is there."""
    if not mesh.file:
        return None
    folder = Path(spec.modelfiledir or path.parent) / (spec.meshdir or "")
    for place in (folder / mesh.file, path.parent / mesh.file):
        if place.is_file():
            return place.resolve()
    return None


def _without_missing_meshes(
    spec: Any, files: dict[str, Path | None]
) -> tuple[str, ...]:
    """Take away shapes whose files are not on this machine, as for a URDF."""
    own = {mesh.name for mesh in spec.meshes if not mesh.file}  # vertices in the XML
    missing = {name for name, file in files.items() if file is None} - own
    for geom in list(spec.geoms):
        if geom.meshname in missing:
            spec.delete(geom)
    for mesh in list(spec.meshes):
        if mesh.name in missing:
            spec.delete(mesh)
    if not missing:
        return ()
    return (
        f"{len(missing)} meshes are not on this machine: their shapes are left out",
    )


def _bare(spec: Any) -> None:
    """Take away what a description has no use for and what needs more files."""
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_HFIELD:
            spec.delete(geom)
    for kind in ("keys", "sensors", "textures", "skins", "hfields"):
        for item in list(getattr(spec, kind)):
            spec.delete(item)
