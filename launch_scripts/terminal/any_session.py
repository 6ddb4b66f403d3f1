"""What a terminal needs of a session, with a robot or without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from telexist.robots.base import Check
from telexist.teleop.loop import TeleopLoop, WatchLoop
from telexist.teleop.recording import SessionRecorder
from telexist.teleop.sinks import Summary
from telexist.teleop.terms import Request
from telexist.teleop.viewers.live import LivePage

__all__ = ["AnySession"]


class AnySession(Protocol):
    """A session that can be opened, run and summed up."""

    page: LivePage | None
    recorder: SessionRecorder | None

    @property
    def loop(self) -> TeleopLoop | WatchLoop:
        """The loop."""

    @property
    def title(self) -> str:
        """Of the summary."""

    @property
    def touched(self) -> str:
        """Which joints met their limits; "" where there are none to meet."""

    def open(self, confirm: Callable[[list[Check]], bool] = ...) -> list[str]:
        """Open everything; return lines that a user should read."""

    def run(self, duration: float = ...) -> Summary:
        """Run to the end; sum it up."""

    def request(self, request: Request) -> None:
        """Ask for something, as a button would."""

    def summary(self) -> Summary:
        """Return the figures so far."""
