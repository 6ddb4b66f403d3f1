"""The joints of an MJCF body, and which of them only carry the robot about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.urdf import JointKind, JointLimits, MimicRule

__all__ = ["BodyJoint", "closed_loops", "joints_of", "mimic_rules", "root_body"]

FREE = int(mujoco.mjtJoint.mjJNT_FREE)
BALL = int(mujoco.mjtJoint.mjJNT_BALL)
SLIDE = int(mujoco.mjtJoint.mjJNT_SLIDE)
LOOPS = (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))
BASE_SLIDES = 2  # so many slides at the root, and the root is the floating base


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyJoint:
    """One axis of a body.

    Attributes:
        name: Its name, made up where the file has none.
        kind: "revolute", "continuous" or "prismatic".
        axis: Unit vector in body axes (3,).
        anchor: A point on the axis, in body axes (3,) [m].
        reference: Its position while the body is where the file draws it.
        limits: What it may do; no speed is known.
    """

    name: str
    kind: JointKind
    axis: Array
    anchor: Array
    reference: float
    limits: JointLimits


def root_body(model: Any) -> int:
    """Return the body that carries the robot: the heaviest tree at the world."""
    roots = [i for i in range(1, model.nbody) if model.body_parentid[i] == 0]
    return max(roots, key=lambda i: float(model.body_subtreemass[i]), default=0)


def joints_of(model: Any, body: int) -> tuple[BodyJoint, ...]:
    """Return the joints of a body, nearest to its parent first.

    Joints that only carry a body at the world about (a free joint, or slides and hinges
    that stand for one) are no joints of the robot.
    """
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    numbers = range(first, first + count) if count else range(0)
    kinds = [int(model.jnt_type[j]) for j in numbers]
    at_world = model.body_parentid[body] == 0
    if at_world and (FREE in kinds or kinds.count(SLIDE) >= BASE_SLIDES):
        return ()
    return tuple(axis for j in numbers for axis in _axes(model, j))


def _axes(model: Any, joint: int) -> tuple[BodyJoint, ...]:
    kind, name = int(model.jnt_type[joint]), joint_name(model, joint)
    anchor = np.array(model.jnt_pos[joint])
    if kind == BALL:
        return tuple(
            BodyJoint(
                name=f"{name}_{letter}",
                kind="continuous",
                axis=axis,
                anchor=anchor,
                reference=0.0,
                limits=JointLimits(effort=_effort(model, joint)),
            )
            for letter, axis in zip("xyz", np.eye(3), strict=True)
        )
    lower = upper = None
    if model.jnt_limited[joint]:
        lower, upper = map(float, model.jnt_range[joint])
    turning: JointKind = "continuous" if lower is None else "revolute"
    return (
        BodyJoint(
            name=name,
            kind="prismatic" if kind == SLIDE else turning,
            axis=np.array(model.jnt_axis[joint]),
            anchor=anchor,
            reference=float(model.qpos0[model.jnt_qposadr[joint]]),
            limits=JointLimits(lower=lower, upper=upper, effort=_effort(model, joint)),
        ),
    )


def joint_name(model: Any, joint: int) -> str:
    """Return a joint's name, or one made of its number."""
    return model.joint(joint).name or f"joint_{joint}"


def _effort(model: Any, joint: int) -> float | None:
    """Return the greatest torque or force that the file allows a joint, if it does."""
    if model.jnt_actfrclimited[joint]:
        return float(np.abs(model.jnt_actfrcrange[joint]).max())
    efforts = [
        effort
        for a in range(model.nu)
        if model.actuator_trntype[a] == mujoco.mjtTrn.mjTRN_JOINT
        and model.actuator_trnid[a, 0] == joint
        and (effort := _drive_effort(model, a)) is not None
    ]
    return max(efforts, default=None)


def _drive_effort(model: Any, actuator: int) -> float | None:
    gear = abs(float(model.actuator_gear[actuator, 0]))
    if model.actuator_forcelimited[actuator]:
        return gear * float(np.abs(model.actuator_forcerange[actuator]).max())
    motor = (
        model.actuator_gaintype[actuator] == mujoco.mjtGain.mjGAIN_FIXED
        and model.actuator_biastype[actuator] == mujoco.mjtBias.mjBIAS_NONE
    )
    if motor and model.actuator_ctrllimited[actuator]:
        gain = abs(float(model.actuator_gainprm[actuator, 0]))
        return gear * gain * float(np.abs(model.actuator_ctrlrange[actuator]).max())
    return None


def mimic_rules(model: Any) -> dict[str, MimicRule]:
    """Return the joints that follow another by a straight line, with their rules."""
    rules: dict[str, MimicRule] = {}
    for e in range(model.neq):
        leader = int(model.eq_obj2id[e])
        if model.eq_type[e] != mujoco.mjtEq.mjEQ_JOINT or leader < 0:
            continue
        follower = int(model.eq_obj1id[e])
        offset, multiplier, *bends = map(float, model.eq_data[e, :5])
        if any(bends):
            continue
        at = model.qpos0[model.jnt_qposadr[[follower, leader]]]
        rules[joint_name(model, follower)] = MimicRule(
            leader=joint_name(model, leader),
            multiplier=multiplier,
            offset=float(at[0] + offset - multiplier * at[1]),
        )
    return rules


def closed_loops(model: Any) -> int:
    """Return how many constraints close a loop, which a tree cannot have."""
    return sum(1 for e in range(model.neq) if int(model.eq_type[e]) in LOOPS)
