"""What a `robot.toml` says: where the model is and which part plays which.

Angles in radians, lengths in metres. Directions and sole poses are in link axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

__all__ = [
    "ActuatorSpec",
    "BaseSpec",
    "CouplingSpec",
    "LimitSpec",
    "ModelSpec",
    "RobotSpec",
    "SoleSpec",
]

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Where the robot's URDF comes from; the first that is there is taken.

    Attributes:
        folders: Where it would lie below a folder that the user names.
        package: Distribution on PyPI that carries it.
        path: File in that distribution, or, without one, beside the `robot.toml`.
        robot_description: Module of the `robot_descriptions` package that fetches a
            repository with it, into a place that `folders` names.
        generated: Name of a human model that `telexist.retarget.human` builds.
        licence: Licence of the model.
        get: How to get it, shown when it is not there.
    """

    folders: tuple[str, ...] = ()
    package: str = ""
    path: str = ""
    robot_description: str = ""
    generated: str = ""
    licence: str = ""
    get: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseSpec:
    """The link that carries the robot, and where it faces in the neutral posture."""

    link: str
    fixed: bool = False
    forward: Vector = (1.0, 0.0, 0.0)
    up: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoleSpec:
    """The rectangle on which a foot stands: x ahead, y left, z up; `rpy` as in URDF."""

    link: str
    position: Vector
    rpy: Vector = (0.0, 0.0, 0.0)
    length: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSpec:
    """Limits that replace the model's, where it has none or dummies."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActuatorSpec:
    """A joint's drive, where it is not as `robots/drives/actuators.py` has it by rule.

    Attributes:
        effort: Greatest torque [N m] or force [N].
        armature: Inertia of the rotor seen at the joint [kg m^2].
        damping: Viscous friction [N m s/rad].
        friction: Dry friction [N m].
    """

    effort: float | None = None
    armature: float | None = None
    damping: float | None = None
    friction: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouplingSpec:
    """Linear limits on several joints: lower <= sum coefficients * q <= upper."""

    joints: tuple[str, ...]
    coefficients: tuple[float, ...]
    lower: float = float("-inf")
    upper: float = float("inf")


def _empty() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotSpec:
    """One robot.

    Attributes:
        name: Short name, that of its folder.
        title: Name for people.
        extends: Robot whose table this one changes.
        model: Where the URDF is.
        base: The base link and where it faces.
        links: Human segment to robot link.
        neutral: Joint to its position closest to N-pose; others: 0, inside the limits.
        soles: "left" and "right".
        hands: "left" and "right" link.
        limits: Joint to limits that replace the model's.
        couplings: Limits on sums of joints.
        weights: Human segment to weight, where it differs from the engine's.
        locked: Joints kept at their neutral position.
        grips: "left" and "right": locked joint to its position in the open and in the
            closed hand.
        actuators: Joint to what its drive can do, where no rule gives it.
        control: Parameters of the balancing and walking controllers that replace those
            found by rule, and tables of those that are the same for all robots;
            `telexist robots check NAME --control` shows their names and ranges.
    """

    name: str
    title: str = ""
    extends: str = ""
    model: ModelSpec
    base: BaseSpec
    links: Mapping[str, str]
    neutral: Mapping[str, float] = field(default_factory=_empty)
    soles: Mapping[str, SoleSpec] = field(default_factory=lambda: MappingProxyType({}))
    hands: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    limits: Mapping[str, LimitSpec] = field(
        default_factory=lambda: MappingProxyType({})
    )
    couplings: tuple[CouplingSpec, ...] = ()
    weights: Mapping[str, float] = field(default_factory=_empty)
    locked: tuple[str, ...] = ()
    grips: Mapping[str, Mapping[str, tuple[float, float]]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    actuators: Mapping[str, ActuatorSpec] = field(
        default_factory=lambda: MappingProxyType({})
    )
    control: Mapping[str, float | Mapping[str, float]] = field(
        default_factory=lambda: MappingProxyType({})
    )
