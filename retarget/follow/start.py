"""The first frame: a posture found from many starts, limb by limb.

A limb with limits can be caught in a posture from which every small motion makes
things worse, far from the best one. So each limb in turn is started from several
postures, and the best end is kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retarget.compiled import entry, inner
from retarget.follow.contacts import sole_height
from retarget.follow.feet import height_of, lowest_corner
from retarget.follow.frame import aim, aim_links, remember
from retarget.ik.articulated import forward_kinematics
from retarget.ik.joint_roles import JointRoles
from retarget.ik.recursive_step import settle, step_recursively
from retarget.ik.rotations import logarithm, product_transposed
from retarget.robot_body import RobotBody
from retarget.so3 import Array

__all__ = ["limb_joints", "start_frame", "start_postures"]

STARTS = 12  # postures tried for each limb
TRIES = 12  # steps towards the targets from each of them
SETTLING = 20  # steps to put the feet on the floor afterwards
REACH = 0.3  # [rad] or [m] that a joint may move in each step
BETTER = 0.7  # another posture must have less than this share of the cost
SPREAD = 2.0  # [rad] or [m] from neutral within which postures are drawn


def start_postures(body: RobotBody) -> Array:
    """Return postures spread over the joints' ranges, neutral first (STARTS, n)."""
    roles, neutral = JointRoles(body), body.neutral.q
    lower = np.maximum(roles.lower, neutral - SPREAD)
    upper = np.minimum(roles.upper, neutral + SPREAD)
    # a seeded generator: the same motion always gives the same answer
    share = np.random.default_rng(7).random((STARTS, len(neutral)))
    postures = lower + share * (upper - lower)
    postures[0] = np.clip(neutral, roles.lower, roles.upper)
    for row, low, high in zip(
        roles.rows, roles.row_lower, roles.row_upper, strict=True
    ):
        _draw_inside(postures, row, low, high)
    return postures


def _draw_inside(postures: Array, row: Array, low: float, high: float) -> None:
    """Move postures towards the first one until a coupling holds, in place."""
    at, value = float(row @ postures[0]), postures @ row
    for side in (low, high):
        if not np.isfinite(side):
            continue
        beyond = (value - side) * (value - at) > 0.0
        beyond &= (side - at) * (value - at) >= 0.0
        share = (side - at) / np.where(beyond, value - at, 1.0)
        moved = postures[0] + share[:, None] * (postures - postures[0])
        postures[beyond] = moved[beyond]
        value = postures @ row


def limb_joints(body: RobotBody) -> NDArray[np.bool_]:
    """Return the joints of each limb (limbs, n): those that move no other limb."""
    kinematics = body.kinematics
    parts = [("Neck", "Head")]
    for side in ("Left", "Right"):
        parts.append(tuple(side + part for part in ("UpperArm", "ForeArm", "Hand")))
        legs = ("UpperLeg", "LowerLeg", "Foot", "Toe")
        parts.append(tuple(side + part for part in legs))
    moves = {
        segment: kinematics.support(kinematics.frame(link))[6:]
        for segment, link in body.links.items()
    }
    limbs = []
    for segments in parts:
        own = np.zeros(kinematics.n, dtype=np.bool_)
        for segment in segments:
            own |= moves.get(segment, False)
        for segment, joints in moves.items():
            if segment not in segments:
                own &= ~joints
        if own.any():
            limbs.append(own)
    return np.array(limbs, dtype=np.bool_).reshape(-1, kinematics.n)


@inner
def _cost(m):  # type: ignore[no-untyped-def]
    """Return the weighted squared error of the orientation targets."""
    forward_kinematics(m.bodies)
    A, e, cost = np.empty((3, 3)), np.empty(3), 0.0
    for turn in m.turns:
        product_transposed(turn.rotation, m.bodies[turn.body].R, A)
        logarithm(A, e)
        for r in range(3):
            for c in range(3):
                cost += e[r] * turn.weight[r, c] * e[c]
    return cost


@inner
def _reach(m, steps):  # type: ignore[no-untyped-def]
    """Move towards the present targets without regard to speed."""
    for _ in range(steps):
        for i in range(1, len(m.bodies)):
            own = m.bodies[i]
            own.low = min(max(own.lower - own.q, -REACH), 0.0)
            own.high = max(min(own.upper - own.q, REACH), 0.0)
        step_recursively(m, 1.0)


@inner
def _store(m, posture, base_R, base_p):  # type: ignore[no-untyped-def]
    for i in range(len(posture)):
        posture[i] = m.bodies[i + 1].q
    base_R[:] = m.bodies[0].R
    base_p[:] = m.bodies[0].p


@inner
def _restore(m, posture, base_R, base_p):  # type: ignore[no-untyped-def]
    for i in range(len(posture)):
        m.bodies[i + 1].q = posture[i]
    m.bodies[0].R[:] = base_R
    m.bodies[0].p[:] = base_p


@inner
def _find_posture(m, postures, limbs):  # type: ignore[no-untyped-def]
    """Find the best posture for the present orientation targets, limb by limb."""
    best, base_R, base_p = np.empty(len(postures[0])), np.empty((3, 3)), np.empty(3)
    _reach(m, TRIES)
    cost = _cost(m)
    _store(m, best, base_R, base_p)
    for limb in limbs:
        for posture in postures:
            _restore(m, best, base_R, base_p)
            for i in range(len(limb)):
                if limb[i]:
                    m.bodies[i + 1].q = posture[i]
            settle(m.bodies)
            _reach(m, TRIES)
            other = _cost(m)
            if other < BETTER * cost - 1e-6:
                cost = other
                _store(m, best, base_R, base_p)
    _restore(m, best, base_R, base_p)


@inner
def _lower_to_floor(f, frame):  # type: ignore[no-untyped-def]
    """Put the lowest sole as high over the floor as the person's lowest foot."""
    forward_kinematics(f.m.bodies)
    lowest, wanted = np.inf, np.inf
    for side in range(2):
        foot = f.feet[side]
        if foot.present == 0:
            continue
        own = f.m.bodies[foot.body]
        corner = foot.corners[lowest_corner(foot, own.R)]
        lowest = min(lowest, height_of(own, corner))
        height, g = 0.0, foot.segment
        if frame.shown[g] and frame.placed:
            height = f.person[0].scale * sole_height(foot, frame.R[g], frame.p[g])
        wanted = min(wanted, height)
    if lowest < np.inf:
        f.m.bodies[0].p[2] += wanted - lowest


@entry
def start_frame(f, frame, postures, limbs):  # type: ignore[no-untyped-def]
    """Reach a first frame; the robot must be neutral and face as the person does.

    Args:
        f: The follower.
        frame: The person, a `FrameArrays`.
        postures: To start limbs from (p, n).
        limbs: Joints of each limb (l, n).
    """
    forward_kinematics(f.m.bodies)
    aim_links(f, frame, 1.0)
    for target in f.m.points:
        target.weight[:] = 0.0
    if f.m.solver[0].fixed == 0:
        f.m.bodies[0].p[2] += 100.0  # far above the floor for now
    _find_posture(f.m, postures, limbs)
    _lower_to_floor(f, frame)
    remember(f, frame)
    for _ in range(SETTLING):
        forward_kinematics(f.m.bodies)
        aim(f, frame, 1.0)
        _reach(f.m, 1)
    remember(f, frame)
