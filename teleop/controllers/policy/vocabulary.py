"""The terms of which observations are made; `docs/policies.md` has them as a table.

Base axes are those of the robot's base link. n is the number of the policy's joints;
joints are in its order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array
from telexist.teleop.terms import BaseReference, WalkCommand

__all__ = ["ALIASES", "VOCABULARY", "Seen", "Word", "roll_pitch_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What a policy may look at in one of its steps.

    Attributes:
        world_R_base: Attitude (3, 3).
        base_w: Angular velocity of the base, its axes (3,) [rad/s].
        base_v: Velocity of the base, its axes (3,) [m/s]; None where nobody knows.
        q: Joint positions less the default posture (n,).
        dq: Joint velocities (n,).
        action: The network's last answer (n,).
        walk: Where to walk.
        phase: Of the gait (2,) [rad].
        reference_q: Joint positions that are asked for (n,).
        reference_dq: Their velocities (n,).
        base: Where the base is asked to be; None without an operator.
        anchor_p_goal: From the anchor to where it shall be, the anchor's axes (3,) [m];
            None where nobody knows.
        anchor_R_goal: The anchor's attitude that is asked for, its axes (3, 3).
    """

    world_R_base: Array
    base_w: Array
    base_v: Array | None
    q: Array
    dq: Array
    action: Array
    walk: WalkCommand
    phase: Array
    reference_q: Array
    reference_dq: Array
    base: BaseReference | None
    anchor_p_goal: Array | None
    anchor_R_goal: Array | None


@dataclass(frozen=True, slots=True)
class Word:
    """A term.

    Attributes:
        fixed: How many numbers it has ...
        each: ... and how many more for each joint.
        value: Gives them.
        tracks: Whether it needs the operator's motion.
        walks: Whether it needs a walking command.
        places: Whether it needs the base's velocity or place.
    """

    fixed: int
    each: int
    value: Callable[[Seen], Array]
    tracks: bool = False
    walks: bool = False
    places: bool = False

    def size(self, n: int) -> int:
        """Return how many numbers it has with n joints."""
        return self.fixed + self.each * n


def roll_pitch_of(R: Array) -> Array:
    """Return roll and pitch (2,) [rad] of R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll = math.atan2(float(R[2, 1]), float(R[2, 2]))
    pitch = math.asin(min(max(-float(R[2, 0]), -1.0), 1.0))
    return np.array([roll, pitch])


def _base_v(seen: Seen) -> Array:
    if seen.base_v is None:
        raise BadInput("the velocity of the base is not known")
    return seen.base_v


def _base(seen: Seen) -> BaseReference:
    if seen.base is None:
        raise BadInput("the policy tracks a motion, and nobody shows one")
    return seen.base


def _anchor_p(seen: Seen) -> Array:
    if seen.anchor_p_goal is None:
        raise BadInput("the place of the base is not known")
    return seen.anchor_p_goal


def _anchor_columns(seen: Seen) -> Array:
    if seen.anchor_R_goal is None:
        raise BadInput("the policy tracks a motion, and nobody shows one")
    return seen.anchor_R_goal[:, :2].ravel()


def _local(seen: Seen, vector: Array) -> Array:
    """Turn a vector from world axes to those of the base that is asked for."""
    return _base(seen).world_R_base.T @ vector


VOCABULARY: Mapping[str, Word] = MappingProxyType(
    {
        "base_ang_vel": Word(3, 0, lambda s: s.base_w),
        "base_lin_vel": Word(3, 0, _base_v, places=True),
        "projected_gravity": Word(3, 0, lambda s: -s.world_R_base[2]),
        "roll_pitch": Word(2, 0, lambda s: roll_pitch_of(s.world_R_base)),
        "joint_pos": Word(0, 1, lambda s: s.q),
        "joint_vel": Word(0, 1, lambda s: s.dq),
        "actions": Word(0, 1, lambda s: s.action),
        "command": Word(
            3,
            0,
            lambda s: np.array([s.walk.vx, s.walk.vy, s.walk.wz]),
            walks=True,
        ),
        "command_lin_vel": Word(
            2, 0, lambda s: np.array([s.walk.vx, s.walk.vy]), walks=True
        ),
        "command_ang_vel": Word(1, 0, lambda s: np.array([s.walk.wz]), walks=True),
        "sin_phase": Word(2, 0, lambda s: np.sin(s.phase)),
        "cos_phase": Word(2, 0, lambda s: np.cos(s.phase)),
        "reference_joint_pos": Word(0, 1, lambda s: s.reference_q, tracks=True),
        "reference_joint_vel": Word(0, 1, lambda s: s.reference_dq, tracks=True),
        "reference_joints": Word(
            0, 2, lambda s: np.hstack([s.reference_q, s.reference_dq]), tracks=True
        ),
        "reference_lin_vel": Word(
            3, 0, lambda s: _local(s, _base(s).world_v_base), tracks=True
        ),
        "reference_lin_vel_xy": Word(
            2, 0, lambda s: _local(s, _base(s).world_v_base)[:2], tracks=True
        ),
        "reference_ang_vel": Word(
            3, 0, lambda s: _local(s, _base(s).world_w_base), tracks=True
        ),
        "reference_yaw_rate": Word(
            1, 0, lambda s: _local(s, _base(s).world_w_base)[2:], tracks=True
        ),
        "reference_height": Word(
            1, 0, lambda s: _base(s).world_p_base[2:], tracks=True
        ),
        "reference_roll_pitch": Word(
            2, 0, lambda s: roll_pitch_of(_base(s).world_R_base), tracks=True
        ),
        "motion_anchor_pos_b": Word(3, 0, _anchor_p, tracks=True, places=True),
        "motion_anchor_ori_b": Word(6, 0, _anchor_columns, tracks=True),
    }
)
"""Name to what it is."""

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "joint_pos_rel": "joint_pos",
        "dof_pos": "joint_pos",
        "joint_vel_rel": "joint_vel",
        "dof_vel": "joint_vel",
        "last_action": "actions",
        "velocity_commands": "command",
        "generated_commands": "command",
    }
)
"""Other trainers' names."""
