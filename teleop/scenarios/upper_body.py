"""What the upper body follows: a posture, a sinusoid of the arms, or a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.smoothing import MinimumJerkFilter, minimum_jerk
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.teleop.scenarios.options import ScenarioOptions
from telexist.teleop.terms import PathReference

__all__ = ["JointMotion", "Recording", "UpperBody", "make_upper_body"]

SMOOTHING = 0.3  # [s] of a recording
BEGIN = 2.0  # [s] in which a motion grows from rest


@dataclass(frozen=True, slots=True)
class JointMotion:
    """What the joints are asked at one time.

    Attributes:
        q: Positions (n,).
        dq: Velocities (n,).
        ddq: Accelerations (n,).
        planted: Whether the operator stands on the left and the right foot.
        path: Of the operator's own steps, or None.
    """

    q: Array
    dq: Array
    ddq: Array
    planted: tuple[bool, bool] = (True, True)
    path: PathReference | None = None


class UpperBody(Protocol):
    """A motion to follow."""

    def at(self, time: float) -> JointMotion:
        """Return the motion at a time [s]; times come in order."""
        ...


class ArmSinusoid:
    """Arms that swing about their standing posture, inside their limits."""

    def __init__(
        self,
        robot: RobotModel,
        posture: Array,
        arms: np.ndarray,
        options: ScenarioOptions,
    ) -> None:
        """Take posture (n,), which joints are arms (n,) bool, and the options."""
        amplitude, body = options.arm_amplitude, robot.body
        margin = np.maximum(0.5 * (body.upper - body.lower) - 0.05, 0.0)
        self._amplitude = np.where(arms, np.minimum(amplitude, margin), 0.0)
        low, high = body.lower + 0.05, body.upper - 0.05
        centre = np.clip(posture, low + self._amplitude, high - self._amplitude)
        self._posture, self._shift = posture, np.where(arms, centre - posture, 0.0)
        self._w = 2.0 * np.pi * options.arm_frequency

    def at(self, time: float) -> JointMotion:
        """Return the motion at a time [s]."""
        s = min(time / BEGIN, 1.0)
        m = s**3 * (10.0 + s * (6.0 * s - 15.0))
        dm = 30.0 * s * s * (1.0 - s) ** 2 / BEGIN
        ddm = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / BEGIN**2
        wave, slope = np.sin(self._w * time), self._w * np.cos(self._w * time)
        x = self._shift + self._amplitude * wave
        dx, ddx = self._amplitude * slope, -(self._w**2) * self._amplitude * wave
        return JointMotion(
            self._posture + m * x, dm * x + m * dx, ddm * x + 2.0 * dm * dx + m * ddx
        )


class Recording:
    """A recording carried over to the robot, smoothed, again and again.

    Attributes:
        ahead: By which its time is ahead of that of the run [s].
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
        motion = Retargeter(robot.body, human.size).run(human)
        self.ahead = 0.0
        self._time, self._q = motion.time, motion.joint_positions
        self._left, self._right = motion.contact_left, motion.contact_right
        self._filter = MinimumJerkFilter(np.full(len(posture), SMOOTHING))
        self._filter.reset(posture)
        self._posture, self._period = posture, period

    def at(self, time: float) -> JointMotion:
        """Return the motion at a time [s], one period after the last call."""
        length = float(self._time[-1])
        t = (time + self.ahead) % (2.0 * length)
        t = min(t, 2.0 * length - t)  # there and back: no jump at the end
        i = min(int(np.searchsorted(self._time, t)), len(self._time) - 1)
        share = float(minimum_jerk(time / BEGIN))
        goal = self._posture + share * (self._q[i] - self._posture)
        self._filter.step(goal, self._period)
        x = self._filter
        planted = (bool(self._left[i]), bool(self._right[i]))
        return JointMotion(np.array(x.x), np.array(x.dx), np.array(x.ddx), planted)


def make_upper_body(
    robot: RobotModel, posture: Array, arms: np.ndarray, options: ScenarioOptions
) -> UpperBody:
    """Return what the options ask for."""
    if options.clip:
        return Recording(robot, posture, options.clip, 1.0 / options.control_rate)
    return ArmSinusoid(robot, posture, arms, options)
