"""A robot's URDF made fit for dynamics: one text that simulator and controller share.

Changed on the way: collisions, Gazebo, transmissions and sensors go; meshes that MuJoCo
cannot read go, and in pictures what collides is drawn instead; locked joints are welded
at their position; continuous joints get wide limits; inertias are made physical; leaves
without mass, picture or name in the `robot.toml` go (iCub has 170 skin frames).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from defusedxml.ElementTree import fromstring
from telexist.retarget.human import adult_size, human_urdf
from telexist.robots.description import RobotModel
from telexist.robots.mjcf import model_text
from telexist.robots.urdf import (
    find_mesh,
    fixed_joint,
    give_mass,
    moving_joint,
    repair_inertia,
)

__all__ = ["simulation_urdf"]

READABLE = (".stl", ".obj", ".msh")
MAX_STL_FACES = 200_000  # what MuJoCo reads
_COMPILER = {
    "strippath": "false",
    "discardvisual": "false",
    "fusestatic": "false",
    "balanceinertia": "false",
}


def simulation_urdf(
    robot: RobotModel, *, visuals: bool = False, unlocked: Iterable[str] = ()
) -> str:
    """Return URDF text with masses for MuJoCo and pinocchio alike.

    Args:
        robot: The robot.
        visuals: Whether the shapes to draw are kept.
        unlocked: Joints that the body has locked and that move here, such as fingers.
    """
    source = _source(robot)
    locked = {j: p for j, p in robot.locked.items() if j not in set(unlocked)}
    result = Element("robot", name=robot.spec.name)
    SubElement(SubElement(result, "mujoco"), "compiler", _COMPILER)
    for material in source.findall("material"):
        result.append(material)
    links = {link.get("name", "").strip(): link for link in source.findall("link")}
    joints = dict(robot.urdf.joints)
    for name in _unneeded(robot, links, visuals=visuals):
        links.pop(name)
        joints = {k: j for k, j in joints.items() if j.child != name}
    for link in links.values():
        _clean_link(link, robot.urdf.path, visuals=visuals)
    fixed = {j.name for j in joints.values() if not j.moves or j.name in locked}
    for joint in joints.values():
        if joint.name not in fixed and not _has_mass(joint.child, robot, links, fixed):
            give_mass(links[joint.child])
    result.extend(links.values())
    for joint in joints.values():
        if joint.name in fixed:
            fixed_joint(result, joint, locked.get(joint.name, 0.0))
        else:
            moving_joint(result, joint)
    return tostring(result, encoding="unicode")


def _source(robot: RobotModel) -> Element:
    model = robot.spec.model.generated
    text: str | bytes
    if model:
        text = human_urdf(adult_size(), model=model)
    else:
        text = model_text(robot.urdf.path)
    element: Element = fromstring(text)
    return element


def _clean_link(link: Element, path: Path, *, visuals: bool) -> None:
    shapes = link.findall("visual")
    found = [shape for shape in shapes if _found(shape, path)] if visuals else []
    if visuals and len(found) < len(shapes):
        for shape in link.findall("collision"):
            if _found(shape, path) and not _is_point(shape):
                shape.tag = "visual"
                found.append(shape)
    for child in list(link):
        if child.tag != "inertial" and child not in found:
            link.remove(child)
    repair_inertia(link)


def _found(shape: Element, path: Path) -> bool:
    """Whether a shape can be drawn; the file of its mesh is written into it."""
    mesh = shape.find("geometry/mesh")
    if mesh is None:
        return True
    file = find_mesh(mesh.get("filename", ""), path)
    if file is None or not _readable(file):
        return False
    mesh.set("filename", str(file))
    return True


def _is_point(shape: Element) -> bool:
    """Whether a shape has no size: some models have such spheres for contacts."""
    numbers = [
        number
        for primitive in shape.findall("geometry/*")
        for key in ("size", "radius", "length")
        for number in primitive.get(key, "").split()
    ]
    try:
        return any(float(number) <= 0.0 for number in numbers)
    except ValueError:  # no number at all
        return True


def _readable(mesh: Path) -> bool:
    """Whether MuJoCo reads a mesh: its kind, and not an STL in words or too large."""
    if mesh.suffix.lower() not in READABLE:
        return False
    if mesh.suffix.lower() != ".stl":
        return True
    with mesh.open("rb") as file:
        head = file.read(84)
    faces = int.from_bytes(head[80:84], "little")
    exact = mesh.stat().st_size == 84 + 50 * faces
    return exact and 0 < faces <= MAX_STL_FACES


def _unneeded(
    robot: RobotModel, links: dict[str, Element], *, visuals: bool
) -> Iterable[str]:
    """Yield the leaves that are mere frames, outermost first."""
    named = {
        robot.spec.base.link,
        *robot.spec.links.values(),
        *robot.spec.hands.values(),
    }
    named |= {sole.link for sole in robot.spec.soles.values()}
    children: dict[str, int] = dict.fromkeys(links, 0)
    for joint in robot.urdf.joints.values():
        children[joint.parent] += 1
    waiting = [name for name, count in children.items() if count == 0]
    while waiting:
        name = waiting.pop()
        above = robot.urdf.joint_above(name)
        drawn = visuals and links[name].find("visual") is not None
        heavy = robot.urdf.links[name].mass > 0.0
        if above is None or above.moves or drawn or heavy or name in named:
            continue
        yield name
        children[above.parent] -= 1
        if children[above.parent] == 0:
            waiting.append(above.parent)


def _has_mass(
    name: str, robot: RobotModel, links: dict[str, Element], fixed: set[str]
) -> bool:
    """Whether a link, or something welded to it, has mass."""
    if links[name].find("inertial") is not None:
        return True
    return any(
        _has_mass(joint.child, robot, links, fixed)
        for joint in robot.urdf.joints.values()
        if joint.parent == name and joint.name in fixed and joint.child in links
    )
