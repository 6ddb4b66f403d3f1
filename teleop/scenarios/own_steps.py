"""A recording whose steps the robot makes, too: walk where the operator walks."""

from __future__ import annotations

from typing import Any

import numpy as np
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.signals import RobotFrame, RobotMotion
from telexist.retarget.smoothing import MinimumJerkFilter, minimum_jerk
from telexist.retarget.so3 import Array, rotation_z, yaw_of
from telexist.robots.description import RobotModel
from telexist.teleop.loop import OwnSteps
from telexist.teleop.scenarios.trace import Trace
from telexist.teleop.scenarios.upper_body import SMOOTHING, JointMotion

__all__ = ["REST", "WalkedRecording", "own_steps_figures"]

BEGIN = 2.0  # [s] in which the first posture is reached; the operator walks after it
PAUSE = 1.0  # [s] in that posture
REST = 2.0  # [s] of standing after which the walk is over


class WalkedRecording:
    """A recording, once: its posture, and its way as a path.

    Attributes:
        way: Of the base from begin to end: ahead, to the left [m], heading [rad] (3,).
        end: Of the recording [s].
    """

    def __init__(
        self, robot: RobotModel, posture: Array, clip: str, period: float
    ) -> None:
        """Retarget the recording.

        Args:
            robot: The robot.
            posture: Where the joints start (n,) [rad].
            clip: A file, or "builtin".
            period: Of the calls to `at` [s].
        """
        human = builtin_clip() if clip == "builtin" else read_clip(clip)
        self._motion = motion = Retargeter(robot.body, human.size).run(human)
        self._steps = OwnSteps(robot.body)
        self._filter = MinimumJerkFilter(np.full(len(posture), SMOOTHING))
        self._filter.reset(posture)
        self._posture, self._period = posture, period
        self.end = BEGIN + PAUSE + float(motion.time[-1] - motion.time[0])
        self.way = _way(motion, robot.body.neutral.world_R_base)

    def at(self, time: float) -> JointMotion:
        """Return the motion at a time [s], one period after the last call."""
        motion = self._motion
        t = float(motion.time[0]) + max(time - BEGIN - PAUSE, 0.0)
        i = min(int(np.searchsorted(motion.time, t)), len(motion.time) - 1)
        ended = time >= self.end
        stands = (bool(motion.contact_left[i]), bool(motion.contact_right[i]))
        planted = (True, True) if ended else stands
        if time >= BEGIN:
            self._steps.follow(_frame(motion, i, planted), self._period)
        share = float(minimum_jerk(time / BEGIN))
        goal = self._posture + share * (motion.joint_positions[i] - self._posture)
        self._filter.step(goal, self._period)
        x, steps = self._filter, self._steps
        q, dq, ddq = np.array(x.x), np.array(x.dx), np.array(x.ddx)
        return JointMotion(q, dq, ddq, steps.planted, steps.value)


def own_steps_figures(
    trace: Trace, upper: WalkedRecording, ready: Array
) -> dict[str, Any]:
    """Return how well the robot has gone the operator's way.

    Args:
        trace: What was done: `time`, `base` and `base_R`.
        upper: What was asked.
        ready: `world_R_base` (3, 3) of the robot standing ready.
    """
    base, turned = trace.array("base"), yaw_of(trace.array("base_R") @ ready.T)
    begin = float(turned[0])
    done = _turned(base[-1, :2] - base[0, :2], -begin)
    turn = float(np.unwrap(turned)[-1]) - begin
    off = (turn - upper.way[2] + np.pi) % (2.0 * np.pi) - np.pi
    return {
        "path_asked": float(np.linalg.norm(upper.way[:2])),
        "path_done": float(np.linalg.norm(done)),
        "path_end_error": float(np.linalg.norm(done - upper.way[:2])),
        "path_end_turn_error_deg": float(abs(np.degrees(off))),
        "path_late": max(float(trace.array("time")[-1]) - REST - upper.end, 0.0),
    }


def _frame(motion: RobotMotion, i: int, planted: tuple[bool, bool]) -> RobotFrame:
    return RobotFrame(
        stamp=float(motion.time[i]),
        q=motion.joint_positions[i],
        dq=motion.joint_velocities[i],
        world_p_base=motion.base_position[i],
        world_R_base=motion.base_rotation[i],
        planted=planted,
    )


def _way(motion: RobotMotion, ready: Array) -> Array:
    """Return where the base ends from where it begins, and its turn (3,)."""
    yaw = np.unwrap(yaw_of(motion.base_rotation @ ready.T))
    p = motion.base_position
    place = _turned(p[-1, :2] - p[0, :2], -float(yaw[0]))
    return np.array([*place, yaw[-1] - yaw[0]])


def _turned(place: Array, angle: float) -> Array:
    return np.array(rotation_z(angle)[:2, :2] @ place)
