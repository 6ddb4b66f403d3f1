"""Leaving a posture in which a limb is caught.

A limb can follow the person into a corner of its limits from which it does not find
out, although a good posture exists. While its error is large, other postures are tried
now and then, away from the robot's own state; the best of them is the limb's rival and
follows the person in thought. By how much the rival is better adds up over time; when
that exceeds the price of getting there, the limb's joints are led to the rival, at a
moderate speed, and then follow the person again.

Both are compared where they would be without limits on speed: a limb that is merely
late has no reason to leave. Decisions fall on a grid of time and on sums over time, and
a limb sets out one pause after the moment at which its sum got there, wherever that is
between two comparisons: so they hardly depend on the rate of the source.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Ints, jit_internal
from telexist.retarget.follow.follower import PAUSE, FollowRecords
from telexist.retarget.follow.search import TRIES, orientation_cost, reach
from telexist.retarget.ik import copy_vector, forward_kinematics, settle
from telexist.retarget.so3 import Array

__all__ = ["escape", "lead"]

CAUGHT = 0.12  # weighted squared error of a limb above which it may be caught
MARGIN = 0.05  # by which a rival must be better to count
PRICE = 0.5  # [1/s] of a way to the rival, over the square of the time it takes
STEPS = 4  # towards the targets in each comparison
SPARE = 0.3  # [s] that a detour may last longer than it must
TINY = 1e-9  # [s] until a limb sets out that need not wait
ARRIVED = 0.1  # [rad] or [m] from the rival
SPEED = 10.0  # [rad/s] of a joint on a detour
STIFFNESS = 1e3  # weight of the rival on a detour; a limb's targets have 1


@jit_internal
def lead(f: FollowRecords, dt: float) -> None:
    """Slow down the joints of limbs on a detour; limits must have been set."""
    for k in range(len(f.limbs)):
        if f.limbs[k].detour <= 0.0:
            continue
        for i in range(f.limb_joints.shape[1]):
            if f.limb_joints[k, i]:
                own = f.m.bodies[i + 1]
                own.low = max(own.low, min(-SPEED * dt, own.high))
                own.high = min(own.high, max(SPEED * dt, own.low))


@jit_internal
def _hold_others(f: FollowRecords, k: int, held: Ints, fixed: int) -> None:
    """Hold all that is not limb k."""
    f.m.solver[0].fixed = 1 if k >= 0 else fixed
    for i in range(1, len(f.m.bodies)):
        f.m.bodies[i].held = held[i]
        if k >= 0 and not f.limb_joints[k, i - 1]:
            f.m.bodies[i].held = 1


@jit_internal
def _cost_from(f: FollowRecords, k: int, posture: Array, steps: int) -> float:
    """Move the joints of limb k in a posture to the targets, in thought.

    Args:
        f: The follower; as it was on return.
        k: The limb.
        posture: Where to start (n,); on return where the limb got to.
        steps: How many to take.

    Returns:
        The cost of the limb's targets there.
    """
    m, n = f.m, len(f.m.bodies)
    held, q, status = np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64)
    fixed = m.solver[0].fixed
    for i in range(n):
        held[i], q[i], status[i] = m.bodies[i].held, m.bodies[i].q, m.bodies[i].status
    _hold_others(f, k, held, fixed)
    for i in range(1, n):
        if f.limb_joints[k, i - 1]:
            m.bodies[i].q = posture[i - 1]
    settle(m.bodies)
    reach(m, steps)
    forward_kinematics(m.bodies)
    cost = orientation_cost(m, f.limb_targets[k])
    _hold_others(f, -1, held, fixed)
    for i in range(n):
        if i > 0:
            posture[i - 1] = m.bodies[i].q
        m.bodies[i].q, m.bodies[i].status = q[i], status[i]
    forward_kinematics(m.bodies)
    return cost


@jit_internal
def _rival_cost(f: FollowRecords, k: int) -> float:
    """Let the rival of a limb follow the person, or a better one take its place."""
    cost = _cost_from(f, k, f.rivals[k], STEPS)
    other = f.postures[f.limbs[k].next].copy()
    found = _cost_from(f, k, other, TRIES)
    if found < cost:
        copy_vector(other, f.rivals[k])
    return min(cost, found)


@jit_internal
def _travel_time(f: FollowRecords, k: int) -> float:
    """Return how long a limb takes to get to its rival [s]."""
    longest = 0.0
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            speed = min(own.velocity, SPEED)
            longest = max(longest, abs(f.rivals[k, i] - own.q) / speed)
    return longest


@jit_internal
def _draw_to_rival(f: FollowRecords, k: int) -> None:
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            own.goal, own.stiffness = f.rivals[k, i], STIFFNESS


@jit_internal
def _end_detour(f: FollowRecords, k: int) -> None:
    f.limbs[k].detour = 0.0
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            own.goal, own.stiffness = own.neutral, f.m.bodies[0].stiffness


@jit_internal
def _on_detour(f: FollowRecords, k: int, dt: float) -> None:
    """Count a detour down; end it when the limb has arrived."""
    f.limbs[k].detour -= dt
    away = 0.0
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            away = max(away, abs(own.goal - own.q))
    if away < ARRIVED or f.limbs[k].detour <= 0.0:
        _end_detour(f, k)


@jit_internal
def _own_cost(f: FollowRecords, k: int) -> float:
    """Return the cost of a limb's targets that it would soon reach by itself."""
    posture = np.empty(f.limb_joints.shape[1])
    for i in range(len(posture)):
        posture[i] = f.m.bodies[i + 1].q
    return _cost_from(f, k, posture, STEPS)


