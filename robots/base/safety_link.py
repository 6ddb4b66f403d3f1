"""How a robot is stopped by somebody else than the session that drives it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from telexist.robots.base.interface import JointCommand, RobotState

__all__ = ["HasSafetyLink", "SafetyLink"]


class SafetyLink(Protocol):
    """A second hand on a robot; it is given to another process before it is used.

    `seize` alone brings the robot to a stop: from then on its drives heed this link
    only. What they do without a command is the back end's to say: servos brake within
    their bounds and hold (stop category 2 of IEC 60204-1), drives under torques damp.
    """

    @property
    def seized(self) -> bool:
        """Whether the robot heeds this link alone."""

    def seize(self) -> None:
        """Take the robot; may be called twice."""

    def release(self) -> None:
        """Give the robot back to the session, whose newest commands count again."""

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before there is one; never blocks."""

    def send(self, command: JointCommand) -> None:
        """Command the robot that was seized; never blocks."""

    def let_go(self) -> None:
        """The session has died and the robot is at rest: leave it, safely."""


@runtime_checkable
class HasSafetyLink(Protocol):
    """A robot that another process can reach too."""

    def safety_link(self) -> SafetyLink:
        """Return the second hand; there after `connect`."""
