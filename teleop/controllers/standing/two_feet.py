"""On both feet, and the way to one: the weight shifts, then leaves the other foot."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.standing.one_foot import OneFoot
from telexist.teleop.controllers.standing.stand_phase import OperatorFeet, StandPhase
from telexist.teleop.controllers.standing.stand_state import StandState, place_over
from telexist.teleop.controllers.terms import FootTask, Measured, stay

__all__ = ["TwoFeet"]


class TwoFeet(StandPhase):
    """Both feet carry."""

    def __init__(self, state: StandState) -> None:
        """Take what all phases share."""
        super().__init__(state, None)

    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return the shift over the operator's only foot, if there is one."""
        if operator.only is None:
            return None
        return WeightShift(self.state, operator.only)


class WeightShift(StandPhase):
    """Both feet are on the floor, and the weight goes over one of them."""

    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return the unloading once the weight is there."""
        if operator.only != self.support:
            return TwoFeet(self.state)
        place = place_over(measured, self.carrying)
        off = _distance(measured.com[:2], place) + _distance(self.state.dcm, place)
        if off >= self.state.parameters.standing.arrived:
            return None
        return Unloading(self.state, self.support)


class Unloading(StandPhase):
    """The load leaves the foot that is to be lifted."""

    def next(self, measured: Measured, operator: OperatorFeet) -> StandPhase | None:
        """Return the lift once the load is gone."""
        if operator.only != self.support:
            return TwoFeet(self.state)
        if self.time <= self.state.parameters.standing.unload_time:
            return None
        return OneFoot(self.state, self.carrying[0], TwoFeet)

    def other(
        self, foot: int, measured: Measured, operator: OperatorFeet, dt: float
    ) -> FootTask:
        """Return the task of a foot that may carry less and less."""
        state, p = self.state, self.state.parameters
        left = 1.0 - self.time / p.standing.unload_time
        state.loads[foot] = max(p.walking.leaving_load, left)
        return stay(measured, foot, state.normal, state.loads[foot])


def _distance(a: Array, b: Array) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))