@jit_internal
def _reconsider(f: FollowRecords, k: int) -> None:
    """End a detour that the limb no longer needs; else let the rival follow."""
    left = f.limbs[k].detour
    _end_detour(f, k)
    here = _own_cost(f, k)
    if here > CAUGHT and here > _cost_from(f, k, f.rivals[k], STEPS) + MARGIN:
        f.limbs[k].detour = left
        _draw_to_rival(f, k)


@jit_internal
def _compare(f: FollowRecords, k: int) -> None:
    """Compare a limb with its rival; set out once a detour has paid for itself."""
    limb = f.limbs[k]
    here = orientation_cost(f.m, f.limb_targets[k])
    if here > CAUGHT:
        here = _own_cost(f, k)
    gain = -MARGIN
    if here > CAUGHT:
        gain += here - _rival_cost(f, k)
    limb.regret = max(limb.regret + gain * PAUSE, 0.0)
    if gain > 0.0:
        over = limb.regret - PRICE * _travel_time(f, k) ** 2
        if over > 0.0:
            limb.start = max(PAUSE - over / gain, TINY)


@jit_internal
def _set_out(f: FollowRecords, k: int) -> None:
    limb = f.limbs[k]
    limb.start = limb.regret = 0.0
    limb.detour = _travel_time(f, k) + SPARE
    _draw_to_rival(f, k)


@jit_internal
def escape(f: FollowRecords, dt: float) -> None:
    """Look after the limbs once a frame has been followed and the bodies placed."""
    for k in range(len(f.limbs)):
        limb = f.limbs[k]
        if limb.stands != 0:  # a leg must not leave the floor for a better posture
            continue
        limb.wait -= dt
        if limb.detour > 0.0:
            _on_detour(f, k, dt)
        elif limb.start > 0.0:
            limb.start -= dt
            if limb.start < 0.5 * dt:
                _set_out(f, k)
        if limb.wait > 0.5 * dt:  # the grid must not depend on rounding
            continue
        limb.wait = max(limb.wait + PAUSE, 0.0)
        limb.next = (limb.next + 1) % len(f.postures)
        if limb.detour > 0.0:
            _reconsider(f, k)
        else:
            _compare(f, k)
