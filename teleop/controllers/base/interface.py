"""What every controller does: references in, joint commands out."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.robots.base import JointCommand, RobotState
from telexist.teleop.terms import ControllerReport, RobotReference

__all__ = ["Controller", "Several", "TakesOver"]


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


@runtime_checkable
class TakesOver(Controller, Protocol):
    """A controller that can take over a robot in motion, and be relieved of it.

    While another one leads, `look_on` is called in place of `step`.
    """

    @property
    def posture(self) -> Configuration:
        """How the robot stands ready."""

    @property
    def steady(self) -> bool:
        """Whether it stands by the robot's model, so that others fall back on it."""

    def look_on(
        self, state: RobotState, reference: RobotReference, given: Array, dt: float
    ) -> None:
        """See what another one does, so as to be ready.

        Args:
            state: What the sensors say.
            reference: Where the operator wants the robot.
            given: Torques that the drives were told (n,) [N m].
            dt: Time since the last look or step [s].
        """

    def waits_to_take(self) -> str:
        """Return why it cannot take over now, or ""."""

    def waits_to_leave(self) -> str:
        """Return why nobody else can take over now, or ""."""

    def take_over(self, state: RobotState) -> None:
        """Lead from now on, from the state that the robot is in.

        Raises:
            BadInput: If it cannot; another one goes on.
        """

    def was_given(self, tau: Array) -> None:
        """Hear what the drives were told in place of the last command (n,) [N m]."""

    def astray(self, state: RobotState, reference: RobotReference) -> str:
        """Return why it should not lead any longer, or ""."""


@runtime_checkable
class Several(Protocol):
    """Controllers of which one leads; others can be asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of all, in order."""

    @property
    def leader(self) -> str:
        """Who leads."""

    @property
    def notice(self) -> str:
        """What an operator should know of it."""

    def ask(self, name: str = "") -> None:
        """Ask for one of them to lead; "" for the next."""
