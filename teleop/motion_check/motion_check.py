"""What came of playing a motion."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array
from telexist.robots.description import RobotModel
from telexist.teleop.scenarios import Trace

__all__ = ["CHECK_RATE", "MotionCheck"]

CHECK_RATE = 200.0  # [Hz] of the controller


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionCheck:
    """A motion that has been played.

    Attributes:
        robot: The robot.
        motion: The motion.
        joints: Names of the joints, in the order of the columns.
        effort: Of the drives (n,).
        gantry: Whether the base was held.
        length: Of the motion [s].
        trace: What happened in every step, until a fall.
        ended_at: When the robot fell, or lost the motion [s]; None if it did not.
        reason: What was seen then; "" if nothing.
        causes: What the motion, or a drive, did in the second before.
        qp_failures: Steps whose program needed a fallback.
    """

    robot: RobotModel
    motion: RobotMotion
    joints: tuple[str, ...]
    effort: Array
    gantry: bool
    length: float
    trace: Trace
    ended_at: float | None
    reason: str
    causes: tuple[str, ...]
    qp_failures: int = 0

    @property
    def passed(self) -> bool:
        """Whether the robot played the motion to its end."""
        return self.ended_at is None
