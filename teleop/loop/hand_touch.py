"""What the robot's hands feel, for the operator: magnitudes, a few times a second."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.robots.base import RobotFeedback, RobotState

__all__ = ["HandTouch"]

PERIOD = 1.0 / 30.0  # [s]


class HandTouch:
    """Adds the forces at the hands to what goes back to the operator."""

    def __init__(self) -> None:
        """Begin with nothing felt."""
        self._last = float("-inf")

    def add(
        self, feedback: RobotFeedback | None, state: RobotState | None
    ) -> RobotFeedback | None:
        """Return the feedback with forces, where a robot measures them and it is time.

        Args:
            feedback: Of the robot; what it says of forces itself stays.
            state: Its newest state.
        """
        if state is None or state.hand_wrenches is None:
            return feedback
        if state.stamp - self._last < PERIOD:
            return feedback
        if feedback is not None and feedback.hand_forces is not None:
            return feedback
        self._last = state.stamp
        forces = np.linalg.norm(state.hand_wrenches[:, :3], axis=1)
        if not np.isfinite(forces).all():
            return feedback
        if feedback is None:
            return RobotFeedback(stamp=state.stamp, hand_forces=forces)
        return replace(feedback, hand_forces=forces)
