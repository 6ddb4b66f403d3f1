"""What fails in a scenario: the controller's computer, or a sole's force sensor."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.robots.base import RobotState
from telexist.teleop.scenarios.options import ScenarioOptions

__all__ = ["Faults", "faults_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """From when on what fails, and for how long.

    Attributes:
        start: [s].
        stall: How long the computer stands still [s].
        foot_lost: How long the left sole's force sensor says zero [s].
    """

    start: float
    stall: float
    foot_lost: float

    def stalled(self, time: float) -> bool:
        """Return whether no new command comes at a time [s]."""
        return self.start <= time < self.start + self.stall

    def felt(self, state: RobotState, time: float) -> RobotState:
        """Return a reading with what has failed left out."""
        if not self.start <= time < self.start + self.foot_lost:
            return state
        wrenches = np.array(state.foot_wrenches)
        wrenches[0] = 0.0
        return replace(state, foot_wrenches=wrenches)


def faults_of(options: ScenarioOptions) -> Faults:
    """Return the faults of a scenario, at a moment that its seed draws."""
    rng = np.random.default_rng([options.seed, 0xFA])
    start = options.fault_time
    if start < 0.0:
        start = options.duration * rng.uniform(0.5, 0.7)
    return Faults(start=start, stall=options.stall, foot_lost=options.foot_lost)
