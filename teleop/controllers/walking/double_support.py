"""The weight goes on to the foot that has landed, as fast as is needed."""

from __future__ import annotations

from collections.abc import Callable

from telexist.teleop.controllers.stepping import Foothold, carried_over, caught_in_time
from telexist.teleop.controllers.terms import FootTask, Measured
from telexist.teleop.controllers.walking.load_transfer import handed_over
from telexist.teleop.controllers.walking.walk_phase import BothFeetPhase, WalkPhase
from telexist.teleop.controllers.walking.walk_state import WalkState
from telexist.teleop.controllers.walking.zmp_transfer import ZmpTransfer

__all__ = ["DoubleSupport"]


class DoubleSupport(BothFeetPhase):
    """From touchdown to the next lift-off."""

    def __init__(
        self,
        state: WalkState,
        old: Foothold,
        wait: float,
        following: Callable[[WalkState], WalkPhase],
    ) -> None:
        """Take what all phases share.

        Args:
            state: Shared by all phases.
            old: Where the robot stood.
            wait: Before the weight moves, since the foot came early [s].
            following: Makes the single support that follows.
        """
        super().__init__(state)
        self._old, self._usual_wait, self._following = old, wait, following

    def start(self, measured: Measured) -> None:
        """Find a time in which the DCM can be passed on."""
        state, p, old = self.state, self.state.parameters, self._old
        usual, lateness = p.double_support, max(-state.plan.step.time_left, 0.0)
        least = p.walking.least_transfer * usual
        times = self._usual_wait, max(usual - lateness, least)
        place = state.support.p
        offset = state.plan.offset_from(
            state.support, state.command, last=state.spacing.last
        )
        found: tuple[float, float] | None = times
        if state.polygon(measured).outside(measured.dcm) > 0.0:
            found = None
        elif state.recovering:
            feet = old.p, place
            found = caught_in_time(measured.dcm, feet, offset, p.omega, times)
        wait, duration = found or (0.0, p.walking.late_transfer * usual)
        if found is not None:
            duration = carried_over(
                measured.dcm,
                (old.p, place),
                offset,
                p.omega,
                found,
                longest=p.walking.slowest_transfer * p.first_double_support,
            )
        transfer = ZmpTransfer(old.p, place, duration, place + offset, p.omega)
        self.carry_over(measured, transfer, wait=wait)

    def next(self, measured: Measured) -> WalkPhase | None:
        """Return the single support once the weight is over the new foot."""
        if self.time < self.transfer.duration:
            return None
        return self._following(self.state)

    def feet(self, measured: Measured) -> tuple[FootTask, FootTask]:
        """Return the tasks: load goes from one to the other without a jump."""
        since = (self.time + self.wait) / self.transfer.duration
        carried = float(measured.load[1 - self.state.support.foot])
        share = self.transfer.share(self.time)
        new, old = handed_over(share, since, carried, self.state.parameters.walking)
        return self.state.both_stay(measured, self.loads(new, old))
