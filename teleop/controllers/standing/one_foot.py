"""On one foot: the other one follows the operator's, and is put down again."""

from __future__ import annotations

from collections.abc import Callable

from telexist.teleop.controllers.operator import FreeFoot, StandingFoot
from telexist.teleop.controllers.standing.stand_phase import OperatorFeet, StandPhase
from telexist.teleop.controllers.standing.stand_state import StandState
from telexist.teleop.controllers.stepping import side_of
from telexist.teleop.controllers.terms import FootTask, Measured

__all__ = ["OneFoot"]


class OneFoot(StandPhase):
    """One foot carries; the other one is in the air."""

    def __init__(
        self,
        state: StandState,
        support: int,
        both: Callable[[StandState], StandPhase],
    ) -> None:
        """Take what all phases share.

        Args:
            state: Shared by all phases.
            support: The foot that carries.
            both: Makes the phase on two feet that comes in the end.
        """
        super().__init__(state, support)
        self.foot, self._both = support, both

    def start(self, measured: Measured) -> None:
        """Lift the foot where it stands."""
        p, swing = self.state.parameters, 1 - self.foot
        self.free = FreeFoot(
            measured.sole_p[swing],
            measured.sole_R[swing],
            sole=self.state.soles[swing],
            side=side_of(swing),
            clearance=p.standing.clearance * p.step_height,
            width=p.min_step_width,
            parameters=p.free_foot,
        )

    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return the putting down once the operator stands otherwise."""
        if operator.only == self.support:
            return None
        return PuttingDown(self.state, self.foot, self.free, self._both)

    def other(
        self, foot: int, measured: Measured, operator: OperatorFeet, dt: float
    ) -> FootTask:
        """Return the task of the foot in the air."""
        self.move(foot, measured, operator, dt)
        self.state.loads[foot] = self.state.parameters.standing.held_load
        acc = self.free.acceleration(
            measured.sole_p[foot], measured.sole_R[foot], measured.sole_v[foot]
        )
        return FootTask(load=0.0, acc=acc, tips=not self.free.lowering)

    def move(
        self, foot: int, measured: Measured, operator: OperatorFeet, dt: float
    ) -> None:
        """Follow the operator's foot."""
        now = measured.sole_R[foot]
        self.free.follow(operator.reach(foot), self.standing(measured), dt, now=now)

    def standing(self, measured: Measured) -> StandingFoot:
        """Return what the foot in the air must keep away from."""
        return StandingFoot(
            p=measured.sole_p[self.foot],
            yaw=float(measured.sole_yaw[self.foot]),
            floor=self.state.floor,
        )

    @property
    def on_floor(self) -> tuple[int, ...]:
        """The foot that carries."""
        return self.carrying

    @property
    def lifted(self) -> int | None:
        """The other foot."""
        return 1 - self.foot


class PuttingDown(OneFoot):
    """The foot in the air goes down to where it was lifted."""

    def __init__(
        self,
        state: StandState,
        support: int,
        free: FreeFoot,
        both: Callable[[StandState], StandPhase],
    ) -> None:
        """Take over the foot in the air; other arguments as of `OneFoot`."""
        super().__init__(state, support, both)
        self.free = free

    def start(self, measured: Measured) -> None:
        """Go on with the foot as it is."""

    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return standing on both feet once the foot has landed, or must have."""
        state, p = self.state, self.state.parameters
        clearance = p.standing.clearance * p.step_height
        down = self.free.world_p_sole[2] < state.floor + 0.5 * clearance
        felt = measured.load[1 - self.foot] > p.standing.touchdown_load
        if (down and felt) or self.free.pressing > p.standing.latest:
            return self._both(state)
        return None

    def move(
        self, foot: int, measured: Measured, operator: OperatorFeet, dt: float
    ) -> None:
        """Lower the foot."""
        self.free.lower(self.standing(measured), dt)

    @property
    def lifted(self) -> int | None:
        """None: it is on its way down, and what it feels counts."""
        return None
