"""OpenSim models (`.osim`, version 4) as links, wires and markers for LM-PFD.

Joints become chains of revolute and prismatic ones, in OpenSim's order. What a
coordinate drives by a curve (the slide of a knee over its angle) is kept at its value
in the default posture, and muscles go straight from path point to path point: wrap
surfaces, and points that move or come and go, are taken at rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
import numpy as np
from defusedxml import DefusedXmlException
from telexist.retarget.errors import BadModel
from telexist.retarget.human.musculoskeletal import Musculoskeleton
from telexist.retarget.human.opensim.joints import (
    joint_ends,
    joint_links,
    numbers_of,
    text_of,
)
from telexist.retarget.lm_pfd import Link, LinkModel, ViaPoint, Wire
from telexist.retarget.so3 import Array

__all__ = ["read_osim"]

FIBER_STRETCH = 1.5  # of the optimal length, at which a fibre holds
WIRE_WEIGHT = 0.1  # against 1 of a marker


def read_osim(path: Path) -> Musculoskeleton:
    """Read a model, y up as OpenSim has it.

    Args:
        path: An `.osim` file of OpenSim 4.

    Returns:
        Links with the names of the bodies (and `<coordinate>` between them), one wire
        a muscle, and the markers.

    Raises:
        BadModel: If the file cannot be read or holds something unknown.
    """
    try:
        root = defusedxml.ElementTree.parse(path).getroot()
    except (OSError, ParseError, DefusedXmlException) as error:
        raise BadModel(str(path), f"cannot be read: {error}") from error
    model = root.find("Model")
    if model is None or model.find("JointSet/objects") is None:
        raise BadModel(str(path), "is not a model of OpenSim 4: no JointSet")
    try:
        return _musculoskeleton(model)
    except (KeyError, ValueError) as error:
        raise BadModel(str(path), f"cannot be understood: {error}") from error


def _musculoskeleton(model: Element) -> Musculoskeleton:
    ground = Link(name="ground", joint="fixed")
    links: list[Link] = [ground]
    placed = {"ground"}
    waiting = list(model.iterfind("JointSet/objects/*"))
    while waiting:
        ready = [joint for joint in waiting if joint_ends(joint)[0].body in placed]
        if not ready:
            raise ValueError(f"joint {waiting[0].get('name')} hangs on nothing")
        for joint in ready:
            links += joint_links(joint)
            placed.add(joint_ends(joint)[1].body)
            waiting.remove(joint)
    rest = _rest_places(links)
    wires = tuple(_wires(model, rest))
    markers = {
        str(marker.get("name")): _point(marker)
        for marker in model.iterfind("MarkerSet/objects/Marker")
    }
    return Musculoskeleton(
        model=LinkModel(links=tuple(links), wires=wires), markers=markers
    )


def _rest_places(links: list[Link]) -> dict[str, tuple[Array, Array]]:
    """Return where the links are in the default posture."""
    places: dict[str, tuple[Array, Array]] = {}
    for link in links:
        R, p = np.eye(3), np.zeros(3)
        if link.parent is not None:
            R, p = places[link.parent]
        places[link.name] = (R @ link.rest_R, p + R @ link.rest_p)
    return places


def _point(element: Element) -> ViaPoint:
    body = text_of(element, "socket_parent_frame").rpartition("/")[2]
    return ViaPoint(link=body, link_p_point=numbers_of(element, "location", 3))


def _wires(model: Element, rest: Mapping[str, tuple[Array, Array]]) -> Iterator[Wire]:
    """Yield one wire a muscle, as long as fibre and tendon allow."""
    for muscle in model.iterfind("ForceSet/objects/*"):
        points = muscle.find("GeometryPath/PathPointSet/objects")
        if points is None or muscle.find("tendon_slack_length") is None:
            continue
        path = tuple(
            _point(point) for point in points if point.find("location") is not None
        )
        fiber, tendon, pennation = (
            float(muscle.findtext(tag, "0"))
            for tag in (
                "optimal_fiber_length",
                "tendon_slack_length",
                "pennation_angle_at_optimal",
            )
        )
        longest = tendon + FIBER_STRETCH * fiber * float(np.cos(pennation))
        places = [rest[v.link][1] + rest[v.link][0] @ v.link_p_point for v in path]
        at_rest = float(np.sum(np.linalg.norm(np.diff(places, axis=0), axis=1)))
        yield Wire(
            name=str(muscle.get("name")),
            path=path,
            length=max(longest, at_rest),
            weight=WIRE_WEIGHT,
        )
