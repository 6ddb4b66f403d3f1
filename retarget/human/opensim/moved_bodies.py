"""Where the bodies of an OpenSim model are while its coordinates move.

Every axis of every joint follows its function, curves included, as in OpenSim: a
joint's frame on the child is shifted along, then turned about, axes of the joint's
frame on the parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
import numpy as np
from defusedxml import DefusedXmlException
from telexist.retarget.errors import BadModel
from telexist.retarget.human.opensim.functions import values_at
from telexist.retarget.human.opensim.joints import JointFrame, joint_ends, numbers_of
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["OsimBodies", "read_osim_bodies"]

_MOST_BYTES = 200_000_000
_TURNS = {
    "PinJoint": "z",
    "UniversalJoint": "xy",
    "BallJoint": "xyz",
    "GimbalJoint": "xyz",
    "FreeJoint": "xyz",
    "PlanarJoint": "z",
}
_SLIDES = {"SliderJoint": "x", "FreeJoint": "xyz", "PlanarJoint": "xy"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrivenAxis:
    """One axis of a joint and what moves it."""

    direction: Array
    slides: bool
    coordinate: str
    function: Element | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _BodyJoint:
    """A joint: its frames on parent and child, and its axes, slides first."""

    parent: JointFrame
    child: JointFrame
    axes: tuple[_DrivenAxis, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OsimBodies:
    """The bodies of a model.

    Attributes:
        joints: From the ground outwards.
        defaults: Coordinate to its value in the default posture.
        slides: The coordinates that are lengths, not angles.
        markers: Name to body and place on it (3,) [m].
    """

    joints: tuple[_BodyJoint, ...]
    defaults: Mapping[str, float]
    slides: frozenset[str]
    markers: Mapping[str, tuple[str, Array]]

    def placed(
        self, values: Mapping[str, Array], frames: int
    ) -> dict[str, tuple[Array, Array]]:
        """Return body to `ground_R_body` (t, 3, 3) and place (t, 3) [m].

        Args:
            values: Coordinate to its values (t,); others keep their default.
            frames: t.
        """
        ground = (np.tile(np.eye(3), (frames, 1, 1)), np.zeros((frames, 3)))
        placed = {"ground": ground}
        for joint in self.joints:
            R, p = placed[joint.parent.body]
            p, R = p + R @ joint.parent.p, R @ joint.parent.R
            for axis in joint.axes:
                amount = self._amount(axis, values, frames)
                if axis.slides:
                    p = p + (R @ axis.direction) * amount[:, None]
                else:
                    R = R @ exp_so3(amount[:, None] * axis.direction)
            R = R @ joint.child.R.T
            placed[joint.child.body] = (R, p - R @ joint.child.p)
        return placed

    def _amount(
        self, axis: _DrivenAxis, values: Mapping[str, Array], frames: int
    ) -> Array:
        default = self.defaults.get(axis.coordinate, 0.0)
        x = np.asarray(values.get(axis.coordinate, np.full(frames, default)))
        return x if axis.function is None else values_at(axis.function, x)


def read_osim_bodies(path: Path) -> OsimBodies:
    """Read the joints of an `.osim` file of OpenSim 4.

    Raises:
        BadModel: If the file cannot be read or holds something unknown.
    """
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise BadModel(str(path), f"larger than {_MOST_BYTES} bytes")
        root = defusedxml.ElementTree.parse(path).getroot()
    except (OSError, ParseError, DefusedXmlException, ValueError) as error:
        raise BadModel(str(path), f"cannot be read: {error}") from error
    model = root.find("Model")
    if model is None or model.find("JointSet/objects") is None:
        raise BadModel(str(path), "is not a model of OpenSim 4: no JointSet")
    try:
        return _bodies(model)
    except (KeyError, ValueError, IndexError, StopIteration, TypeError) as error:
        raise BadModel(str(path), f"cannot be understood: {error}") from error


def _bodies(model: Element) -> OsimBodies:
    waiting = [_joint(element) for element in model.iterfind("JointSet/objects/*")]
    joints: list[_BodyJoint] = []
    placed = {"ground"}
    while waiting:
        ready = [joint for joint in waiting if joint.parent.body in placed]
        if not ready:
            raise ValueError(f"the joint of {waiting[0].child.body} hangs on nothing")
        joints += ready
        waiting = [joint for joint in waiting if joint.parent.body not in placed]
        placed.update(joint.child.body for joint in ready)
    axes = [axis for joint in joints for axis in joint.axes]
    turning = {axis.coordinate for axis in axes if not axis.slides}
    markers = {}
    for marker in model.iterfind("MarkerSet/objects/Marker"):
        frame = (marker.findtext("socket_parent_frame") or "").strip()
        body = frame.rpartition("/")[2]
        if body in placed:
            markers[str(marker.get("name"))] = (body, numbers_of(marker, "location", 3))
    bodies = OsimBodies(
        joints=tuple(joints),
        defaults={
            str(c.get("name")): float(c.findtext("default_value", "0"))
            for c in model.iterfind("JointSet/objects/*/coordinates/Coordinate")
        },
        slides=frozenset(a.coordinate for a in axes if a.slides) - turning,
        markers=markers,
    )
    for name, (R, p) in bodies.placed({}, 1).items():  # every function once
        if not (np.isfinite(R).all() and np.isfinite(p).all()):
            raise ValueError(f"the place of {name} is not finite")
    return bodies


def _joint(element: Element) -> _BodyJoint:
    parent, child = joint_ends(element)
    return _BodyJoint(parent=parent, child=child, axes=tuple(_axes(element)))


def _axes(joint: Element) -> list[_DrivenAxis]:
    """Return the axes, slides first."""
    if joint.tag == "WeldJoint":
        return []
    if joint.tag == "CustomJoint":
        return _custom_axes(joint)
    turns, slides = _TURNS.get(joint.tag, ""), _SLIDES.get(joint.tag, "")
    if not turns and not slides:
        raise ValueError(f"no reader for a {joint.tag}")
    names = [str(c.get("name")) for c in joint.iterfind("coordinates/Coordinate")]
    letters = [(a, False) for a in turns] + [(a, True) for a in slides]
    if len(names) != len(letters):
        problem = (
            f"{joint.tag} {joint.get('name')} must have {len(letters)} coordinates"
        )
        raise ValueError(problem)
    axes = [
        _DrivenAxis(
            direction=np.eye(3)["xyz".index(letter)],
            slides=slides,
            coordinate=name,
            function=None,
        )
        for (letter, slides), name in zip(letters, names, strict=True)
    ]
    return sorted(axes, key=lambda axis: not axis.slides)


def _custom_axes(joint: Element) -> list[_DrivenAxis]:
    axes = []
    for element in joint.iterfind("SpatialTransform/TransformAxis"):
        direction = numbers_of(element, "axis", 3)
        length = float(np.linalg.norm(direction))
        if length < 1e-9:
            raise ValueError(f"an axis of {joint.get('name')} has no length")
        function = next(c for c in element if c.tag not in ("coordinates", "axis"))
        axes.append(
            _DrivenAxis(
                direction=direction / length,
                slides="translation" in str(element.get("name")),
                coordinate=(element.findtext("coordinates") or "").strip(),
                function=function,
            )
        )
    return sorted(axes, key=lambda axis: not axis.slides)
