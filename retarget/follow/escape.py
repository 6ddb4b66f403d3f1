"""Leaving a posture in which a limb is caught.

A limb can follow the person into a corner of its limits from which it does not find
out, although a good posture exists. While its error is large, other postures are tried
now and then, away from the robot's own state; when one is much better, the limb's
joints are led there, at a moderate speed, and then follow the person again.
"""

from __future__ import annotations

import numpy as np

from retarget.compiled import inner
from retarget.follow.search import TRIES, reach, turn_cost
from retarget.ik.articulated import forward_kinematics
from retarget.ik.recursive_step import settle

__all__ = ["escape", "lead"]

CAUGHT = 0.12  # weighted squared error of a limb above which it may be caught
SLOW = 0.3  # share of its speed limit below which a joint is not merely late
PATIENCE = 0.3  # [s] for which that must last
GAIN = 0.08  # by which another posture must be better
BETTER = 0.5  # and of the cost it must have less than this share
PAUSE = 0.05  # [s] between two tries
DETOUR = 1.0  # [s] that a detour may last
ARRIVED = 0.1  # [rad] or [m] from the other posture
SPEED = 5.0  # [rad/s] of a joint on a detour
STIFFNESS = 1e3  # weight of the other posture on a detour; a limb's targets have 1


@inner
def lead(f, dt):  # type: ignore[no-untyped-def]
    """Slow down the joints of limbs on a detour; limits must have been set."""
    for k in range(len(f.limbs)):
        if f.limbs[k].detour <= 0.0:
            continue
        for i in range(f.limb_joints.shape[1]):
            if f.limb_joints[k, i]:
                own = f.m.bodies[i + 1]
                own.low = max(own.low, min(-SPEED * dt, own.high))
                own.high = min(own.high, max(SPEED * dt, own.low))


@inner
def _end_detour(f, k):  # type: ignore[no-untyped-def]
    f.limbs[k].detour = 0.0
    f.limbs[k].caught = 0.0
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            own.goal, own.stiffness = own.neutral, f.m.bodies[0].stiffness


@inner
def _on_detour(f, k, dt):  # type: ignore[no-untyped-def]
    """Count a detour down; end it when the limb has arrived."""
    f.limbs[k].detour -= dt
    away = 0.0
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            away = max(away, abs(own.goal - own.q))
    if away < ARRIVED or f.limbs[k].detour <= 0.0:
        _end_detour(f, k)


@inner
def _hold_others(f, k, held, fixed):  # type: ignore[no-untyped-def]
    """Hold all that is not limb k."""
    f.m.solver[0].fixed = 1 if k >= 0 else fixed
    for i in range(1, len(f.m.bodies)):
        f.m.bodies[i].held = held[i]
        if k >= 0 and not f.limb_joints[k, i - 1]:
            f.m.bodies[i].held = 1


@inner
def _try_posture(f, k):  # type: ignore[no-untyped-def]
    """Try the next posture for a limb; start a detour if it is much better."""
    m, n = f.m, len(f.m.bodies)
    held, q, status = np.empty(n, np.int64), np.empty(n), np.empty(n, np.int64)
    fixed = m.solver[0].fixed
    for i in range(n):
        held[i], q[i], status[i] = m.bodies[i].held, m.bodies[i].q, m.bodies[i].status
    cost = turn_cost(m, f.limb_turns[k])
    posture = f.postures[f.limbs[k].next]
    f.limbs[k].next = (f.limbs[k].next + 1) % len(f.postures)
    _hold_others(f, k, held, fixed)
    for i in range(1, n):
        if f.limb_joints[k, i - 1]:
            m.bodies[i].q = posture[i - 1]
    settle(m.bodies)
    reach(m, TRIES)
    forward_kinematics(m.bodies)
    other = turn_cost(m, f.limb_turns[k])
    better = other < BETTER * cost and other < cost - GAIN
    _hold_others(f, -1, held, fixed)
    for i in range(n):
        own = m.bodies[i]
        if better and i > 0 and f.limb_joints[k, i - 1]:
            own.goal, own.stiffness = own.q, STIFFNESS
        own.q, own.status = q[i], status[i]
    forward_kinematics(m.bodies)
    if better:
        f.limbs[k].detour = DETOUR


@inner
def _is_slow(f, k, dt):  # type: ignore[no-untyped-def]
    """Return whether all joints of a limb are well below their speed limits."""
    for i in range(f.limb_joints.shape[1]):
        if f.limb_joints[k, i]:
            own = f.m.bodies[i + 1]
            if abs(own.q - own.last_q) > SLOW * own.velocity * dt:
                return False
    return True


@inner
def escape(f, dt):  # type: ignore[no-untyped-def]
    """Look after the limbs once a frame has been followed and the bodies placed."""
    for k in range(len(f.limbs)):
        limb = f.limbs[k]
        if limb.stands != 0:  # a leg must not leave the floor for a better posture
            continue
        if limb.detour > 0.0:
            _on_detour(f, k, dt)
            continue
        if turn_cost(f.m, f.limb_turns[k]) < CAUGHT or not _is_slow(f, k, dt):
            limb.caught = 0.0
            continue
        limb.caught += dt
        if limb.caught > PATIENCE:
            limb.caught -= PAUSE
            _try_posture(f, k)
