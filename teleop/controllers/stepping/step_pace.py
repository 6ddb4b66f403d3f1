"""Steps that come sooner or later than planned are asked for shorter or longer."""

from __future__ import annotations

from telexist.teleop.controllers.parameters import ControlParameters, GaitParameters
from telexist.teleop.terms import WalkCommand

__all__ = ["StepPace"]


class StepPace:
    """Learns the time from landing to landing, so that the robot keeps its speed.

    Attributes:
        value: Actual over planned time of a step.
    """

    def __init__(self, gait: GaitParameters | None = None) -> None:
        """Start with steps that take the time planned."""
        self._p = gait or GaitParameters()
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
            p = self._p
            seen = min(max(self._time / period, p.slowest_pace), p.fastest_pace)
            self.value += p.pace_share * (seen - self.value)
        self._landings += 1
        self._time = 0.0

    def command(self, asked: WalkCommand) -> WalkCommand:
        """Return the command that, at this pace, gives the speed asked for."""
        k = self.value
        return WalkCommand(vx=k * asked.vx, vy=k * asked.vy, wz=k * asked.wz)
