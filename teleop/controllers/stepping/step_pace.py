"""Steps that come sooner or later than planned are asked for shorter or longer."""

from __future__ import annotations

from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.terms import WalkCommand

__all__ = ["StepPace"]

SLOWEST, FASTEST = 0.7, 1.3  # actual over planned time of a step that is believed
SHARE = 0.4  # of what one step teaches


class StepPace:
    """Learns the time from landing to landing, so that the robot keeps its speed.

    Attributes:
        value: Actual over planned time of a step.
    """

    def __init__(self) -> None:
        """Start with steps that take the time planned."""
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.value, self._time, self._landings = 1.0, 0.0, 0

    def wait(self, dt: float) -> None:
        """Let time pass [s]."""
        self._time += dt

    def landed(self, planned: ControlParameters) -> None:
        """Learn from a landing; the way to the first one is longer.

        Args:
            planned: How long the step was to take.
        """
        if self._landings:
            period = planned.single_support + planned.double_support
            seen = min(max(self._time / period, SLOWEST), FASTEST)
            self.value += SHARE * (seen - self.value)
        self._landings += 1
        self._time = 0.0

    def command(self, asked: WalkCommand) -> WalkCommand:
        """Return the command that, at this pace, gives the speed asked for."""
        k = self.value
        return WalkCommand(vx=k * asked.vx, vy=k * asked.vy, wz=k * asked.wz)
