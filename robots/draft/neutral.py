"""The neutral posture of a robot: as near to a person's N-pose as its joints allow.

Limb by limb, bounded least squares over the joint angles: upper arms, forearms, thighs
and shanks point down, feet are flat, elbows bend forward and knees backward (which
settles the twist of the limbs), and what is left free stays at zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.kinematics import Kinematics
from telexist.retarget.robot_body import Mimic
from telexist.retarget.segments import PARENT
from telexist.retarget.so3 import Array
from telexist.robots.description import LIMB_CHAINS, TWIST, BodyLimits
from telexist.robots.draft.limb_goal import build_goal
from telexist.robots.draft.palms import Palm
from telexist.robots.draft.posture import UprightPosture
from telexist.robots.urdf import Urdf

__all__ = ["NeutralPosture", "neutral_posture"]

STARTS = 4  # postures spread over the limits, besides zero
NEARLY = np.radians(25.0)  # palms that face the thigh to this are left as they are
UNCLEAR = 0.5  # of a palm's direction must be square to the forearm
GOLDEN = 0.6180339887  # its powers' multiples, modulo 1, spread evenly


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NeutralPosture:
    """The result.

    Attributes:
        q: Joint positions (n,) [rad], order of the kinematics' joints.
        errors: Segment to the angle between its limb and N-pose [rad].
    """

    q: Array
    errors: Mapping[str, float]


def neutral_posture(
    urdf: Urdf,
    kinematics: Kinematics,
    links: Mapping[str, str],
    *,
    world_R_root: Array,
    limits: BodyLimits,
    mimics: Sequence[Mimic] = (),
    palms: Mapping[str, Palm] | None = None,
) -> NeutralPosture:
    """Find the posture inside the limits that is nearest to N-pose.

    Args:
        urdf: The robot.
        kinematics: Its model.
        links: Human segment to robot link.
        world_R_root: Turns the root link upright and to face world x (3, 3).
        limits: Limits of the joints.
        mimics: Joints that follow others; their leaders' limits must allow for them.
        palms: Hands, "left" and "right", whose palms shall face the thighs.
    """
    posture = UprightPosture(
        urdf,
        kinematics,
        links,
        world_R_root=world_R_root,
        limits=limits,
        mimics=mimics,
    )
    for spread in (STARTS, 0):  # limb directions shift a little with the posture
        settled: set[int] = set()
        for parts in LIMB_CHAINS:
            twin: _Limb | None = None
            for side in ("Left", "Right"):
                chain = [f"{side}{part}" for part in parts]
                twin = _settle(posture, chain, twin, settled, spread)
        posture.look()
    for side, palm in (palms or {}).items():
        _turn_palm(posture, side.capitalize(), palm)
    errors = {s: posture.error(s) for s in posture.skeleton.limb_directions}
    return NeutralPosture(q=posture.q.copy(), errors=MappingProxyType(errors))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Limb:
    """Positions of one limb's leading joints and the zero posture's axes they turn."""

    x: Array
    axes: Array


def _settle(
    posture: UprightPosture,
    chain: Sequence[str],
    twin: _Limb | None,
    settled: set[int],
    spread: int,
) -> _Limb | None:
    """Settle one limb, first trying the mirror image of its twin."""
    mapped = [segment for segment in chain if segment in posture.links]
    if not mapped:
        return None
    leaders, axes = _leaders(posture, mapped, settled)
    if not len(leaders):
        return None
    goal = build_goal(posture, mapped, leaders)
    starts = [posture.q[leaders], *_spread_starts(posture, leaders, spread)]
    if twin is not None and len(twin.x) == len(leaders):
        # The mirror image of a turn about (x, y, z) is one about (-x, y, -z).
        image = twin.axes * np.array([-1.0, 1.0, -1.0])
        starts.insert(0, np.sign(np.sum(image * axes, axis=1)) * twin.x)
    x = posture.rest[leaders]
    if not goal.is_good(x):
        x = goal.tidied(goal.best(starts))
    posture.move(leaders, x)
    settled |= set(leaders.tolist())
    return _Limb(x=x, axes=axes)


def _leaders(
    posture: UprightPosture, mapped: Sequence[str], settled: set[int]
) -> tuple[np.ndarray, Array]:
    """Return the joints that decide a limb's posture, and the axes that they turn."""
    trunk = PARENT[mapped[0]]
    while trunk is not None and trunk not in posture.links:
        trunk = PARENT[trunk]
    moves = posture.support(mapped[-1]).copy()
    if trunk is not None:
        moves &= ~posture.support(trunk)
    turned: dict[int, Array] = {}
    for joint in np.flatnonzero(moves):
        leader = int(posture.leader[joint])
        if leader not in settled:
            turned[leader] = posture.zero_axes[joint] * np.sign(posture.factor[joint])
    return np.array(list(turned), dtype=int), np.array(list(turned.values()))


def _spread_starts(
    posture: UprightPosture, leaders: np.ndarray, count: int
) -> list[Array]:
    """Return postures all over the limits."""
    lower = np.maximum(posture.lower[leaders], -np.pi)
    upper = np.minimum(posture.upper[leaders], np.pi)
    powers = GOLDEN ** np.arange(1, len(leaders) + 1)
    steps = (np.arange(1, count + 1)[:, None] * powers) % 1.0
    return list(lower + steps * (upper - lower))


def _turn_palm(posture: UprightPosture, side: str, palm: Palm) -> None:
    """Twist a forearm until its palm faces the thigh, as far as its limits allow."""
    forearm = f"{side}ForeArm"
    twist = _twist_of(posture, forearm)
    if twist is None:
        return
    axis = posture.axis(twist)
    frame = posture.kinematics.frame(palm.link)
    world_R_hand = posture.kinematics.rotation(frame)
    if palm.facing is not None:
        now = world_R_hand @ palm.facing
        wanted = np.array([0.0, 1.0 if side == "Right" else -1.0, 0.0])
    else:
        now = world_R_hand @ palm.across  # the thumb is ahead, if in doubt
        wanted = np.array([-1.0 if now[0] < -UNCLEAR else 1.0, 0.0, 0.0])
    now, wanted = (v - axis * float(axis @ v) for v in (now, wanted))
    if min(float(np.linalg.norm(v)) for v in (now, wanted)) < UNCLEAR:
        return
    turn = np.arctan2(float(axis @ np.cross(now, wanted)), float(now @ wanted))
    if abs(turn) < NEARLY:
        return
    leader = int(posture.leader[twist])
    x = posture.q[leader] + turn * np.sign(posture.factor[twist])
    x = np.clip(x, posture.lower[leader], posture.upper[leader])
    posture.move(np.array([leader]), np.array([x]))


def _twist_of(posture: UprightPosture, segment: str) -> int | None:
    """Return the joint that twists a limb; None if there is none."""
    if segment not in posture.links or segment not in posture.skeleton.hinges:
        return None
    joint = int(np.flatnonzero(posture.support(segment))[-1])
    if posture.kinematics.joints[joint] == posture.skeleton.hinges[segment]:
        return None
    along = abs(float(posture.axis(joint) @ posture.direction(segment)))
    return joint if along > TWIST else None
