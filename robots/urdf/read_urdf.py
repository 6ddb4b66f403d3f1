"""Read a URDF from a stranger: safely, and with one-line errors that name the place.

Refused: what is no tree of links with finite numbers. Read with a line in `Urdf.notes`:
planar and floating joints. The engine has one degree of freedom per joint and a free
base of its own; a floating joint is nearly always the tie to a "world" link and a
planar one the travel of a mobile platform, so both are locked at zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar, get_args
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from telexist.retarget.errors import BadModel
from telexist.robots.urdf.read_geometry import read_geometries
from telexist.robots.urdf.tree import check_mimics, root_of_tree
from telexist.robots.urdf.urdf import (
    Joint,
    JointKind,
    JointLimits,
    MimicRule,
    Urdf,
    UrdfLink,
)
from telexist.robots.urdf.values import UrdfValues

__all__ = ["parse_urdf", "read_urdf"]

MAX_BYTES = 50_000_000  # the largest humanoid URDF known has 0.5 MB
MAX_LINKS = 2_000  # iCub with all its skin frames has 214
RESERVED = ("root_joint", "universe")  # names of the engine's own joints

_Named = TypeVar("_Named", UrdfLink, Joint)

_MJCF = "an MJCF model of MuJoCo, not a URDF: give the robot's URDF"
_XACRO = "a xacro template, not a URDF: run 'xacro FILE > robot.urdf' first"
_OTHER_FORMATS = {
    "mujoco": _MJCF,
    "mujocoinclude": _MJCF,
    "sdf": "an SDF model of Gazebo, not a URDF: give the robot's URDF",
    "COLLADA": "a COLLADA mesh, not a URDF: give the robot's URDF",
    "launch": "a ROS launch file, not a URDF: give the robot's URDF",
    "package": "a ROS package manifest, not a URDF: give the robot's URDF",
}


def read_urdf(path: Path) -> Urdf:
    """Read a URDF file.

    Raises:
        BadModel: Naming the file, the link or joint, and the problem.
    """
    try:
        if path.is_dir():
            raise BadModel(path, "is a folder: name the URDF file in it")
        size = path.stat().st_size
        if size > MAX_BYTES:
            problem = f"has {size / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} are read"
            raise BadModel(path, problem)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise BadModel(path, problem) from error
    return parse_urdf(data, path=path)


def parse_urdf(data: bytes | str, *, path: str | Path = "URDF") -> Urdf:
    """Read URDF text; `path` serves messages and the search for meshes.

    Raises:
        BadModel: Naming the file, the link or joint, and the problem.
    """
    robot = _xml(data, path)
    values = UrdfValues(path)
    notes: list[str] = []
    elements = robot.findall("link")
    if not elements:
        raise BadModel(path, "has no links")
    if len(elements) > MAX_LINKS:
        raise BadModel(path, f"has {len(elements)} links; at most {MAX_LINKS} are read")
    links = _by_name([_link(e, values, notes) for e in elements], path)
    joints = _by_name([_joint(e, values, notes) for e in robot.findall("joint")], path)
    root = root_of_tree(links, joints, path)
    check_mimics(joints, path)
    return Urdf(
        name=robot.get("name", "") or Path(path).stem,
        path=Path(path),
        root=root,
        links=links,
        joints=joints,
        notes=tuple(notes),
    )


def _xml(data: bytes | str, path: str | Path) -> Element:
    if not data.strip():
        raise BadModel(path, "is empty")
    raw = data if isinstance(data, bytes) else data.encode(errors="replace")
    try:
        robot: Element = fromstring(raw)
    except DefusedXmlException as error:
        problem = "XML that defines entities is refused: it can exhaust the machine"
        raise BadModel(path, problem) from error
    except (ParseError, ValueError, LookupError) as error:
        raise BadModel(path, _why_not_xml(raw, error)) from error
    if any("xacro" in element.tag for element in robot.iter()):
        raise BadModel(path, _XACRO)
    if robot.tag != "robot":
        other = f"XML of kind <{robot.tag[:40]}>, not a URDF: <robot> expected"
        raise BadModel(path, _OTHER_FORMATS.get(robot.tag, other))
    return robot


def _why_not_xml(raw: bytes, error: Exception) -> str:
    start = raw[:100_000]
    if b"xacro:" in start:
        return _XACRO
    if b"\0" in start or b"<" not in start:
        return "not XML: give the robot's URDF"
    return f"not valid XML: {error}"


def _by_name(items: Iterable[_Named], path: str | Path) -> dict[str, _Named]:
    found: dict[str, _Named] = {}
    for item in items:
        if item.name in found:
            problem = f"two {type(item).__name__.lower()}s have this name"
            raise BadModel(path, problem, place=item.name)
        found[item.name] = item
    return found


def _link(element: Element, values: UrdfValues, notes: list[str]) -> UrdfLink:
    name = values.name(element, "link")
    place = f"link {name}"
    mass, com = 0.0, np.zeros(3)
    inertial = element.find("inertial")
    if inertial is not None:
        com = values.pose(inertial.find("origin"), place).p
        holder = inertial.find("mass")
        if holder is not None:
            mass = values.number(holder.get("value"), place, "mass")
    if mass < 0.0:
        raise BadModel(values.path, f"mass {mass} is negative", place=place)
    return UrdfLink(
        name=name,
        mass=mass,
        link_p_com=com,
        visuals=read_geometries(element, "visual", values, place=place, notes=notes),
        collisions=read_geometries(
            element, "collision", values, place=place, notes=notes
        ),
    )


def _joint(element: Element, values: UrdfValues, notes: list[str]) -> Joint:
    name = values.name(element, "joint")
    place = f"joint {name}"
    kind = _kind(element, values, place)
    if kind in ("planar", "floating"):
        notes.append(f"{place}: {kind} joints are locked at zero")
    moves = kind in ("revolute", "continuous", "prismatic")
    if moves and name in RESERVED:
        problem = f"a moving joint must not be called {name}: rename it"
        raise BadModel(values.path, problem, place=place)
    ends = {}
    for end in ("parent", "child"):
        holder = element.find(end)
        ends[end] = "" if holder is None else holder.get("link", "").strip()
        if not ends[end]:
            raise BadModel(values.path, f"{end} link is missing", place=place)
    return Joint(
        name=name,
        kind=kind,
        parent=ends["parent"],
        child=ends["child"],
        pose=values.pose(element.find("origin"), place),
        axis=_axis(element, values, place) if moves else np.array([1.0, 0.0, 0.0]),
        limits=_limits(element, values, place) if moves else JointLimits(),
        mimic=_mimic(element, values, place) if moves else None,
    )


def _kind(element: Element, values: UrdfValues, place: str) -> JointKind:
    text = element.get("type", "").strip()
    for kind in get_args(JointKind):
        if text == kind:
            return kind
    known = ", ".join(get_args(JointKind))
    problem = f"joint type '{text[:40]}' is unknown; known: {known}"
    raise BadModel(values.path, problem, place=place)


def _axis(element: Element, values: UrdfValues, place: str) -> np.ndarray:
    holder = element.find("axis")
    text = "1 0 0" if holder is None else holder.get("xyz", "1 0 0")
    axis = values.vector(text, place, "axis")
    length = np.linalg.norm(axis)
    if length < 1e-6:
        raise BadModel(values.path, "axis is zero", place=place)
    return axis / length


def _limits(element: Element, values: UrdfValues, place: str) -> JointLimits:
    holder = element.find("limit")
    if holder is None:
        return JointLimits()
    texts = {key: holder.get(key) for key in ("lower", "upper", "velocity", "effort")}
    numbers = {key: values.limit(text, place, key) for key, text in texts.items()}
    if element.get("type") == "continuous" or not any(numbers.values()):
        # Exporters write zeros everywhere when their user stated nothing.
        numbers.update(lower=None, upper=None)
    elif texts["lower"] is None and texts["upper"] is not None:
        numbers["lower"] = 0.0  # URDF's default
    elif texts["upper"] is None and texts["lower"] is not None:
        numbers["upper"] = 0.0
    lower, upper = numbers["lower"], numbers["upper"]
    if lower is not None and upper is not None and lower > upper:
        problem = f"lower limit {lower} is above the upper limit {upper}"
        raise BadModel(values.path, problem, place=place)
    return JointLimits(**numbers)


def _mimic(element: Element, values: UrdfValues, place: str) -> MimicRule | None:
    holder = element.find("mimic")
    if holder is None:
        return None
    return MimicRule(
        leader=holder.get("joint", "").strip(),
        multiplier=values.number(holder.get("multiplier", "1"), place, "multiplier"),
        offset=values.number(holder.get("offset", "0"), place, "offset"),
    )
