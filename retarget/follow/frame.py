"""One frame: from a person's segments to the robot's next configuration."""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Bools, Record, jit_internal
from telexist.retarget.follow.bend import bend_limb
from telexist.retarget.follow.between import copy_frame, fill_between, steps_between
from telexist.retarget.follow.contacts import contact, follow_floor, sole_height
from telexist.retarget.follow.escape import escape, lead
from telexist.retarget.follow.feet import (
    Lift,
    aim_foot,
    enter_state,
    is_planted,
    rise_from_floor,
)
from telexist.retarget.follow.follower import FLAT, TRAVEL, FollowRecords
from telexist.retarget.follow.frame_arrays import FrameArrays
from telexist.retarget.follow.give_way import give_way
from telexist.retarget.follow.search import orientation_cost
from telexist.retarget.follow.travel import drag, hurry, keep_place, return_to
from telexist.retarget.ik import (
    copy_matrix,
    forward_kinematics,
    logarithm,
    product,
    product_transposed,
    take_limits,
    take_step,
)
from telexist.retarget.so3 import Array

__all__ = ["aim", "aim_links", "follow_frame", "remember"]

LIMB_DAMPING = 0.2  # damping for each unit of a limb's weighted squared error
TRAVEL_WEIGHT = 1e-2  # [1/m^2] of following the pelvis over the floor, below all else


@jit_internal
def _as_seen(reference: int, R: Array, segment: int, out: Array) -> None:
    """Fill a segment's orientation as the robot should see it."""
    for r in range(3):
        for c in range(3):
            if reference < 0:
                out[r, c] = R[segment, r, c]
                continue
            s = 0.0
            for j in range(3):
                s += R[reference, j, r] * R[segment, j, c]
            out[r, c] = s


@jit_internal
def _as_asked(reference: int, R: Array, shown: Bools, link: Record, out: Array) -> None:
    """Fill a segment's orientation, bent as far as the robot's limb always is."""
    _as_seen(reference, R, link.segment, out)
    if link.above < 0 or not shown[link.above]:
        return
    above, relative, bent = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    _as_seen(reference, R, link.above, above)
    for r in range(3):
        for c in range(3):
            s = 0.0
            for j in range(3):
                s += above[j, r] * out[j, c]
            relative[r, c] = s
    bend_limb(relative, link.lean, bent)
    product(above, bent, out)


@jit_internal
def aim_links(f: FollowRecords, frame: FrameArrays, dt: float) -> None:
    """Fill the orientation targets: world_R_robot = world_R_human human_R_robot.

    Args:
        f: The follower; the person's last frame gives the targets' velocity.
        frame: The person now.
        dt: Time since the last frame [s].
    """
    person = f.person[0]
    now, before, step = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    for k in range(len(f.links)):
        link, target = f.links[k], f.m.orientations[k]
        target.weight[:] = 0.0
        target.velocity[:] = 0.0
        if link.segment < 0 or not frame.shown[link.segment]:
            copy_matrix(f.m.bodies[target.body].R, target.rotation)
            continue
        _as_asked(person.reference, frame.R, frame.shown, link, now)
        product(now, link.human_R_body, target.rotation)
        if person.seen[link.segment] != 0:
            _as_asked(person.reference, person.R, person.seen, link, before)
            product_transposed(now, before, step)
            logarithm(step, target.velocity)
            for r in range(3):
                target.velocity[r] /= dt
        for r in range(3):
            for c in range(3):
                for j in range(3):
                    target.weight[r, c] += now[r, j] * link.weight[j] * now[c, j]


@jit_internal
def _last_height(person: Record, foot: Record, now: float) -> float:
    """Return how high the robot's sole should have been at the last frame [m]."""
    g = foot.segment
    if person.seen[g] == 0:
        return now
    return person.scale * sole_height(foot, person.floor, person.R[g], person.p[g])


