"""Where the robot's soles should be: planted ones stay, lifted ones follow.

A foot of the person stands flat, on the heel, on the ball, or not at all. The robot's
sole then holds its middle, its heel edge or its toe edge still ([L] (7)-(10): the base
moves so that the stance foot does not), and turns flat while the person's foot is flat.
A lifted sole follows the height of the person's foot, scaled by leg length.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.follow.contacts import pitch_of_foot
from telexist.retarget.follow.follower import FLAT, FLAT_WEIGHT, HEEL, SWING
from telexist.retarget.ik import (
    Mechanism,
    copy_matrix,
    exponential,
    logarithm,
    product,
    product_transposed,
)
from telexist.retarget.so3 import Array

__all__ = [
    "Lift",
    "aim_foot",
    "enter_state",
    "height_of",
    "is_planted",
    "lowest_corner",
    "rise_from_floor",
    "yaw_of_sole",
]

HOLD_WEIGHT = 1e5  # [1/m^2] of a standing point; orientation of a limb has 1 / rad^2
LEVEL_WEIGHT = 1e4  # [1/m^2] of its height
LIFT_WEIGHT = 1e-2  # [1/m^2] of a lifted sole's height, below all else
LIFT_GAIN = 15.0  # [1/s] at which a lifted sole gets to the height of the person's
LANDING_GAIN = 40.0  # [1/s] at which a sole that lands gets to the floor
TOUCHING = 0.01  # [m] below which it touches, and
TOUCHING_GAIN = 100.0  # [1/s] stays there while it tilts
LANDING_TURN = 2.0  # [rad/s] at which it turns flat; without ankle roll the robot does
# How far a standing sole may be from where the person's foot has crept, in parts of the
# leg, or turned on the spot [rad]: beyond the first it creeps after it, beyond the
# second it is dragged along.
LAGS = (0.03, 0.1)
TWISTS = (float(np.deg2rad(20.0)), float(np.deg2rad(40.0)))
LOST = 0.3  # parts of the leg
CREEP = 0.012  # [m/s]
TURN = 0.15  # [rad/s] the same on the spot
# Knees that turn outwards take the feet along: beyond the first torque [1/rad^2 rad] a
# sole turns, and as fast as it may from the second
TORQUES = (0.1, 0.2)
SWIVEL = 1.5  # [rad/s] of a sole that turns about its middle
LONGEST = 0.02  # [s] of a step in which it turns: a first frame is reached by long ones
EDGE_SWIVEL = 0.2  # [rad/s] the same about an edge, which drags the middle
DRAG = 0.1  # [s] in which a dragged sole catches up
YIELD = 0.08  # [1/rad] most with which a sole that tilts is pressed flat: [rad] by
# which a shank may be wrong before the sole gives way to it, an ankle at its limits
EDGE_WEIGHT = 0.1  # [1/rad^2] of the pitch of a sole on its edge
EDGE_TURN = 1.0  # [rad/s] at which that follows, beside the person's own
DEEPEST = 0.001  # [m] below the floor that a sole may be before the robot is lifted
SETTLED_HEIGHT = 0.006  # [m] of the lowest corner of a sole that bears load


class Lift(NamedTuple):
    """How a person's foot moves.

    Attributes:
        height: Where the robot's sole should be while it is lifted [m].
        rise: How far that has risen in this step [m].
        roll: How fast the foot turns [rad/s].
    """

    height: float
    rise: float
    roll: float


@jit_internal
def height_of(own: Record, c: Array) -> float:
    """Return the height of a point c of a body."""
    return own.p[2] + own.R[2, 0] * c[0] + own.R[2, 1] * c[1] + own.R[2, 2] * c[2]


@jit_internal
def lowest_corner(foot: Record, R: Array) -> int:
    """Return which corner of the sole is lowest when its body is turned by R."""
    best, lowest = 0, np.inf
    for k in range(4):
        c = foot.corners[k]
        z = R[2, 0] * c[0] + R[2, 1] * c[1] + R[2, 2] * c[2]
        if z < lowest:
            best, lowest = k, z
    return best


@jit_internal
def yaw_of_sole(R: Array, A: Array) -> float:
    """Return the heading of the x axis of R A."""
    y = R[1, 0] * A[0, 0] + R[1, 1] * A[1, 0] + R[1, 2] * A[2, 0]
    x = R[0, 0] * A[0, 0] + R[0, 1] * A[1, 0] + R[0, 2] * A[2, 0]
    return np.arctan2(y, x)


@jit_internal
def _rests_on(state: int) -> int:
    """Return the point of the person's foot that rests: 0 the heel, 1 the ball."""
    return 0 if state == HEEL else 1


