"""Shapes of a URDF link: what is drawn and what collides.

Shapes never make a model unusable: one that makes no sense is left out with a note.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from telexist.retarget.errors import BadModel
from telexist.robots.urdf.urdf import Geometry, Pose
from telexist.robots.urdf.values import UrdfValues

__all__ = ["read_geometries"]

Colour = tuple[float, float, float, float]


def read_geometries(
    link: Element, tag: str, values: UrdfValues, *, place: str, notes: list[str]
) -> tuple[Geometry, ...]:
    """Return the shapes of a link.

    Args:
        link: The `<link>` element.
        tag: "visual" or "collision".
        values: Reader of the file's numbers.
        place: The link, for messages.
        notes: Gets a line for each shape that was left out.
    """
    found = []
    for element in link.findall(tag):
        try:
            shape = _geometry(element, values, place)
        except BadModel as error:
            notes.append(f"{place}: {tag} left out: {error.problem}")
            continue
        if shape is not None:
            found.append(shape)
    return tuple(found)


def _geometry(element: Element, values: UrdfValues, place: str) -> Geometry | None:
    holder = element.find("geometry")
    if holder is None or len(holder) == 0:
        return None
    pose = values.pose(element.find("origin"), place)
    shape = holder[0]
    if shape.tag == "mesh":
        return _mesh(shape, pose, _colour(element, values, place), values, place)
    size = _size(shape, values, place)
    if min(size) < 0.0:
        raise BadModel(values.path, f"{shape.tag} of negative size", place=place)
    return Geometry(
        kind=shape.tag,  # type: ignore[arg-type]  # _size knows all kinds
        pose=pose,
        size=size,
        colour=_colour(element, values, place),
    )


def _size(shape: Element, values: UrdfValues, place: str) -> tuple[float, ...]:
    if shape.tag == "box":
        return values.numbers(shape.get("size"), place, "box size", count=3)
    if shape.tag in ("cylinder", "capsule"):
        radius = values.number(shape.get("radius"), place, f"{shape.tag} radius")
        return radius, values.number(shape.get("length"), place, f"{shape.tag} length")
    if shape.tag == "sphere":
        return (values.number(shape.get("radius"), place, "sphere radius"),)
    raise BadModel(values.path, f"unknown shape <{shape.tag[:40]}>", place=place)


def _mesh(
    shape: Element, pose: Pose, colour: Colour | None, values: UrdfValues, place: str
) -> Geometry:
    name = shape.get("filename", "").strip()
    if not name:
        raise BadModel(values.path, "mesh without a file name", place=place)
    text = shape.get("scale", "1 1 1")
    factors = values.numbers(text, place, "mesh scale", count=len(text.split()))
    if len(factors) == 1:
        factors *= 3
    if len(factors) != 3:
        raise BadModel(values.path, "mesh scale needs three numbers", place=place)
    x, y, z = factors
    return Geometry(kind="mesh", pose=pose, mesh=name, scale=(x, y, z), colour=colour)


def _colour(element: Element, values: UrdfValues, place: str) -> Colour | None:
    colour = element.find("material/color")
    if colour is None:
        return None
    r, g, b, a = values.numbers(colour.get("rgba"), place, "colour", count=4)
    return r, g, b, a
