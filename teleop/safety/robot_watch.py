"""Watches the loop itself and the robot, and says what is wrong."""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.robots.base import JointCommand, RobotState
from telexist.teleop.settings import LoopSettings, SafetySettings
from telexist.teleop.terms import Fault

__all__ = ["LoopWatch", "RobotWatch"]


class LoopWatch:
    """Tells when a turn of the loop came late."""

    def __init__(self, loop: LoopSettings, safety: SafetySettings) -> None:
        """Prepare with thresholds."""
        self._overrun = safety.overrun / loop.rate
        self._stalled = safety.stalled

    def check(self, period: float) -> tuple[Fault, str] | None:
        """Return the fault of a turn that began `period` [s] after the last, if any."""
        if period > self._stalled:
            return Fault.STALLED, f"a turn took {period * 1e3:.0f} ms"
        if period > self._overrun:
            return Fault.OVERRUN, f"a turn took {period * 1e3:.1f} ms"
        return None


class RobotWatch:
    """Tells when the robot is silent or not where it was sent."""

    def __init__(self, body: RobotBody, safety: SafetySettings) -> None:
        """Prepare for a robot."""
        self._joints = body.kinematics.joints
        self._safety = safety
        self._far_since: float | None = None

    def check(
        self, state: RobotState | None, sent: JointCommand | None, now: float
    ) -> tuple[Fault, str] | None:
        """Return what is wrong with the robot, if anything."""
        if state is None:
            return None
        age = now - state.stamp
        if age > self._safety.robot_deadline:
            return Fault.ROBOT_STALE, f"the robot's newest state is {age:.2f} s old"
        if not (np.isfinite(state.q).all() and np.isfinite(state.dq).all()):
            return Fault.ROBOT_LOST, "the robot's state is not a number"
        if sent is None or sent.tau is not None:
            return None
        return self._tracking(state, sent, now)

    def _tracking(
        self, state: RobotState, sent: JointCommand, now: float
    ) -> tuple[Fault, str] | None:
        error = np.abs(state.q - sent.q)
        worst = int(error.argmax())
        if error[worst] <= self._safety.tracking_error:
            self._far_since = None
            return None
        if self._far_since is None:
            self._far_since = now
        if now - self._far_since < self._safety.tracking_time:
            return None
        return Fault.TRACKING, f"{self._joints[worst]} is {error[worst]:.2f} rad off"
