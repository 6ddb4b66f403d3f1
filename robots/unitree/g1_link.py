"""A way to a G1: commands out, states in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from telexist.robots.unitree.low_command import LowCommand
from telexist.robots.unitree.low_state import LowState

__all__ = ["G1Link"]


class G1Link(Protocol):
    """One connection; `open` and `close` may each be called twice."""

    @property
    def where(self) -> str:
        """Where the robot is, for people."""

    @property
    def when_we_die(self) -> str:
        """What the robot does when this program dies, for people."""

    def open(self, hear: Callable[[LowState], None]) -> None:
        """Begin; `hear` is called with every state that can be read, in a thread.

        Raises:
            MissingDependency: If a library is absent.
            RobotLost: If there is no such way.
        """

    def send(self, command: LowCommand) -> bool:
        """Send a command; return whether it went out. Never blocks."""

    def close(self) -> None:
        """End."""