@jit_internal
def _aim_feet(f: FollowRecords, frame: FrameArrays, dt: float) -> bool:
    """Fill the targets of both feet; return whether the robot has any."""
    person, places, any_foot = f.person[0], np.zeros((2, 2)), False
    for side in range(2):
        foot = f.feet[side]
        if foot.present == 0:
            continue
        any_foot = True
        copy_matrix(f.m.orientations[foot.target].rotation, foot.wanted)
        found, height, rise, roll = FLAT, 0.0, 0.0, 0.0  # without feet: stands
        if frame.shown[foot.segment] and frame.placed:
            R, p = frame.R[foot.segment], frame.p[foot.segment]
            w = frame.w[foot.segment]
            found = contact(foot, person, frame, dt)
            height = person.scale * sole_height(foot, person.floor, R, p)
            rise = height - _last_height(person, foot, height)
            roll = np.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
            for k in range(2):
                c = foot.human_points[k]
                for r in range(2):
                    along = R[r, 0] * c[0] + R[r, 1] * c[1] + R[r, 2] * c[2]
                    places[k, r] = p[r] + along
        enter_state(foot, f.m.bodies[foot.body], found, places, person, dt)
        aim_foot(f.m, foot, side, Lift(height, rise, roll), dt)
    follow_floor(f, frame, dt)
    return any_foot


@jit_internal
def aim(f: FollowRecords, frame: FrameArrays, dt: float) -> None:
    """Fill all targets; the bodies must be where the robot is."""
    aim_links(f, frame, dt)
    standing = _aim_feet(f, frame, dt)
    travel, base, person = f.m.points[TRAVEL], f.m.bodies[0], f.person[0]
    travel.weight[:] = 0.0
    if frame.shown[0] and f.m.solver[0].fixed == 0:
        for r in range(3):
            travel.goal[r] = base.p[r] + person.scale * (frame.p[0, r] - person.p[0, r])
            travel.weight[r] = TRAVEL_WEIGHT
        if standing:  # the feet know better how high the robot is
            travel.weight[2] = 0.0


@jit_internal
def remember(f: FollowRecords, frame: FrameArrays) -> None:
    """Keep what the next frame needs of this one; the bodies must be in place."""
    person = f.person[0]
    for own in f.m.bodies:
        own.last_q = own.q
    for side in range(2):
        foot = f.feet[side]
        stands = foot.present != 0 and is_planted(foot, f.m.bodies[foot.body])
        foot.planted = 1 if stands else 0
    for g in range(len(frame.shown)):
        person.seen[g] = 1 if frame.shown[g] else 0
        for r in range(3):
            person.w[g, r], person.v[g, r] = frame.w[g, r], frame.v[g, r]
            person.p[g, r] = frame.p[g, r]
            for c in range(3):
                person.R[g, r, c] = frame.R[g, r, c]


@jit_internal
def _be_cautious(f: FollowRecords) -> None:
    """Damp the joints of limbs that are far from their targets.

    There a step is only roughly right, and would swing to and fro; as in [A], damping
    grows with the cost. The bodies must be in place and the targets known.
    """
    for k in range(len(f.limbs)):
        limb_damping = LIMB_DAMPING * orientation_cost(f.m, f.limb_targets[k])
        for i in range(f.limb_joints.shape[1]):
            if f.limb_joints[k, i]:
                f.m.bodies[i + 1].limb_damping = limb_damping


@jit_internal
def _step(f: FollowRecords, dt: float) -> bool:
    take_limits(f.m, dt)
    lead(f, dt)
    return take_step(f.m, dt)


@jit_internal
def _follow(f: FollowRecords, frame: FrameArrays, dt: float) -> bool:
    """Take one step towards a frame; return whether it was solved."""
    aim(f, frame, dt)
    _be_cautious(f)
    place = keep_place(f.m)
    solved = _step(f, dt)
    excess = hurry(f.m, dt)
    if excess > 0.0:
        return_to(f.m, place)
        drag(f.m, excess)
        solved = _step(f, dt)
    forward_kinematics(f.m.bodies)
    for own in f.m.bodies:
        own.limb_damping = 0.0
    escape(f, dt)
    rise_from_floor(f.m, f.feet)
    remember(f, frame)
    return solved


@jit_internal
def follow_frame(f: FollowRecords, frame: FrameArrays, dt: float) -> bool:
    """Move the robot, in place, so that it follows a frame dt after the last one.

    Args:
        f: The follower.
        frame: The person, a `FrameArrays`.
        dt: Time since the last frame [s].

    Returns:
        Whether the constrained problems were solved; if not, the state is spoilt.
    """
    steps = steps_between(dt)
    step, solved, now = dt / steps, True, copy_frame(frame)
    if steps > 1:
        between = copy_frame(now)
        for k in range(steps, 1, -1):
            fill_between(f.person[0], now, 1.0 / k, k * step, between)
            solved &= _follow(f, between, step)
    solved &= _follow(f, now, step)
    give_way(f, dt)
    return solved
