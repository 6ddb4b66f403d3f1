"""What is said of a policy in a TOML file, or in the metadata of its ONNX file.

Lists of numbers follow `joints`. Instead of a list there may be one number for all, or
a table of patterns: `{ ".*_hip_.*" = 100.0, ".*" = 40.0 }`; the first that fits counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "ActionFile",
    "BlockFile",
    "CommandFile",
    "DrivesFile",
    "Numbers",
    "PhaseFile",
    "PolicyFile",
    "TermFile",
]

Numbers = tuple[float, ...] | Mapping[str, float]
Range = tuple[float, float]
ANY: Range = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermFile:
    """One term of an observation.

    Attributes:
        name: Of the vocabulary.
        scale: Factor, for all its numbers or for each.
        clip: The scaled numbers stay within plus and minus this.
        zero: Patterns of joints whose numbers are 0, in a term of joints.
    """

    name: str
    scale: tuple[float, ...] = (1.0,)
    clip: float = math.inf
    zero: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFile:
    """Some terms at one time or at several, one time after the other.

    Attributes:
        terms: In order; those of the block before if there are none.
        frames: How many times.
        skip: Steps of the policy since the newest of them: 0 is now.
        newest_first: Whether the newest comes first; else the oldest.
    """

    terms: tuple[TermFile, ...] = ()
    frames: int = 1
    skip: int = 0
    newest_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFile:
    """What the network's answer a means: q = offset + scale * clip(a).

    Attributes:
        scale: Of each joint [rad].
        offset: Of each joint [rad]; the default posture if empty.
        clip: Answers stay within plus and minus this.
    """

    scale: Numbers = (1.0,)
    offset: Numbers = ()
    clip: float = math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFile:
    """What walking commands a policy knows [m/s], [rad/s]; others are cut."""

    vx: Range = ANY
    vy: Range = ANY
    wz: Range = ANY


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFile:
    """The clock of a gait: two phases, half a turn apart.

    Attributes:
        period: Of a stride [s].
        standing: Both phases while no walking is asked for [rad].
    """

    period: float = 1.0
    standing: float = math.pi


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivesFile:
    """Drives of the model with which a policy was trained; empty: the robot's own.

    Attributes:
        armature: Inertia of the rotor seen at the joint [kg m^2].
        damping: Viscous friction [N m s/rad].
        friction: Dry friction [N m].
        effort: Greatest torque [N m].
    """

    armature: Numbers = ()
    damping: Numbers = ()
    friction: Numbers = ()
    effort: Numbers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFile:
    """One policy.

    Attributes:
        network: The ONNX file, from the folder of the TOML; the one of the same name if
            empty.
        robot: Name, `robot.toml`, URDF or MJCF of the robot that it belongs to.
        rate: How often it is asked [Hz].
        joints: Names, in the order of observations and actions.
        default: Posture from which positions count [rad].
        stiffness: Of the joints' servos [N m/rad].
        damping: Of the joints' servos [N m s/rad].
        effort: Torques that are not exceeded [N m]; the drives' if empty.
        action: What its answers mean.
        observation: What it sees.
        fill: What stands for times before the start: "first" sample, or "zeros".
        command: The walking commands that it knows.
        phase: The clock of its gait.
        anchor: Link that `motion_anchor_...` are about; the base if empty.
        operator: Patterns of joints that follow the operator instead of the policy,
            which sees them at their default.
        drives: Of the model with which it was trained.
    """

    network: str = ""
    robot: str = ""
    rate: float = 50.0
    joints: tuple[str, ...] = ()
    default: Numbers = ()
    stiffness: Numbers = ()
    damping: Numbers = ()
    effort: Numbers = ()
    action: ActionFile = ActionFile()
    observation: tuple[BlockFile, ...] = ()
    fill: str = "first"
    command: CommandFile = CommandFile()
    phase: PhaseFile = PhaseFile()
    anchor: str = ""
    operator: tuple[str, ...] = ()
    drives: DrivesFile = DrivesFile()
