"""What LM-PFD solves: links on joints, wires over them, loops, and pose targets.

Six-vectors and 6 x 6 weights are (angular, linear) in world axes, as in [A].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.so3 import Array

__all__ = [
    "JOINT_DOFS",
    "Link",
    "LinkModel",
    "Loop",
    "PoseTarget",
    "Posture",
    "ViaPoint",
    "Wire",
    "point_target",
]

JOINT_DOFS: Mapping[str, int] = MappingProxyType(
    {"fixed": 0, "revolute": 1, "prismatic": 1, "spherical": 3, "free": 6}
)
"""Joints that carry a link, and their degrees of freedom."""


def _frozen(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    array = np.array(value, dtype=np.float64)
    if array.shape != shape or not np.all(np.isfinite(array)):
        raise BadInput(f"{what} must be finite numbers of shape {shape}")
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A rigid link and the joint that carries it; its origin lies on the joint.

    Attributes:
        name: Of the link.
        parent: Link that carries the joint; None for the world.
        joint: A key of `JOINT_DOFS`.
        rest_p: Place of the joint on the parent (3,) [m].
        rest_R: Orientation of the joint on the parent (3, 3).
        axis: Unit direction of a revolute or prismatic joint, joint axes (3,).
    """

    name: str
    parent: str | None = None
    joint: str = "spherical"
    rest_p: Array = field(default_factory=lambda: np.zeros(3))
    rest_R: Array = field(default_factory=lambda: np.eye(3))
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    def __post_init__(self) -> None:
        """Copy, check and freeze."""
        if self.joint not in JOINT_DOFS:
            raise UnknownName("joint", self.joint, JOINT_DOFS)
        what = f"of link {self.name}"
        set_field = object.__setattr__
        set_field(self, "rest_p", _frozen(self.rest_p, (3,), f"rest_p {what}"))
        set_field(self, "rest_R", _frozen(self.rest_R, (3, 3), f"rest_R {what}"))
        axis = _frozen(self.axis, (3,), f"axis {what}")
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            raise BadInput(f"the axis {what} has no direction")
        set_field(self, "axis", _frozen(axis / length, (3,), f"axis {what}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ViaPoint:
    """A point of a link through which a wire passes.

    Attributes:
        link: Name of the link.
        link_p_point: Place on it (3,) [m].
    """

    link: str
    link_p_point: Array

    def __post_init__(self) -> None:
        """Copy, check and freeze."""
        point = _frozen(self.link_p_point, (3,), f"a via-point of {self.link}")
        object.__setattr__(self, "link_p_point", point)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A wire that may be slack, but no longer than its natural length: [A] (51).

    Attributes:
        name: Of the wire.
        path: At least two points, in order.
        length: Natural length [m].
        weight: Of the square of the excess length.
    """

    name: str
    path: tuple[ViaPoint, ...]
    length: float
    weight: float = 1.0

    def __post_init__(self) -> None:
        """Check."""
        if len(self.path) < 2:
            raise BadInput(f"wire {self.name} needs at least two points")
        if not (np.isfinite(self.length) and np.isfinite(self.weight)):
            raise BadInput(f"length and weight of wire {self.name} must be finite")
        if self.weight < 0.0:
            raise BadInput(f"the weight of wire {self.name} must not be negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A joint that closes a chain: a point, or a whole pose, shared by two links.

    A hinge is two points on its axis.

    Attributes:
        first: A point of one link.
        second: The point of the other link that must lie there.
        first_R_second: Orientation of the second link on the first, if fixed (3, 3).
    """

    first: ViaPoint
    second: ViaPoint
    first_R_second: Array | None = None

    def __post_init__(self) -> None:
        """Copy, check and freeze."""
        if self.first_R_second is not None:
            R = _frozen(self.first_R_second, (3, 3), "first_R_second of a loop")
            object.__setattr__(self, "first_R_second", R)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseTarget:
    """Where a link should be: [A] (1) and (3).

    Attributes:
        link: Name of the link.
        world_p_goal: Wanted place of the point (3,) [m].
        world_R_goal: Wanted orientation of the link (3, 3).
        weight: Symmetric, positive semi-definite, world axes at the point (6, 6).
        link_p_point: The point of the link that counts (3,) [m].
    """

    link: str
    world_p_goal: Array
    world_R_goal: Array = field(default_factory=lambda: np.eye(3))
    weight: Array = field(default_factory=lambda: np.eye(6))
    link_p_point: Array = field(default_factory=lambda: np.zeros(3))

    def __post_init__(self) -> None:
        """Copy, check and freeze."""
        shapes = {
            "world_p_goal": (3,),
            "world_R_goal": (3, 3),
            "weight": (6, 6),
            "link_p_point": (3,),
        }
        for name, shape in shapes.items():
            what = f"{name} of the target on {self.link}"
            object.__setattr__(self, name, _frozen(getattr(self, name), shape, what))
        if not np.array_equal(self.weight, self.weight.T):
            raise BadInput(f"the weight of the target on {self.link} is not symmetric")


def point_target(
    link: str, link_p_point: ArrayLike, world_p_goal: ArrayLike, weight: float = 1.0
) -> PoseTarget:
    """Ask for the place of a point only, such as a marker."""
    return PoseTarget(
        link=link,
        world_p_goal=np.asarray(world_p_goal, dtype=np.float64),
        weight=np.diag([0.0, 0.0, 0.0, weight, weight, weight]),
        link_p_point=np.asarray(link_p_point, dtype=np.float64),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Posture:
    """How far every joint is turned and slid, in the joint's own axes on its parent.

    Attributes:
        turns: Rotation of each joint (n, 3, 3).
        slides: Displacement of each joint (n, 3) [m].
    """

    turns: Array
    slides: Array

    def __post_init__(self) -> None:
        """Copy, check and freeze."""
        n = len(self.turns)
        object.__setattr__(self, "turns", _frozen(self.turns, (n, 3, 3), "turns"))
        object.__setattr__(self, "slides", _frozen(self.slides, (n, 3), "slides"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkModel:
    """Links, parents before children, with the wires and loops between them."""

    links: tuple[Link, ...]
    wires: tuple[Wire, ...] = ()
    loops: tuple[Loop, ...] = ()

    def __post_init__(self) -> None:
        """Check that every name is known where it is used."""
        known: set[str] = set()
        for link in self.links:
            if link.parent is not None and link.parent not in known:
                raise UnknownName("parent link", link.parent, sorted(known))
            if link.name in known:
                raise BadInput(f"two links are called {link.name}")
            known.add(link.name)
        points = [point for wire in self.wires for point in wire.path]
        points += [point for loop in self.loops for point in (loop.first, loop.second)]
        for point in points:
            if point.link not in known:
                raise UnknownName("link", point.link, sorted(known))

    @property
    def dofs(self) -> int:
        """Degrees of freedom of all joints, loops open."""
        return sum(JOINT_DOFS[link.joint] for link in self.links)

    def index(self) -> dict[str, int]:
        """Return the place of every link in the order of `links`."""
        return {link.name: i for i, link in enumerate(self.links)}

    def rest(self) -> Posture:
        """Return the posture in which no joint is turned or slid."""
        n = len(self.links)
        return Posture(turns=np.tile(np.eye(3), (n, 1, 1)), slides=np.zeros((n, 3)))
