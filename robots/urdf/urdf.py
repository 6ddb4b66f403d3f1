"""A robot description as plain data: links, shapes and joints of a URDF.

`read_urdf.py` fills these from a file, `clean_urdf.py` writes the
kinematic part back as URDF text for the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from telexist.retarget.errors import UnknownName
from telexist.retarget.so3 import Array

__all__ = [
    "MimicRule",
    "Geometry",
    "Joint",
    "JointKind",
    "JointLimits",
    "UrdfLink",
    "Pose",
    "Shape",
    "Urdf",
]

JointKind = Literal[
    "revolute", "continuous", "prismatic", "fixed", "planar", "floating"
]
Shape = Literal["box", "cylinder", "sphere", "capsule", "mesh"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    """Where frame B is in frame A: position (3,) [m] and rotation (3, 3)."""

    p: Array
    R: Array

    def then(self, other: Pose) -> Pose:
        """Return the pose of C in A, given this one (B in A) and C in B."""
        return Pose(p=self.p + self.R @ other.p, R=self.R @ other.R)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Geometry:
    """One shape on a link.

    Attributes:
        kind: What it is.
        pose: Middle and axes of the shape in link axes; cylinders lie along z.
        size: Box: three edges; cylinder and capsule: radius and length; sphere:
            radius [m]; empty for a mesh.
        mesh: File name as the URDF writes it; empty unless a mesh.
        scale: Factors along x, y, z; ones unless a mesh.
        colour: Red, green, blue, alpha in [0, 1], where the URDF gives them.
    """

    kind: Shape
    pose: Pose
    size: tuple[float, ...] = ()
    mesh: str = ""
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    colour: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UrdfLink:
    """A rigid body.

    Attributes:
        name: Its name.
        mass: [kg]; 0 if the URDF gives none.
        link_p_com: Centre of mass in link axes (3,) [m].
        visuals: Shapes to draw.
        collisions: Shapes to collide with.
    """

    name: str
    mass: float
    link_p_com: Array
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLimits:
    """What a joint may do, as the URDF says; None where it says nothing.

    Attributes:
        lower: Lowest position [rad] or [m].
        upper: Highest position.
        velocity: Greatest speed [rad/s] or [m/s].
        effort: Greatest torque [N m] or force [N].
    """

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MimicRule:
    """The rule of a joint that follows another: multiplier * q_leader + offset."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Joint:
    """A joint between two links.

    Attributes:
        name: Its name.
        kind: Its type in the URDF.
        parent: Link nearer to the root.
        child: Link that it carries.
        pose: The child's frame in the parent's, at position 0.
        axis: Unit vector in child axes (3,).
        limits: What it may do.
        mimic: Whom it follows, if anybody.
    """

    name: str
    kind: JointKind
    parent: str
    child: str
    pose: Pose
    axis: Array
    limits: JointLimits = JointLimits()
    mimic: MimicRule | None = None

    @property
    def moves(self) -> bool:
        """Whether it has one degree of freedom that the engine can use."""
        return self.kind in ("revolute", "continuous", "prismatic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Urdf:
    """A tree of links.

    Attributes:
        name: Name of the robot in the file.
        path: The file, for messages and to find meshes; may not exist.
        root: Name of the only link without a parent.
        links: By name, in the file's order.
        joints: By name, in the file's order.
        notes: What was odd in the file and how it was read.
    """

    name: str
    path: Path
    root: str
    links: Mapping[str, UrdfLink]
    joints: Mapping[str, Joint]
    notes: tuple[str, ...] = ()
    _joint_above: Mapping[str, Joint] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        above = {joint.child: joint for joint in self.joints.values()}
        object.__setattr__(self, "_joint_above", above)

    def joint_above(self, link: str) -> Joint | None:
        """Return the joint that carries a link; None for the root.

        Raises:
            UnknownName: If there is no such link.
        """
        if link not in self.links:
            raise UnknownName("link", link, self.links)
        return self._joint_above.get(link)

    def chain(self, link: str) -> Iterator[Joint]:
        """Yield the joints from a link up to the root."""
        joint = self.joint_above(link)
        while joint is not None:
            yield joint
            joint = self._joint_above.get(joint.parent)

    def moving_joints(self) -> tuple[Joint, ...]:
        """Return the joints with one degree of freedom, mimics included."""
        return tuple(joint for joint in self.joints.values() if joint.moves)

    @property
    def mass(self) -> float:
        """Mass of all links together [kg]."""
        return sum(link.mass for link in self.links.values())
