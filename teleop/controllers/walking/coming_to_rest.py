"""After the last step: the weight goes between the feet, and standing takes over."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.stepping import Foothold
from telexist.teleop.controllers.terms import Measured
from telexist.teleop.controllers.walking.walk_phase import BothFeetPhase, WalkPhase
from telexist.teleop.controllers.walking.walk_state import WalkState
from telexist.teleop.controllers.walking.zmp_transfer import ZmpTransfer

__all__ = ["ComingToRest"]


class ComingToRest(BothFeetPhase):
    """The last double support."""

    def __init__(self, state: WalkState, old: Foothold, wait: float) -> None:
        """Take what all phases share.

        Args:
            state: Shared by all phases.
            old: Where the robot stood.
            wait: Before the weight moves, since the foot came early [s].
        """
        super().__init__(state)
        self._old, self._wait = old, wait

    def start(self, measured: Measured) -> None:
        """Begin on the foot behind."""
        p, old = self.state.parameters, self._old.p
        middle = 0.5 * (old + self.state.support.p)
        duration = p.walking.last_double_support / p.omega
        transfer = ZmpTransfer(old, middle, duration, middle, p.omega)
        self.carry_over(measured, transfer, wait=self._wait)
        self._reach = self.state.polygon(measured, p.walking.pressure_share)

    def next(self, measured: Measured) -> WalkPhase | None:
        """Return None: no phase of walking follows."""
        return None

    def finished(self, measured: Measured) -> bool:
        """Return whether standing takes over: the nearer the DCM, the smoother.

        Not for ever; and a DCM beyond what walking uses of the soles is standing's at
        once, which uses all of them, and steps in need.
        """
        if self._reach.outside(measured.dcm) > 0.0:
            return True
        late = self.time - self.transfer.duration
        if late < 0.0:
            return False
        p = self.state.parameters.walking
        near = p.rest_distance + p.rest_rate * late
        return bool(np.linalg.norm(measured.dcm - self.transfer.end) < near)

    @property
    def bias_share(self) -> float:
        """Less and less: standing knows no such bias."""
        return 1.0 - self.transfer.share(self.time)

    def footholds(self) -> Array:
        """Return none."""
        return np.zeros((0, 4))
