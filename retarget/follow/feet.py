"""Where the robot's soles should be: planted ones stay, lifted ones follow.

A foot of the person stands flat, on the heel, on the ball, or not at all. The robot's
sole then holds its middle, its heel edge or its toe edge still ([L] (7)-(10): the base
moves so that the stance foot does not), and turns flat while the person's foot is flat.
A lifted sole follows the height of the person's foot, scaled by leg length.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.compiled import Record, Records, jit_internal
from telexist.retarget.follow.follower import FLAT, FLAT_WEIGHT, HEEL, SWING
from telexist.retarget.ik import (
    Mechanism,
    exponential,
    logarithm,
    product,
    product_transposed,
)
from telexist.retarget.so3 import Array

__all__ = [
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
LANDING_TURN = 2.0  # [rad/s] at which it turns flat; without ankle roll the robot does
MAX_TWIST = float(np.deg2rad(20.0))  # the person's foot may turn this far on the spot
MAX_DRIFT = 0.02  # [m] or creep this far on the robot's scale before it is let go
REST = 0.1  # [s] for which a foot that was let go is not planted again
SETTLED_TILT = float(np.sin(np.deg2rad(1.0)))  # a flatter sole counts as planted
DEEPEST = 0.001  # [m] below the floor that a sole may be before the robot is lifted
SETTLED_HEIGHT = 0.003  # [m] if it is lower than this


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
def enter_state(
    foot: Record, own: Record, found: int, places: Array, scale: float, dt: float
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
        scale: Robot's leg length over the person's.
        dt: Length of the step [s].
    """
    yaw = yaw_of_sole(foot.wanted, foot.body_R_sole)
    rest = max(foot.rest - dt, 0.0)
    foot.rest = rest
    if rest > 0.0:
        found = SWING
    elif found != SWING and foot.state != SWING:
        turned = abs((yaw - foot.human_yaw + np.pi) % (2.0 * np.pi) - np.pi)
        place = places[_rests_on(foot.state)]
        crept = np.hypot(place[0] - foot.human_place[0], place[1] - foot.human_place[1])
        if turned > MAX_TWIST or crept * scale > MAX_DRIFT:
            foot.rest = REST
            found = SWING
    if found == foot.state:
        return
    before, after = places[_rests_on(foot.state)], places[_rests_on(found)]
    for r in range(2):
        crept = before[r] - foot.human_place[r] if foot.state != SWING else 0.0
        foot.human_place[r] = after[r] - crept
    foot.state = found
    foot.since = 0.0
    foot.human_yaw = yaw
    if found == SWING:
        return
    c, R = foot.pivots[found], own.R
    for r in range(2):
        at = own.p[r] + R[r, 0] * c[0] + R[r, 1] * c[1] + R[r, 2] * c[2]
        foot.anchor[r] = at
    foot.yaw = yaw_of_sole(R, foot.body_R_sole)


@jit_internal
def aim_foot(
    m: Mechanism, foot: Record, side: int, height: float, rise: float, dt: float
) -> None:
    """Fill the targets of a foot: where its pivot rests and how high it is.

    A lifted sole rises and falls as the person's does, and what it was wrong by when
    it left the floor goes away over time: while no foot stands, the whole robot moves
    with it.

    Args:
        m: The robot at the start of the step.
        foot: The foot.
        side: 0 left, 1 right.
        height: Where a lifted sole should be [m].
        rise: How far that has risen in this step [m].
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
        left = height_of(own, corner) - (height - rise)
        level.goal[2] = height + left * np.exp(-LIFT_GAIN * dt)
        level.weight[2] = LIFT_WEIGHT
        return
    level.goal[2] = height_of(own, corner) * np.exp(-LANDING_GAIN * dt)
    level.weight[2] = LEVEL_WEIGHT
    for r in range(3):
        hold.point[r] = foot.pivots[foot.state, r]
        hold.goal[r] = foot.anchor[r]
    hold.weight[0] = hold.weight[1] = HOLD_WEIGHT
    if foot.state == FLAT:
        solved = 1.0 - np.exp(-m.solver[0].gain * dt)  # share of an error in one step
        _aim_flat(m.orientations[foot.target], foot, own.R, LANDING_TURN * dt / solved)


@jit_internal
def _aim_flat(target: Record, foot: Record, R: Array, farthest: float) -> None:
    """Replace the orientation target of a planted sole by a firm, flat one.

    Args:
        target: The target.
        foot: The foot.
        R: Orientation of the body now (3, 3).
        farthest: Angle from there that the target may be away [rad].
    """
    A = foot.body_R_sole
    c, s = np.cos(foot.yaw), np.sin(foot.yaw)
    for j in range(3):  # rotation about z by the yaw, times the sole's transpose
        target.rotation[0, j] = c * A[j, 0] - s * A[j, 1]
        target.rotation[1, j] = s * A[j, 0] + c * A[j, 1]
        target.rotation[2, j] = A[j, 2]
    B, C, e = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    product_transposed(target.rotation, R, B)
    logarithm(B, e)
    angle = np.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2])
    if angle > farthest:
        share = farthest / angle
        exponential(share * e[0], share * e[1], share * e[2], B)
        product(B, R, C)
        target.rotation[:] = C
    target.velocity[:] = 0.0
    target.weight[:] = 0.0
    ahead, left, up = foot.firm[0], foot.firm[1], foot.firm[2]
    target.weight[0, 0] = c * c * ahead + s * s * left
    target.weight[1, 1] = s * s * ahead + c * c * left
    target.weight[0, 1] = target.weight[1, 0] = c * s * (ahead - left)
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
    """Return whether the sole stands on the floor, flat as far as the ankle can."""
    if foot.state != FLAT or abs(height_of(own, foot.pivots[FLAT])) > SETTLED_HEIGHT:
        return False
    R, A = own.R, foot.body_R_sole
    for j in range(2):  # the rise of one axis is a turn about the other
        rise = R[2, 0] * A[0, j] + R[2, 1] * A[1, j] + R[2, 2] * A[2, j]
        if foot.firm[1 - j] >= FLAT_WEIGHT and abs(rise) > SETTLED_TILT:
            return False
    return True
