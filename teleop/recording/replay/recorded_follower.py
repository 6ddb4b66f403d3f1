"""A follower that finds its first posture when it found it in a recorded session."""

from __future__ import annotations

from collections.abc import Callable

from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.teleop.loop import Follower
from telexist.teleop.terms import Tick

__all__ = ["RecordedFollower"]


class RecordedFollower:
    """Skips the frames that came while a `BackgroundFollower` was still searching."""

    def __init__(self, follower: Follower, turn: Callable[[], Tick | None]) -> None:
        """Take what follows, and who knows the turn that is repeated."""
        self._follower, self._turn = follower, turn
        self._begun, self._found = False, False

    def reset(self) -> None:
        """Forget the motion so far."""
        self._follower.reset()
        self._begun, self._found = False, False

    def step(self, frame: HumanFrame) -> RobotFrame | None:
        """Follow one frame; None where there was no posture yet."""
        self._found = self._found or self._answered(frame)
        if self._begun and not self._found:
            return None
        self._begun = True
        posture = self._follower.step(frame)
        return posture if self._found else None

    def _answered(self, frame: HumanFrame) -> bool:
        turn = self._turn()
        targets = None if turn is None else turn.targets
        return targets is not None and targets.stamp == frame.stamp