@jit_internal
def _following(lag: float, least: float, most: float, speed: float, dt: float) -> float:
    """Return how far to go after what is a lag away."""
    if lag <= least:
        return 0.0
    way = speed * dt * min((lag - least) / (0.25 * (most - least)), 1.0)
    if lag > most:
        way += (lag - most) * min(dt / DRAG, 1.0)
    return way


@jit_internal
def _creep_after(foot: Record, places: Array, person: Record, dt: float) -> None:
    """Let a standing sole creep after the person's foot, or be dragged along.

    Args:
        foot: The foot; `wanted` must be up to date.
        places: Heel and ball of the person's foot on the floor (2, 2) [m].
        person: The person, for sizes.
        dt: Length of the step [s].
    """
    place, scale, leg = places[_rests_on(foot.state)], person.scale, person.leg
    x = (place[0] - foot.human_place[0]) * scale - foot.moved[0]
    y = (place[1] - foot.human_place[1]) * scale - foot.moved[1]
    lag = np.hypot(x, y)
    if lag > LOST * leg:  # nobody creeps so far: the source jumped
        for r in range(2):
            foot.human_place[r], foot.moved[r] = place[r], 0.0
        lag = 0.0
    way = _following(lag, LAGS[0] * leg, LAGS[1] * leg, CREEP, dt)
    if way > 0.0:
        x, y = x * way / lag, y * way / lag
        foot.moved[0] += x
        foot.moved[1] += y
        foot.anchor[0] += x
        foot.anchor[1] += y
    yaw = yaw_of_sole(foot.wanted, foot.body_R_sole)
    twist = (yaw - foot.yaw + np.pi) % (2.0 * np.pi) - np.pi
    turn = _following(abs(twist), TWISTS[0], TWISTS[1], TURN, dt)
    foot.yaw += turn if twist > 0.0 else -turn


@jit_internal
def enter_state(
    foot: Record, own: Record, found: int, places: Array, person: Record, dt: float
) -> None:
    """Decide the state of a foot; on a change, anchor it where it is.

    How far the person's foot has crept is counted from its landing, whatever it rests
    on: a foot that rolls for a moment must not start anew, or results would depend on
    whether a source is fast enough to show that moment.

    Args:
        foot: The foot; `wanted` must be up to date.
        own: The body that carries the sole, at the start of the step.
        found: How the person's foot meets the floor.
        places: Heel and ball of the person's foot on the floor (2, 2) [m].
        person: The person, for sizes.
        dt: Length of the step [s].
    """
    foot.free = foot.free + dt if found == SWING else 0.0
    if found != SWING and foot.state != SWING:
        _creep_after(foot, places, person, dt)
    if found == foot.state:
        return
    before, after = places[_rests_on(foot.state)], places[_rests_on(found)]
    for r in range(2):
        if foot.state == SWING:
            foot.moved[r] = 0.0
        crept = before[r] - foot.human_place[r] if foot.state != SWING else 0.0
        foot.human_place[r] = after[r] - crept
    landed = foot.state == SWING
    foot.state = found
    foot.since = 0.0
    if found == SWING:
        return
    c, R = foot.pivots[found], own.R
    for r in range(2):
        at = own.p[r] + R[r, 0] * c[0] + R[r, 1] * c[1] + R[r, 2] * c[2]
        foot.anchor[r] = at
    if landed:
        foot.yaw = yaw_of_sole(R, foot.body_R_sole)


@jit_internal
def aim_foot(m: Mechanism, foot: Record, side: int, lift: Lift, dt: float) -> None:
    """Fill the targets of a foot: where its pivot rests and how high it is.

    A lifted sole rises and falls as the person's does, and what it was wrong by when
    it left the floor goes away over time: while no foot stands, the whole robot moves
    with it.

    Args:
        m: The robot at the start of the step.
        foot: The foot.
        side: 0 left, 1 right.
        lift: Where a lifted sole should be, and how the person's foot turns.
        dt: Length of the step [s].
    """
    own, hold, level = m.bodies[foot.body], m.points[2 * side], m.points[2 * side + 1]
    hold.body = level.body = foot.body
    hold.weight[:] = 0.0
    level.weight[:] = 0.0
    lifted = foot.state == SWING
    corner = foot.corners[lowest_corner(foot, foot.wanted if lifted else own.R)]
    for r in range(3):
        level.point[r] = corner[r]
    if lifted:
        left = height_of(own, corner) - (lift.height - lift.rise)
        level.goal[2] = lift.height + left * np.exp(-LIFT_GAIN * dt)
        level.weight[2] = LIFT_WEIGHT
        return
    # the pivot sinks by as much as the lowest corner is too high: so the sole can tilt
    pivot = foot.pivots[foot.state]
    high = height_of(own, corner)
    gain = LANDING_GAIN if high > TOUCHING else TOUCHING_GAIN
    sinks = high * (1.0 - np.exp(-gain * dt))
    level.goal[2] = height_of(own, pivot) - sinks
    level.weight[2] = LEVEL_WEIGHT
    for r in range(3):
        hold.point[r] = level.point[r] = pivot[r]
        hold.goal[r] = foot.anchor[r]
    hold.weight[0] = hold.weight[1] = HOLD_WEIGHT
    _turn_with_leg(m, foot, dt)
    solved = 1.0 - np.exp(-m.solver[0].gain * dt)  # share of an error in one step
    pitch, turn = 0.0, LANDING_TURN
    if foot.state != FLAT:  # on an edge: turned as the person's is
        pitch = pitch_of_foot(foot.wanted, foot.body_R_sole)
        pitch = min(pitch, 0.0) if foot.state == HEEL else max(pitch, 0.0)
        turn = EDGE_TURN + lift.roll
    _aim_standing(m.orientations[foot.target], foot, own.R, pitch, turn * dt / solved)


