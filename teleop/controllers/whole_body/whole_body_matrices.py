"""Cost, constraints and torques of the whole-body QP, compiled.

What the program is, `whole_body_qp.py` says. Rows of A: six equations of motion of
the base, then cone and load of each contact patch, then the drives' torques. The k
patches are the left and the right sole, and then whatever else touches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import Bools, jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array
from telexist.robots.drives import GRAVITY
from telexist.teleop.controllers.terms import SIDES

__all__ = [
    "EQUAL",
    "FREE",
    "bound_joints",
    "drive_torques",
    "fill_constraints",
    "fill_cost",
    "fill_momentum_cost",
]

FREE = 1e30  # what daqp takes for infinity
EQUAL = 5  # daqp's mark of an equality
BRAKE_TIME = 0.04  # [s] in which a joint at full speed stops before its limit
SPEED_TIME = 0.02  # [s] in which a joint that is too fast comes back to its speed
BEYOND = 0.01  # [rad] from which a joint beyond its limit is not drawn back harder
ANKLE_MARGIN = 0.05  # [rad] of an ankle from its limits below which its sole may tip
TIPPING = 1e-4  # weight of a sole that must tip, of one that may not
ROLLING = 1e-4  # weight of a sole's roll where its leg cannot roll it, of one that can
EDGE = 1.6  # of half the sole's width by which pressure leaves the edge that is up
ROLL_ROW = SIDES  # of a cone: moment about the long axis, then the other way
MAX_ACC = 400.0  # [rad/s^2] of a joint
FOLLOW = 1e3  # weight of a follower's tie to its leader
LEVER = 400.0  # a moment counts as the force that makes it at 5 cm


@jit_internal
def _ankles(J: Array, n: int) -> tuple[int, int]:
    """Return the last two joints that turn a sole; -1 where there is none."""
    last = before = -1
    for i in range(n):
        if J[3, 6 + i] != 0.0 or J[4, 6 + i] != 0.0 or J[5, 6 + i] != 0.0:
            last, before = i, last
    return last, before


@jit_internal
def _tipping(J: Array, margin: Array) -> float:
    """Return the share of its weight that a standing sole's flatness keeps.

    A sole stays flat as long as its leg can: with an ankle at its limit it tips on its
    edge, and the program must not throw the trunk about to prevent it.
    """
    left = 1.0
    for ankle in _ankles(J, len(margin)):
        if ankle >= 0:
            left = min(left, margin[ankle] / ANKLE_MARGIN)
    return max(left, 0.0) ** 2 + TIPPING if left < 1.0 else 1.0


@jit_internal
def _giving_way(J: Array, margin: Array, goal: Array) -> Array:
    """Return J, and write the goal, without turns about an ankle at its limit.

    A foot in the air must not come down only because an ankle cannot turn it level.
    """
    freed = J.copy()
    for ankle in _ankles(J, len(margin)):
        if ankle < 0 or margin[ankle] >= ANKLE_MARGIN:
            continue
        axis = J[3:, 6 + ankle].copy()
        given = 1.0 - max(margin[ankle], 0.0) / ANKLE_MARGIN
        about = given * (axis[0] * goal[3] + axis[1] * goal[4] + axis[2] * goal[5])
        for k in range(3):
            goal[3 + k] -= about * axis[k]
        for i in range(J.shape[1]):
            x, y, z = freed[3, i], freed[4, i], freed[5, i]
            about = given * (axis[0] * x + axis[1] * y + axis[2] * z)
            for k in range(3):
                freed[3 + k, i] -= about * axis[k]
    return freed


@jit_internal
def _about_sole_axes(J: Array, R: Array, goal: Array) -> Array:
    """Return J, and write the goal, with angular rows about the sole's own axes."""
    turned = J.copy()
    a, b, c = goal[3], goal[4], goal[5]
    for k in range(3):
        goal[3 + k] = R[0, k] * a + R[1, k] * b + R[2, k] * c
        for i in range(J.shape[1]):
            turned[3 + k, i] = R[0, k] * J[3, i] + R[1, k] * J[4, i] + R[2, k] * J[5, i]
    return turned


@jit_internal
def _add_foot(
    J: Array,
    goal: Array,
    weight: float,
    tipping: float,
    rolling: float,
    H: Array,
    g: Array,
) -> None:
    """Add a sole's acceleration to the lower half of the cost; J has few columns."""
    columns = np.empty(J.shape[1], np.int64)
    count = 0
    for column in range(J.shape[1]):
        for row in range(6):
            if J[row, column] != 0.0:
                columns[count] = column
                count += 1
                break
    for row in range(6):
        w = weight
        if row == 3:
            w = weight * tipping * rolling
        elif row == 4:
            w = weight * tipping
        for a in range(count):
            i = columns[a]
            x = w * J[row, i]
            g[i] -= x * goal[row]
            for b in range(a + 1):
                H[i, columns[b]] += x * J[row, columns[b]]


