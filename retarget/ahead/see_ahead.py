"""The second pass: a retargeted clip made smooth and balanced, all frames together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.ahead.ahead_robot import AheadRobot, make_ahead_robot
from telexist.retarget.ahead.body_motion import place_bodies
from telexist.retarget.ahead.clip_problem import ClipProblem
from telexist.retarget.ahead.even_motion import Postures, even_times, postures_at
from telexist.retarget.ahead.inside_limits import above_floor, inside_limits
from telexist.retarget.ahead.settings import AheadSettings
from telexist.retarget.ahead.stands import find_stands
from telexist.retarget.errors import QpFailed
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["see_ahead"]

FEWEST = 8  # frames of a clip that has anything to see ahead


def see_ahead(
    body: RobotBody,
    motion: RobotMotion,
    masses: RobotMasses | None = None,
    settings: AheadSettings | None = None,
) -> RobotMotion:
    """Return a motion as near to the given one as balance and smoothness allow.

    Soles stay where they stand, limits are kept, the ZMP stays over what stands. The
    time it takes is linear in the length of the clip.

    Args:
        body: The robot.
        motion: Of that robot, inside all limits, as the engine gives it.
        masses: Of the robot; None, or a fixed base: the result is smooth only.
        settings: What counts how much.

    Raises:
        QpFailed: If the equations have no answer.
    """
    grid = even_times(motion.time) if len(motion.time) > 2 else motion.time
    if len(grid) < FEWEST:
        return motion
    robot = make_ahead_robot(body, masses)
    given = Postures(motion.base_position, motion.base_rotation, motion.joint_positions)
    planted = np.stack([motion.contact_left, motion.contact_right], axis=1)
    even = postures_at(given, motion.time, grid)
    at = _nearest(motion.time, grid)
    try:
        found = _improved(robot, even, planted[at], grid, settings or AheadSettings())
    except np.linalg.LinAlgError as error:
        raise QpFailed(
            f"{motion.source}: the second pass has no answer ({error}); "
            "--quality kinematic does without"
        ) from error
    back = postures_at(found, grid, motion.time)
    q = inside_limits(robot, body, back.q, given.q, motion.time)
    if body.fixed_base:
        back = back._replace(p=given.p, R=given.R)
    back = above_floor(robot, back._replace(q=q))
    speeds = np.diff(q, axis=0) / np.diff(motion.time)[:, None]
    return replace(
        motion,
        joint_positions=q,
        joint_velocities=np.vstack([motion.joint_velocities[:1], speeds]),
        base_position=back.p,
        base_rotation=back.R,
    )


def _improved(
    robot: AheadRobot,
    given: Postures,
    planted: np.ndarray,
    grid: Array,
    settings: AheadSettings,
) -> Postures:
    sides, dt = planted[:, : len(robot.soles)], float(grid[1] - grid[0])
    stands = find_stands(robot.soles, place_bodies(robot.tree, given), sides, dt)
    problem = ClipProblem(robot, given, stands, dt, settings)
    now = given
    for k in range(settings.solutions):
        before, now = now, problem.improved(now, balanced=k > 0)
        if k > 1 and np.abs(now.q - before.q).max(initial=0.0) < settings.settled:
            break
    return now


def _nearest(time: Array, grid: Array) -> np.ndarray:
    """Return the frames that are nearest to even times."""
    after = np.clip(np.searchsorted(time, grid), 1, len(time) - 1)
    return after - (grid - time[after - 1] < time[after] - grid)
