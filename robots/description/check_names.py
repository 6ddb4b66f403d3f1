"""Whether every link and joint that a `robot.toml` names is in the model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from telexist.retarget.errors import BadConfig, UnknownName
from telexist.robots.description.spec import RobotSpec
from telexist.robots.urdf import Urdf

__all__ = ["check_names"]


def check_names(spec: RobotSpec, urdf: Urdf, path: Path) -> None:
    """Check the names in a spec against the model.

    Raises:
        BadConfig: Naming the key, and near names of the model.
    """
    moving = {joint.name for joint in urdf.moving_joints()}
    for place, link in _links(spec):
        if link not in urdf.links:
            raise BadConfig(path, _no_such("link", link, urdf.links), place=place)
    for place, joint in _joints(spec):
        if joint not in moving:
            raise BadConfig(path, _no_such("joint", joint, moving), place=place)


def _no_such(kind: str, name: str, known: object) -> str:
    return str(UnknownName(kind, name, known))  # type: ignore[arg-type]


def _links(spec: RobotSpec) -> Iterator[tuple[str, str]]:
    yield "base.link", spec.base.link
    for segment, link in spec.links.items():
        yield f"links.{segment}", link
    for side, sole in spec.soles.items():
        yield f"soles.{side}.link", sole.link
    for side, hand in spec.hands.items():
        yield f"hands.{side}", hand


def _joints(spec: RobotSpec) -> Iterator[tuple[str, str]]:
    for joint in spec.neutral:
        yield "neutral", joint
    for joint in spec.limits:
        yield "limits", joint
    for joint in spec.locked:
        yield "locked", joint
    for side, grip in spec.grips.items():
        for joint in grip:
            yield f"grips.{side}", joint
    for joint in spec.actuators:
        yield "actuators", joint
    for i, coupling in enumerate(spec.couplings):
        for joint in coupling.joints:
            yield f"couplings[{i}]", joint
