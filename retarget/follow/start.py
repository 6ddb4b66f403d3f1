"""The first frame: a posture found from many starts, limb by limb.

A limb with limits can be caught in a posture from which every small motion makes
things worse, far from the best one. So each limb in turn is started from several
postures, and the best end is kept.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import jit_internal, jit_release_gil
from telexist.retarget.follow.between import copy_frame
from telexist.retarget.follow.contacts import sole_height
from telexist.retarget.follow.feet import height_of, lowest_corner
from telexist.retarget.follow.follower import SWING, FollowRecords
from telexist.retarget.follow.frame import aim, aim_links, remember
from telexist.retarget.follow.frame_arrays import FrameArrays
from telexist.retarget.follow.search import TRIES, come_nearer, orientation_cost, reach
from telexist.retarget.ik import (
    FREE,
    Mechanism,
    copy_matrix,
    copy_vector,
    forward_kinematics,
    settle,
)
from telexist.retarget.so3 import Array

__all__ = ["start_frame"]

BETTER = 0.02  # weighted squared error by which another posture must be better
SETTLING = 20  # steps to put the feet on the floor afterwards


@jit_internal
def _store(m: Mechanism, posture: Array, base_R: Array, base_p: Array) -> None:
    for i in range(len(posture)):
        posture[i] = m.bodies[i + 1].q
    copy_matrix(m.bodies[0].R, base_R)
    copy_vector(m.bodies[0].p, base_p)


@jit_internal
def _restore(m: Mechanism, posture: Array, base_R: Array, base_p: Array) -> None:
    for i in range(len(posture)):
        m.bodies[i + 1].q = posture[i]
    copy_matrix(base_R, m.bodies[0].R)
    copy_vector(base_p, m.bodies[0].p)


@jit_internal
def _find_posture(f: FollowRecords) -> None:
    """Find the best posture for the present orientation targets, limb by limb."""
    m, n = f.m, f.postures.shape[1]
    best, base_R, base_p = np.empty(n), np.empty((3, 3)), np.empty(3)
    everything = np.ones(len(m.orientations), dtype=np.bool_)
    reach(m, TRIES)
    forward_kinematics(m.bodies)
    cost = orientation_cost(m, everything)
    _store(m, best, base_R, base_p)
    for limb in f.limb_joints:
        for posture in f.postures:
            _restore(m, best, base_R, base_p)
            for i in range(n):
                if limb[i]:
                    m.bodies[i + 1].q = posture[i]
            settle(m.bodies)
            reach(m, TRIES)
            forward_kinematics(m.bodies)
            other = orientation_cost(m, everything)
            if other < cost - BETTER:
                cost = other
                _store(m, best, base_R, base_p)
    _restore(m, best, base_R, base_p)


@jit_internal
def _lower_to_floor(f: FollowRecords, frame: FrameArrays) -> None:
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
            height = f.person[0].scale * sole_height(
                foot, f.person[0].floor, frame.R[g], frame.p[g]
            )
        wanted = min(wanted, height)
    if lowest < np.inf:
        f.m.bodies[0].p[2] += wanted - lowest


@jit_internal
def _stand_where_pushed(f: FollowRecords) -> None:
    """Let feet stand where they are if links had to be kept apart.

    Legs or soles that are wide for the person's stance would else pull inwards for as
    long as they stand.
    """
    pushed, couplings = False, f.m.A.shape[0]
    for k in range(couplings, couplings + f.m.solver[0].near):
        pushed |= f.m.rows[k].status != FREE
    if not pushed:
        return
    for side in range(2):
        foot = f.feet[side]
        if foot.present != 0 and foot.state != SWING:
            own, c = f.m.bodies[foot.body], foot.pivots[foot.state]
            for r in range(2):
                along = own.R[r, 0] * c[0] + own.R[r, 1] * c[1] + own.R[r, 2] * c[2]
                foot.anchor[r] = own.p[r] + along


@jit_release_gil
def start_frame(f: FollowRecords, frame: FrameArrays) -> None:
    """Reach a first frame; the robot must be neutral and face as the person does.

    Args:
        f: The follower.
        frame: The person, a `FrameArrays`.
    """
    now = copy_frame(frame)
    forward_kinematics(f.m.bodies)
    aim_links(f, now, 1.0)
    for target in f.m.points:
        target.weight[:] = 0.0
    if f.m.solver[0].fixed == 0:
        f.m.bodies[0].p[2] += 100.0  # far above the floor for now
    _find_posture(f)
    _lower_to_floor(f, now)
    for _ in range(SETTLING):
        forward_kinematics(f.m.bodies)
        _stand_where_pushed(f)
        remember(f, now)
        aim(f, now, 1.0)
        come_nearer(f.m)
    forward_kinematics(f.m.bodies)
    remember(f, now)
