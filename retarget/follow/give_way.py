"""Standing feet give way to sensors that tremble.

A foot is planted where the legs put it in one frame, and what is wrong with that frame
would stay for as long as the foot stands. The legs go on saying where they would have
it: turned as the person's foot is and, if both feet stand, as far from the other one as
pelvis, thigh, shank and foot put it. Noise is not in the mean of that, and so the foot
creeps there, no farther in a second than what is asked of it trembles.

Only noise lets a foot creep. It goes to and fro from frame to frame: its second
differences s have E[s_k s_k-1] = -4 times its variance. A motion is smooth, and its
second differences have one sign; so under a person who is seen clearly feet stay.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, jit_internal
from telexist.retarget.follow.feet import yaw_of_sole
from telexist.retarget.follow.follower import FLAT, FollowRecords
from telexist.retarget.ik import Mechanism, logarithm, product_transposed
from telexist.retarget.so3 import Array

__all__ = ["give_way"]

PLACE, YAW = 0, 1
"""What is asked of a foot."""

MEMORY = 10.0  # [s] over which it is averaged at most
HIDDEN = 1.0  # [s] in which a foot may creep as far as that trembles
CREEP = 0.5  # [s] in which it gets nearer to the mean by a factor e, if it may
FRAMES = 3.5  # a product of two second differences takes four frames


@jit_internal
def _add_reach(m: Mechanism, foot: Record, sign: float, out: Array) -> None:
    """Add, times a sign, how far a leg's targets would move its sole over the floor.

    Each link turns by what it lacks and takes the next one with it.

    Args:
        m: The robot.
        foot: The foot.
        sign: A factor.
        out: Added to (3,) [m]; height is left out.
    """
    own, pivot = m.bodies[foot.body], foot.pivots[FLAT]
    end, lever, lacks = np.empty(3), np.empty(3), np.empty(3)
    A = np.empty((3, 3))
    for r in range(3):
        end[r] = own.p[r]
        for c in range(3):
            end[r] += own.R[r, c] * pivot[c]
    for i in range(len(foot.chain) - 1, -1, -1):
        k = foot.chain[i]
        if k < 0:
            continue
        carrier = m.bodies[m.orientations[k].body]
        for r in range(3):
            lever[r] = end[r] - carrier.p[r]
            end[r] = carrier.p[r]
        if m.orientations[k].weight[0, 0] == 0.0:  # the source does not show it
            continue
        wanted = foot.wanted if k == foot.target else m.orientations[k].rotation
        product_transposed(wanted, carrier.R, A)
        logarithm(A, lacks)
        out[0] += sign * (lacks[1] * lever[2] - lacks[2] * lever[1])
        out[1] += sign * (lacks[2] * lever[0] - lacks[0] * lever[2])


@jit_internal
def _wrapped(angle: float) -> float:
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


@jit_internal
def _note(foot: Record, what: int, asked: Array, since: float, dt: float) -> None:
    """Take in what is asked of a foot: its mean, and how it trembles.

    Args:
        foot: The foot.
        what: PLACE or YAW.
        asked: How far the foot should go (3,): x, y [m], yaw [rad].
        since: For how long that has been asked [s].
        dt: Time since the last frame [s].
    """
    product = 0.0
    for r in range(2 * what, 2 + what):
        foot.demand[r] += (asked[r] - foot.demand[r]) * dt / min(since, MEMORY)
        last, here = foot.asked[0, r], foot.anchor[r] + asked[r]
        if what == YAW:
            here = last + _wrapped(foot.yaw + asked[r] - last)
        bend = here - 2.0 * last + foot.asked[1, r]
        product -= bend * foot.bend[r] / 4.0
        foot.asked[1, r], foot.asked[0, r], foot.bend[r] = last, here, bend
    if since < FRAMES * dt:
        foot.tremor[what] = 0.0
    else:
        foot.tremor[what] += (product - foot.tremor[what]) * dt / min(since, HIDDEN)


@jit_internal
def _creep(foot: Record, what: int, dt: float) -> None:
    """Let a foot creep towards the mean of what is asked."""
    far = 0.0
    for r in range(2 * what, 2 + what):
        far += foot.demand[r] ** 2
    most = np.sqrt(max(foot.tremor[what], 0.0)) * dt / HIDDEN
    if far == 0.0 or most == 0.0:
        return
    share = min(1.0 - np.exp(-dt / CREEP), most / np.sqrt(far))
    for r in range(2 * what, 2 + what):
        if what == YAW:
            foot.yaw += share * foot.demand[r]
        else:
            foot.anchor[r] += share * foot.demand[r]
        foot.demand[r] *= 1.0 - share


@jit_internal
def give_way(f: FollowRecords, dt: float) -> None:
    """Let standing feet creep; once a frame, after the robot has followed it.

    Args:
        f: The follower; bodies in place, targets as they were for the frame.
        dt: Time since the last frame [s].
    """
    both, asked = np.inf, np.zeros(3)
    for side in range(2):
        foot = f.feet[side]
        stands = foot.present != 0 and foot.state == FLAT
        foot.since = foot.since + dt if stands else 0.0
        both = min(both, foot.since)
    if both > 0.0:  # each goes half the way; one foot alone can be anywhere
        _add_reach(f.m, f.feet[0], 0.5, asked)
        _add_reach(f.m, f.feet[1], -0.5, asked)
    for side in range(2):
        foot = f.feet[side]
        if foot.since > 0.0:
            now = yaw_of_sole(foot.wanted, foot.body_R_sole)
            asked[2] = _wrapped(now - foot.yaw)
            _note(foot, YAW, asked, foot.since, dt)
            _creep(foot, YAW, dt)
        if both > 0.0:
            _note(foot, PLACE, asked, both, dt)
            _creep(foot, PLACE, dt)
        asked[0], asked[1] = -asked[0], -asked[1]