@jit_internal
def _turn_with_leg(m: Mechanism, foot: Record, dt: float) -> None:
    """Turn a standing sole about the vertical as far as thigh and shank demand it."""
    A, e, torque = np.empty((3, 3)), np.empty(3), 0.0
    for part in range(2):
        if foot.leg[part] < 0:
            continue
        target = m.orientations[foot.leg[part]]
        product_transposed(target.rotation, m.bodies[target.body].R, A)
        logarithm(A, e)
        for r in range(3):
            torque += target.weight[2, r] * e[r]
    share = (abs(torque) - TORQUES[0]) / (TORQUES[1] - TORQUES[0])
    fastest = SWIVEL if foot.state == FLAT else EDGE_SWIVEL
    way = min(max(share, 0.0), 1.0) * fastest * min(dt, LONGEST)
    foot.yaw += way if torque > 0.0 else -way


@jit_internal
def _pressure(firm: float, tilt: float) -> float:
    """Return the weight of a flat sole: that of `YIELD` |tilt|, once it tilts."""
    if firm < FLAT_WEIGHT:  # no ankle joint: asked for, at a price
        return firm
    return min(firm, YIELD / max(abs(tilt), 1e-6))


@jit_internal
def _aim_standing(
    target: Record, foot: Record, R: Array, pitch: float, farthest: float
) -> None:
    """Replace the orientation target of a standing sole by a firm one.

    Args:
        target: Of the orientation.
        foot: The foot.
        R: Orientation of the body now (3, 3).
        pitch: Of the sole, toe down [rad].
        farthest: Angle from there that the target may be away [rad].
    """
    A = foot.body_R_sole
    firm = foot.firm[1] if foot.state == FLAT else EDGE_WEIGHT
    c, s = np.cos(foot.yaw), np.sin(foot.yaw)
    cp, sp = np.cos(pitch), np.sin(pitch)
    for j in range(3):  # yaw about z, pitch about y, times the sole's transpose
        ahead, up = cp * A[j, 0] + sp * A[j, 2], cp * A[j, 2] - sp * A[j, 0]
        target.rotation[0, j] = c * ahead - s * A[j, 1]
        target.rotation[1, j] = s * ahead + c * A[j, 1]
        target.rotation[2, j] = up
    B, C, e = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    product_transposed(target.rotation, R, B)
    logarithm(B, e)
    angle = np.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
    along = _pressure(foot.firm[0], c * e[0] + s * e[1])
    across = _pressure(firm, c * e[1] - s * e[0])
    if angle > farthest:
        share = farthest / angle
        exponential(share * e[0], share * e[1], share * e[2], B)
        product(B, R, C)
        copy_matrix(C, target.rotation)
    target.velocity[:] = 0.0
    target.weight[:] = 0.0
    up = foot.firm[2]
    target.weight[0, 0] = c * c * along + s * s * across
    target.weight[1, 1] = s * s * along + c * c * across
    target.weight[0, 1] = target.weight[1, 0] = c * s * (along - across)
    target.weight[2, 2] = up


@jit_internal
def rise_from_floor(m: Mechanism, feet: Records) -> None:
    """Lift the whole robot if a step left a sole in the floor.

    The floor is a strong target, not a wall: a foot that cannot be flat, on a leg at
    its limits, may lose against it for a frame.
    """
    lowest = 0.0
    for side in range(2):
        foot = feet[side]
        if foot.present != 0:
            own = m.bodies[foot.body]
            corner = foot.corners[lowest_corner(foot, own.R)]
            lowest = min(lowest, height_of(own, corner))
    if lowest < -DEEPEST:
        for own in m.bodies:
            own.p[2] -= lowest + DEEPEST


@jit_internal
def is_planted(foot: Record, own: Record) -> bool:
    """Return whether the sole bears load: in contact, and down on the floor."""
    corner = foot.corners[lowest_corner(foot, own.R)]
    return foot.state != SWING and abs(height_of(own, corner)) < SETTLED_HEIGHT
