"""What a phase of standing is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from telexist.teleop.controllers.operator import SoleGoal
from telexist.teleop.controllers.standing.stand_state import StandState
from telexist.teleop.controllers.stepping import LEFT, RIGHT
from telexist.teleop.controllers.terms import FootTask, Measured, stay

__all__ = ["OperatorFeet", "StandPhase"]


@dataclass(frozen=True, slots=True)
class OperatorFeet:
    """What the operator's legs do.

    Attributes:
        planted: Whether the left and the right foot stand.
        reach: Where the leg has the left (0) or the right (1) sole.
    """

    planted: tuple[bool, bool]
    reach: Callable[[int], SoleGoal]

    @property
    def only(self) -> int | None:
        """The only foot that stands; None for both, or neither."""
        if self.planted[LEFT] == self.planted[RIGHT]:
            return None
        return LEFT if self.planted[LEFT] else RIGHT


class StandPhase(ABC):
    """One phase: it starts, takes steps in time, and knows what comes next.

    Attributes:
        state: What all phases share.
        support: The only foot that is to carry, or None for both.
        carrying: Feet that the robot is to stand on.
        time: Since the start of the phase [s].
    """

    def __init__(self, state: StandState, support: int | None) -> None:
        """Take what all phases share."""
        self.state, self.support, self.time = state, support, 0.0
        self.carrying = (LEFT, RIGHT) if support is None else (support,)

    def start(self, measured: Measured) -> None:  # noqa: B027
        """Begin where the robot is; most have nothing to prepare."""

    @abstractmethod
    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return the phase that follows if this one is over, else None."""

    def step(
        self, measured: Measured, operator: OperatorFeet, dt: float
    ) -> tuple[FootTask, FootTask]:
        """Return what left and right do in the next dt [s]."""
        left, right = (
            self._stay(measured, i, dt)
            if i in self.carrying
            else self.other(i, measured, operator, dt)
            for i in (LEFT, RIGHT)
        )
        return left, right

    def other(
        self, foot: int, measured: Measured, operator: OperatorFeet, dt: float
    ) -> FootTask:
        """Return what the foot does that is not to carry."""
        return stay(measured, foot, self.state.normal)

    @property
    def on_floor(self) -> tuple[int, ...]:
        """Feet that can take load now."""
        return (LEFT, RIGHT)

    @property
    def lifted(self) -> int | None:
        """The foot that is held up in the air; not one on its way down."""
        return None

    def _stay(self, measured: Measured, foot: int, dt: float) -> FootTask:
        return stay(measured, foot, self.state.normal, self.state.carry(foot, dt))
