"""The last step: not one sample beyond a limit, not one sole in the floor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.ahead.ahead_robot import AheadRobot
from telexist.retarget.ahead.body_motion import place_bodies
from telexist.retarget.ahead.even_motion import Postures
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array

__all__ = ["above_floor", "inside_limits"]

DEEPEST = 0.001  # [m] that a sole may be in the floor, as in the engine


def inside_limits(
    robot: AheadRobot, body: RobotBody, wanted: Array, safe: Array, time: Array
) -> Array:
    """Return joint positions (t, n) that keep every limit, near to those wanted.

    A posture beyond a limit on a sum of joints goes back towards the safe one, which
    keeps all limits; a step that is too fast is cut short, tied joints together, and
    caught up with later. As all limits on positions are convex, both keep them.

    Args:
        robot: The robot.
        body: The same, for its followers.
        wanted: (t, n).
        safe: Inside all limits on positions (t, n).
        time: (t,) [s].
    """
    roles = robot.roles
    q = np.where(roles.held, safe, np.clip(wanted, roles.lower, roles.upper))
    q = _led(body, q)
    for row, least, most in zip(
        roles.rows, roles.row_lower, roles.row_upper, strict=True
    ):
        if least == most:
            continue
        now, before = q @ row, safe @ row
        beyond = (now < least) | (now > most)
        edge = np.where(now > most, most, least)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.clip((edge - before) / (now - before), 0.0, 1.0)
        share = np.where(beyond & np.isfinite(share), share * (1.0 - 1e-9), 1.0)
        q = safe + share[:, None] * (q - safe)
    groups = _groups(body)
    for k in range(1, len(q)):
        most = body.velocity * (time[k] - time[k - 1])
        step = q[k] - q[k - 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            times = np.where(step != 0.0, np.abs(step) / most, 0.0)
        if times.max(initial=0.0) > 1.0:
            slow = np.ones(groups.max() + 1)
            np.maximum.at(slow, groups, times)
            q[k] = q[k - 1] + step / slow[groups]
    return _led(body, q)


def _led(body: RobotBody, q: Array) -> Array:
    """Put followers where their leaders say."""
    out = q.copy()
    for mimic in body.mimics:
        i, leader = (body.kinematics.index(j) for j in (mimic.joint, mimic.leader))
        led = mimic.multiplier * q[:, leader] + mimic.offset
        out[:, i] = np.clip(led, body.lower[i], body.upper[i])
    return out


def _groups(body: RobotBody) -> NDArray[np.int64]:
    """Return which joints are slowed together (n,): those that a limit joins."""
    group = np.arange(body.kinematics.n)
    ties = [coupling.joints for coupling in body.couplings]
    ties += [(mimic.joint, mimic.leader) for mimic in body.mimics]
    for names in ties:
        members = group[[body.kinematics.index(name) for name in names]]
        group[np.isin(group, members)] = members.min()
    return group


def above_floor(robot: AheadRobot, given: Postures) -> Postures:
    """Lift the robot where a sole is in the floor."""
    if not robot.soles:
        return given
    placed = place_bodies(robot.tree, given)
    lowest = np.min(
        [sole.at(placed)[..., 2].min(axis=1) for sole in robot.soles], axis=0
    )
    p = given.p.copy()
    p[:, 2] += np.maximum(-DEEPEST - lowest, 0.0)
    return given._replace(p=p)