@jit_hold_gil
def fill_cost(
    J: Array,
    R: Array,
    rolls: Bools,
    bias: Array,
    asked: Array,
    loads: Array,
    tips: Bools,
    margin: Array,
    stance: Array,
    swing: float,
    own: Array,
    wanted: Array,
    smooth: float,
    mimics: Array,
    H: Array,
    g: Array,
) -> None:
    """Write the accelerations' part of H and g: |W (J dnu + bias - acc)|^2 and more.

    A sole that cannot roll by itself is hardly asked to: it tips on its long edge, and
    the program must not throw hips and trunk about to prevent it.

    Args:
        J: Jacobians of the patches (k, 6, nv).
        R: Axes of the patches (k, 3, 3).
        rolls: Whether each patch can roll by itself (k,).
        bias: Their accelerations at dnu = 0 (k, 6).
        asked: Accelerations asked of them (k, 6).
        loads: Greatest loads; 0: in the air (k,).
        tips: Whether a sole in the air may tilt for its ankle's limits (k,).
        margin: Of the joints from their limits (n,) [rad].
        stance: Weights of patches that carry (k,).
        swing: Weight of one in the air.
        own: Weights of the unknowns themselves (nv,).
        wanted: What the unknowns should be (nv,).
        smooth: Weight of all of them.
        mimics: Follower, leader, multiplier (k, 3).
        H: Is written (nv + 6 k, nv + 6 k).
        g: Is written (nv + 6 k,).
    """
    nv, goal = J.shape[2], np.empty(6)
    for i in range(nv):
        for j in range(i):
            H[i, j] = 0.0
        H[i, i] = own[i] + smooth
        g[i] = -own[i] * wanted[i]
    for i in range(len(J)):
        for row in range(6):
            goal[row] = asked[i, row] - bias[i, row]
        weight, tipping, rows = swing, 1.0, J[i]
        if loads[i] > 0.0:
            weight = stance[i]
            if i < 2:
                tipping = _tipping(J[i], margin)
        elif tips[i]:
            rows = _giving_way(J[i], margin, goal)
        if rolls[i]:
            _add_foot(rows, goal, weight, tipping, 1.0, H, g)
        else:
            turned = _about_sole_axes(rows, R[i], goal)
            _add_foot(turned, goal, weight, tipping, ROLLING, H, g)
    for row in range(len(mimics)):
        joint, leader, share = int(mimics[row, 0]), int(mimics[row, 1]), mimics[row, 2]
        H[joint, joint] += FOLLOW
        H[leader, leader] += FOLLOW * share**2
        H[max(joint, leader), min(joint, leader)] -= FOLLOW * share
    for i in range(nv):
        for j in range(i):
            H[j, i] = H[i, j]


