"""What every joint's drive can do: the robot.toml's word, else the model's, else rules.

Rules, where nobody states a figure (m mass, g gravity, L leg length):

| what | rule |
|---|---|
| effort | the URDF's, unless it is missing, 0 or above m g L, which no humanoid has |
| effort of legs, torso, fingers, others without one | 0.5, 0.35, 0.005, 0.12 of m g L |
| armature | effort times 2e-4 s^2: G1's published rotors follow it within a factor 2 |
| damping | effort times 5e-3 s: at 10 rad/s a drive loses 5 % of its torque |
| friction | 0: drives with torque control compensate their own |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.description import (
    ActuatorSpec,
    JointGroup,
    RobotModel,
    joint_groups,
)
from telexist.robots.hands import hand_links

__all__ = ["GRAVITY", "Actuators", "actuators_of"]

GRAVITY = 9.81  # [m/s^2]
EFFORT_SHARES: Mapping[JointGroup, float] = {"legs": 0.5, "torso": 0.35}
OTHER_SHARE = 0.12  # of m g L
FINGER_SHARE = 0.005  # of m g L: about 1 N m
ARMATURE_PER_EFFORT = 2e-4  # [kg m^2 / (N m)] = [s^2]
DAMPING_PER_EFFORT = 5e-3  # [N m s / rad / (N m)] = [s]
NO_LEGS_LENGTH = 0.5  # [m] stands for L of a robot without legs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Actuators:
    """The drives of some joints, in their order.

    Attributes:
        joints: Their names.
        groups: Part of the body that each belongs to.
        effort: Greatest torque or force (n,) [N m] or [N].
        armature: Inertia of the rotor seen at the joint (n,) [kg m^2].
        damping: Viscous friction (n,) [N m s/rad].
        friction: Dry friction (n,) [N m].
        estimated: Joints whose effort comes from a rule.
    """

    joints: tuple[str, ...]
    groups: tuple[JointGroup, ...]
    effort: Array
    armature: Array
    damping: Array
    friction: Array
    estimated: tuple[str, ...]


def actuators_of(robot: RobotModel, joints: Sequence[str] | None = None) -> Actuators:
    """Return the drives of the body's joints, or of the joints named."""
    names = tuple(robot.body.kinematics.joints if joints is None else joints)
    groups = joint_groups(robot.spec, robot.urdf)
    length = robot.body.leg_length or NO_LEGS_LENGTH
    scale = robot.urdf.mass * GRAVITY * length
    hands = set(hand_links(robot).values())
    rows = np.zeros((len(names), 4))
    estimated = []
    for i, name in enumerate(names):
        stated = robot.spec.actuators.get(name, ActuatorSpec())
        effort = stated.effort
        if effort is None:
            effort = robot.urdf.joints[name].limits.effort
            if effort is None or not 0.0 < abs(effort) <= scale:
                share = EFFORT_SHARES.get(groups[name], OTHER_SHARE)
                share = FINGER_SHARE if _is_finger(robot, name, hands) else share
                effort = share * scale
                estimated.append(name)
        rows[i] = (
            abs(effort),
            _first(stated.armature, ARMATURE_PER_EFFORT * abs(effort)),
            _first(stated.damping, DAMPING_PER_EFFORT * abs(effort)),
            _first(stated.friction, 0.0),
        )
    rows.setflags(write=False)
    return Actuators(
        joints=names,
        groups=tuple(groups[name] for name in names),
        effort=rows[:, 0],
        armature=rows[:, 1],
        damping=rows[:, 2],
        friction=rows[:, 3],
        estimated=tuple(estimated),
    )


def _is_finger(robot: RobotModel, joint: str, hands: set[str]) -> bool:
    """Whether a joint hangs from a hand and is none of the body."""
    above = robot.urdf.chain(robot.urdf.joints[joint].child)
    beyond = any(k.parent in hands for k in above)
    return beyond and joint not in robot.body.kinematics.joints


def _first(stated: float | None, rule: float) -> float:
    return rule if stated is None else stated
