"""Finds the first posture in another thread, while the robot keeps its balance."""

from __future__ import annotations

from concurrent.futures import Executor, Future

from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.teleop.loop.operator_motion import Follower

__all__ = ["BackgroundFollower"]


class BackgroundFollower:
    """A follower whose first step after a reset takes as long as it takes.

    The search for the first posture needs tens of milliseconds: too long for a turn of
    the loop that balances a robot.
    """

    def __init__(self, follower: Follower, executor: Executor) -> None:
        """Take a follower that has not stepped yet, and the thread."""
        self._follower, self._executor = follower, executor
        self._first: Future[RobotFrame | None] | None = None
        self._started, self._spent = False, False

    def reset(self) -> None:
        """Forget the motion so far."""
        self._first, self._started, self._spent = None, False, True

    def step(self, frame: HumanFrame) -> RobotFrame | None:
        """Follow one frame; None until the first posture has been found.

        Raises:
            BadFrame: If the frame cannot be followed.
            QpFailed: If the robot's limits contradict each other.
        """
        if self._first is None:
            self._first = self._executor.submit(self._begin, frame, self._spent)
            return None
        if not self._first.done():
            return None
        if not self._started:
            self._first.result()  # raises what the search raised
            self._started = True
        return self._follower.step(frame)

    def _begin(self, frame: HumanFrame, spent: bool) -> RobotFrame | None:
        if spent:
            self._follower.reset()
        return self._follower.step(frame)
