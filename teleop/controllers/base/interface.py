"""What every controller does: references in, joint commands out."""

from __future__ import annotations

from typing import Protocol

from telexist.retarget.kinematics import Configuration
from telexist.robots.base import JointCommand, RobotState
from telexist.teleop.terms import ControllerReport, RobotReference

__all__ = ["Controller"]


class Controller(Protocol):
    """Turns references into joint commands, at its own rate."""

    @property
    def base(self) -> str:
        """How the robot must be held: "fixed" (bolted or on a pole) or "free"."""

    @property
    def walks(self) -> bool:
        """Whether it follows walking commands."""

    @property
    def period(self) -> float:
        """Time between two steps [s]."""

    @property
    def fallen(self) -> Configuration | None:
        """None; after a fall, how the robot must be put on its feet before `reset`."""

    def reset(self, state: RobotState) -> None:
        """Start from a state, at rest."""

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return the command for the next `dt` seconds; bounded, whatever comes in."""

    def report(self) -> ControllerReport:
        """Return what the last step is to show."""
