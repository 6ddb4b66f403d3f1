"""What a phase of walking is, and what those with both feet on the floor share."""

from __future__ import annotations

from abc import ABC, abstractmethod

from telexist.retarget.so3 import Array
from telexist.teleop.controllers.stepping import LEFT
from telexist.teleop.controllers.terms import (
    FootTask,
    Intent,
    Measured,
    dcm_feedback,
)
from telexist.teleop.controllers.walking.walk_state import WalkState
from telexist.teleop.controllers.walking.zmp_transfer import ZmpTransfer

__all__ = ["BothFeetPhase", "WalkPhase"]


class WalkPhase(ABC):
    """One phase: it starts, takes steps in time, and knows what comes next.

    Attributes:
        time: Since its start [s]; negative while it waits.
        both_stand: Whether both feet are on the floor.
        bias_share: How much the pivot's bias counts.
    """

    both_stand = True

    def __init__(self, state: WalkState) -> None:
        """Take what all phases share; `start` comes first."""
        self.state, self.time = state, 0.0

    @abstractmethod
    def start(self, measured: Measured) -> None:
        """Begin where the robot is."""

    @abstractmethod
    def step(self, measured: Measured, dt: float) -> Intent:
        """Say what to do in the next dt [s]."""

    @abstractmethod
    def next(self, measured: Measured) -> WalkPhase | None:
        """Return the phase that follows if this one is over, else None."""

    def take_up(self, measured: Measured) -> None:  # noqa: B027
        """Go on after a time in which nobody moved the robot."""

    def finished(self, measured: Measured) -> bool:
        """Return whether standing takes over."""
        return False

    @property
    def bias_share(self) -> float:
        """How much the pivot's bias counts, 0 to 1."""
        return 1.0


class BothFeetPhase(WalkPhase):
    """The ZMP goes along a line while both feet carry."""

    def carry_over(
        self, measured: Measured, transfer: ZmpTransfer, *, wait: float = 0.0
    ) -> None:
        """Begin to move the ZMP after a time to wait [s]."""
        self.transfer, self.wait, self.time = transfer, wait, -wait
        self.polygon = self.state.polygon(measured)

    def step(self, measured: Measured, dt: float) -> Intent:
        """Keep the DCM on the line's."""
        zmp, plan = self.law(measured)
        return self.state.intent(
            self.polygon.nearest(zmp),
            plan,
            self.feet(measured),
            goal=self.state.support.yaw,
            footholds=self.footholds(),
            dt=dt,
        )

    def law(self, measured: Measured) -> tuple[Array, tuple[Array, Array]]:
        """Return the ZMP to ask for, and ZMP and DCM as planned, (2,) each [m]."""
        p = self.state.parameters
        zmp, dcm = self.transfer.zmp(self.time), self.transfer.dcm(self.time)
        asked = dcm_feedback(
            measured.dcm, dcm, zmp, gain=p.walking_dcm_gain, omega=p.omega
        )
        return asked, (zmp, dcm)

    def feet(self, measured: Measured) -> tuple[FootTask, FootTask]:
        """Return the tasks of two feet that may carry all."""
        free = self.state.parameters.walking.standing_load
        return self.state.both_stay(measured, (free, free))

    def footholds(self) -> Array:
        """Return the steps to come (k, 4): those after the foot that landed last."""
        return self.state.plan.preview[1:]

    def loads(self, support: float, other: float) -> tuple[float, float]:
        """Return what left and right may carry."""
        if self.state.support.foot == LEFT:
            return support, other
        return other, support
