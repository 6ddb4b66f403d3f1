"""Before the first step: the weight goes over the foot that will stand alone."""

from __future__ import annotations

from telexist.retarget.smoothing import minimum_jerk
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.terms import FootTask, Measured, dcm_feedback
from telexist.teleop.controllers.walking.load_transfer import leaving
from telexist.teleop.controllers.walking.single_support import SingleSupport
from telexist.teleop.controllers.walking.walk_phase import BothFeetPhase, WalkPhase
from telexist.teleop.controllers.walking.walk_state import WalkState
from telexist.teleop.controllers.walking.zmp_transfer import ZmpTransfer

__all__ = ["FirstShift", "RecoveryShift"]


class RecoveryShift(BothFeetPhase):
    """The robot would fall: the other foot is unloaded as fast as it can be."""

    def start(self, measured: Measured) -> None:
        """Begin where a pressure inside the soles is nearest to the DCM."""
        p, support = self.state.parameters, self.state.support.foot
        # A foot without load can rise at once.
        load = float(measured.load[1 - support])
        duration = max(0.01, p.walking.unload_time * load)
        start = self.state.polygon(measured).nearest(measured.dcm)
        self._shift(measured, start, duration)

    def next(self, measured: Measured) -> WalkPhase | None:
        """Return the first single support once the weight is over the support foot."""
        if self.time < self.transfer.duration:
            return None
        return SingleSupport(self.state)

    def feet(self, measured: Measured) -> tuple[FootTask, FootTask]:
        """Return the tasks: the load leaves the foot that will swing."""
        p = self.state.parameters.walking
        other = leaving(self.transfer.share(self.time), p)
        loads = self.loads(p.standing_load, other)
        return self.state.both_stay(measured, loads)

    def _shift(self, measured: Measured, start: Array, duration: float) -> None:
        state = self.state
        place = state.support.p
        dcm_end = place + state.plan.offset_from(state.support, state.command)
        omega = state.parameters.omega
        self.carry_over(measured, ZmpTransfer(start, place, duration, dcm_end, omega))


class FirstShift(RecoveryShift):
    """The robot stands and is to walk: no hurry, and no jump from standing's law."""

    def __init__(self, state: WalkState, held: Array) -> None:
        """Take what all phases share.

        Args:
            state: Shared by all phases.
            held: Where standing had the DCM (2,) [m].
        """
        super().__init__(state)
        self._held = held

    def start(self, measured: Measured) -> None:
        """Begin between the feet."""
        p = self.state.parameters
        self._take_over = p.walking.take_over * p.first_double_support
        middle = measured.sole_p[:, :2].mean(axis=0)
        self._shift(measured, middle, p.first_double_support)

    def law(self, measured: Measured) -> tuple[Array, tuple[Array, Array]]:
        """Return ZMP and plan; standing's law hands over to walking's."""
        asked, (zmp, dcm) = super().law(measured)
        if self.time >= self._take_over:
            return asked, (zmp, dcm)
        p, held = self.state.parameters, self._held
        share = float(minimum_jerk(self.time / self._take_over))
        hold = dcm_feedback(measured.dcm, held, held, gain=p.dcm_gain, omega=p.omega)
        asked = hold + share * (asked - hold)
        return asked, (held + share * (zmp - held), held + share * (dcm - held))