@jit_hold_gil
def fill_momentum_cost(
    p: Array,
    com: Array,
    mass: float,
    com_acc: Array,
    angular_rate: Array,
    com_weight: float,
    angular_weight: float,
    force: Array,
    H: Array,
    g: Array,
) -> None:
    """Write the wrenches' part of H and g: |W (G f - rate of momentum)|^2 and more.

    In units of acceleration: body weights times g, moments over mass and height.

    Args:
        p: Middles of the patches (k, 3).
        com: Centre of mass (3,).
        mass: Of the robot [kg].
        com_acc: Acceleration asked of the centre of mass (3,).
        angular_rate: Rate asked of the angular momentum (3,).
        com_weight: Of the centre of mass.
        angular_weight: Of the angular momentum.
        force: Of the wrenches themselves, patch by patch (k,).
        H: Is written (nv + 6 k, nv + 6 k).
        g: Is written (nv + 6 k,).
    """
    size = 6 * len(p)
    first = len(g) - size
    height = max(0.1, com[2] - p[0, 2])
    G = np.zeros((6, size))
    for i in range(len(p)):
        x, y, z = p[i, 0] - com[0], p[i, 1] - com[1], p[i, 2] - com[2]
        for k in range(6):
            G[k, 6 * i + k] = 1.0
        G[3, 6 * i + 1], G[3, 6 * i + 2] = -z, y
        G[4, 6 * i], G[4, 6 * i + 2] = z, -x
        G[5, 6 * i], G[5, 6 * i + 1] = -y, x
    H[first:, first:] = 0.0
    g[first:] = 0.0
    for k in range(6):
        if k < 3:
            scale, w, rate = GRAVITY, com_weight, com_acc[k]
        else:
            scale, w = GRAVITY / height, angular_weight
            rate = angular_rate[k - 3] / (mass * height)
        if k == 2:
            rate += GRAVITY
        for i in range(size):
            x = w * scale * G[k, i]
            if x == 0.0:
                continue
            g[first + i] -= x * rate
            for j in range(size):
                H[first + i, first + j] += x * scale * G[k, j]
    for i in range(size):
        own = force[i // 6]
        H[first + i, first + i] += own if i % 6 < 3 else own * LEVER


@jit_hold_gil
def fill_constraints(
    M: Array,
    h: Array,
    J: Array,
    R: Array,
    tip: Array,
    cones: Array,
    loads: Array,
    weight: float,
    effort: Array,
    A: Array,
    top: Array,
    bottom: Array,
    sense: NDArray[np.int32],
) -> None:
    """Write rows and bounds of everything but the joints' own limits.

    Args:
        M: Mass matrix (nv, nv).
        h: Bias (nv,).
        J: Jacobians of the patches (k, 6, nv).
        R: Axes of the patches (k, 3, 3).
        tip: On which long edge each sole stands, -1 right to 1 left, 0 flat (2,).
        cones: What the patches can take, in their axes (k, 14, 6).
        loads: Greatest loads of the patches, in body weights; 0: in the air (k,).
        weight: Of the robot [N].
        effort: Of the drives (n,).
        A: Is written (rows, nv + 6 k).
        top: Is written: of unknowns and rows (nv + 6 k + rows,).
        bottom: Is written, likewise.
        sense: Is written: where both are equal.
    """
    nv, rows, patches = len(h), A.shape[0], len(J)
    size, last, sides = nv + 6 * patches, rows - len(effort), cones.shape[1]
    for i in range(nv):
        row = i if i < 6 else last + i - 6
        for j in range(nv):
            A[row, j] = M[i, j]
        for foot in range(patches):
            for k in range(6):
                A[row, nv + 6 * foot + k] = -weight * J[foot, k, i]
        high = 0.0 if i < 6 else effort[i - 6]
        top[size + row], bottom[size + row] = high - h[i], -high - h[i]
    for foot in range(patches):
        row, column, on = 6 + foot * (sides + 1), nv + 6 * foot, loads[foot] > 0.0
        for c in range(sides):
            for k in range(6):
                part = k - k % 3
                total = 0.0
                for m in range(3):
                    total += cones[foot, c, part + m] * R[foot, k % 3, m]
                A[row + c, column + k] = total
            top[size + row + c] = 0.0 if on else FREE
        if cones[foot, ROLL_ROW, 2] == 0.0:  # a line takes no moment about itself
            i = size + row + ROLL_ROW
            bottom[i], sense[i] = (0.0, EQUAL) if on else (-FREE, 0)
            top[i + 1] = FREE
        if (
            foot < 2 and tip[foot] != 0.0
        ):  # the pressure is near that edge, or the sole would turn
            c = ROLL_ROW if tip[foot] < 0.0 else ROLL_ROW + 1
            less = -EDGE * abs(tip[foot]) * cones[foot, c, 2]
            for k in range(3):
                A[row + c, column + k] += less * R[foot, k, 2]
        row += sides
        for k in range(3):
            A[row, column + k] = R[foot, k, 2]
        top[size + row] = loads[foot] if on else FREE
        bottom[size + row] = 0.0 if on else -FREE
        limit = FREE if on else 0.0
        for k in range(column, column + 6):
            top[k], bottom[k] = limit, -limit
            sense[k] = 0 if on else EQUAL


@jit_hold_gil
def bound_joints(
    q: Array,
    dq: Array,
    lower: Array,
    upper: Array,
    speed: Array,
    margin: Array,
    top: Array,
    bottom: Array,
) -> None:
    """Bound accelerations so that joints stop before their limits and keep their speed.

    Args:
        q: Joint positions (n,).
        dq: Joint velocities (n,).
        lower: Limits (n,).
        upper: Limits (n,).
        speed: Greatest (n,).
        margin: Is written: distance from the nearer limit (n,).
        top: Is written from entry 6 on.
        bottom: Is written from entry 6 on.
    """
    k = 1.0 / BRAKE_TIME
    for i in range(len(q)):
        above, below = upper[i] - q[i], lower[i] - q[i]
        margin[i] = min(above, -below)
        high = k * (k * max(above, -BEYOND) - 2.0 * dq[i])
        low = k * (k * min(below, BEYOND) - 2.0 * dq[i])
        high = min(high, (speed[i] - dq[i]) / SPEED_TIME)
        low = max(low, (-speed[i] - dq[i]) / SPEED_TIME)
        top[6 + i] = min(max(high, -MAX_ACC), MAX_ACC)
        bottom[6 + i] = min(min(max(low, -MAX_ACC), MAX_ACC), top[6 + i])


@jit_hold_gil
def drive_torques(
    M: Array, h: Array, J: Array, dnu: Array, wrenches: Array, effort: Array
) -> Array:
    """Return M_a dnu + h_a - J_a' f, cut to the drives' efforts (n,)."""
    n, nv = len(effort), len(h)
    tau = np.empty(n)
    for i in range(n):
        total = h[6 + i]
        for j in range(nv):
            total += M[6 + i, j] * dnu[j]
        for foot in range(len(J)):
            for k in range(6):
                total -= J[foot, k, 6 + i] * wrenches[foot, k]
        tau[i] = min(max(total, -effort[i]), effort[i])
    return tau
