"""Joints of OpenSim models as chains of revolute and prismatic ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np
from telexist.retarget.human.opensim.functions import value_at
from telexist.retarget.lm_pfd import Link
from telexist.retarget.so3 import Array, exp_so3, rotation_x, rotation_y, rotation_z

__all__ = ["JointFrame", "joint_ends", "joint_links", "numbers_of", "text_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointFrame:
    """A frame on a body: its name, and where the frame is on it."""

    body: str
    R: Array
    p: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """One motion of a joint: about or along an axis, by a coordinate or a constant."""

    slides: bool
    direction: Array
    coordinate: str | None
    value: float


def text_of(element: Element, tag: str) -> str:
    """Return the text of a child.

    Raises:
        KeyError: If there is none.
    """
    text = element.findtext(tag)
    if text is None:
        raise KeyError(f"{element.tag} {element.get('name')} has no {tag}")
    return text.strip()


def numbers_of(element: Element, tag: str, count: int) -> Array:
    """Return the numbers in a child.

    Raises:
        ValueError: If there are more or fewer, or some are not finite.
    """
    values = np.array(text_of(element, tag).split(), dtype=np.float64)
    if values.shape != (count,) or not np.all(np.isfinite(values)):
        raise ValueError(f"{tag} of {element.get('name')} must be {count} numbers")
    return values


def joint_ends(joint: Element) -> tuple[JointFrame, JointFrame]:
    """Return the frames that a joint joins, on the parent and on the child."""
    offsets = {str(frame.get("name")): frame for frame in joint.iterfind("frames/*")}
    parent, child = (
        _frame(text_of(joint, f"socket_{end}_frame"), offsets)
        for end in ("parent", "child")
    )
    return parent, child


def _frame(path: str, offsets: Mapping[str, Element]) -> JointFrame:
    name = path.rpartition("/")[2]
    if name not in offsets:
        return JointFrame(body=name, R=np.eye(3), p=np.zeros(3))
    offset = offsets[name]
    x, y, z = numbers_of(offset, "orientation", 3)
    return JointFrame(
        body=text_of(offset, "socket_parent").rpartition("/")[2],
        R=rotation_x(x) @ rotation_y(y) @ rotation_z(z),  # body-fixed x, y, z
        p=numbers_of(offset, "translation", 3),
    )


def _defaults(joint: Element) -> dict[str, float]:
    """Return the default value of every coordinate of a joint."""
    return {
        str(c.get("name")): float(c.findtext("default_value", "0"))
        for c in joint.iterfind("coordinates/Coordinate")
    }


def joint_links(joint: Element) -> list[Link]:
    """Return the links of a joint: one a coordinate, then the child body.

    The last one carries the child: its origin is on the last axis, and a fixed link
    takes from there to the body's own frame.
    """
    parent, child = joint_ends(joint)
    R, p, on = parent.R, parent.p, parent.body
    links = []
    for axis in _axes(joint):
        if axis.coordinate is None:
            p = p if not axis.slides else p + R @ axis.direction * axis.value
            R = R if axis.slides else R @ _turn(axis.direction, axis.value)
            continue
        links.append(
            Link(
                name=axis.coordinate,
                parent=on,
                joint="prismatic" if axis.slides else "revolute",
                rest_R=R,
                rest_p=p,
                axis=axis.direction,
            )
        )
        on, R, p = axis.coordinate, np.eye(3), np.zeros(3)
        if axis.slides:
            p = axis.direction * axis.value
        else:
            R = _turn(axis.direction, axis.value)
    body_R = R @ child.R.T
    body = Link(
        name=child.body,
        parent=on,
        joint="fixed",
        rest_R=body_R,
        rest_p=p - body_R @ child.p,
    )
    return [*links, body]


def _turn(direction: Array, angle: float) -> Array:
    return exp_so3(angle * direction)


def _axes(joint: Element) -> list[_Axis]:
    """Return the motions of a joint, from the parent outwards."""
    defaults = _defaults(joint)
    names = list(defaults)
    x, y, z = np.eye(3)
    if joint.tag == "WeldJoint":
        return []
    if joint.tag == "PinJoint":
        return [_moved(z, names[0], defaults, slides=False)]
    if joint.tag == "SliderJoint":
        return [_moved(x, names[0], defaults, slides=True)]
    if joint.tag == "UniversalJoint":
        turns = zip((x, y), names, strict=True)
        return [_moved(a, name, defaults, slides=False) for a, name in turns]
    if joint.tag in ("BallJoint", "GimbalJoint"):
        turns = zip((x, y, z), names, strict=True)
        return [_moved(a, name, defaults, slides=False) for a, name in turns]
    if joint.tag == "FreeJoint":
        slides = [
            _moved(a, name, defaults, slides=True)
            for a, name in zip((x, y, z), names[3:], strict=True)
        ]
        turns = zip((x, y, z), names[:3], strict=True)
        return slides + [_moved(a, name, defaults, slides=False) for a, name in turns]
    if joint.tag == "CustomJoint":
        return list(_custom_axes(joint, defaults))
    raise ValueError(f"no reader for a {joint.tag}")


def _moved(
    direction: Array, name: str, defaults: Mapping[str, float], *, slides: bool
) -> _Axis:
    return _Axis(
        slides=slides, direction=direction, coordinate=name, value=defaults[name]
    )


def _custom_axes(joint: Element, defaults: Mapping[str, float]) -> Iterator[_Axis]:
    """Yield the axes of a SpatialTransform: translations first, then rotations.

    OpenSim turns the child about its own origin after having shifted it along the
    parent's axes. Of the axes of one coordinate, the first that is linear in it moves;
    the others keep the value that they have in the default posture.
    """
    axes = list(joint.iterfind("SpatialTransform/TransformAxis"))
    moved: set[str] = set()
    for element in sorted(axes, key=lambda axis: "rotation" in str(axis.get("name"))):
        driver = (element.findtext("coordinates") or "").strip()
        direction = numbers_of(element, "axis", 3)
        function = next(
            child for child in element if child.tag not in ("coordinates", "axis")
        )
        slides = "translation" in str(element.get("name"))
        value, slope = value_at(function, defaults.get(driver, 0.0))
        moves = bool(driver) and slope != 0.0 and driver not in moved
        if moves:
            moved.add(driver)
        sign = float(np.sign(slope)) if moves else 1.0
        yield _Axis(
            slides=slides,
            direction=sign * direction,
            coordinate=driver if moves else None,
            value=sign * value,
        )
