"""How long a sample takes from its arrival to the first command that contains it."""

from __future__ import annotations

from telexist.teleop.terms import STAGES

__all__ = ["NO_STAGES", "SampleLatency"]

NO_STAGES = (0.0,) * len(STAGES)


class SampleLatency:
    """Times samples; a controller slower than the loop lets them wait for its turn."""

    def __init__(self) -> None:
        """Start without a sample."""
        self._waiting: tuple[float, float, float] | None = None

    def stages(
        self,
        arrival: float,
        stamps: tuple[float, ...],
        *,
        followed: bool,
        commanded: bool,
    ) -> tuple[float, ...]:
        """Return the stages of the sample that is in a command for the first time.

        Args:
            arrival: Of the newest sample [s].
            stamps: When the turn began, and when it had read, retargeted, smoothed,
                controlled and sent [s].
            followed: Whether the newest sample was retargeted in this turn.
            commanded: Whether a command went out in this turn.

        Returns:
            Seconds in each of `STAGES`; all time in between is waiting. Zeros if no
            command went out or if it contains nothing new.
        """
        began, read, retargeted, smoothed, controlled, sent = stamps
        if followed:
            self._waiting = (arrival, read - began, retargeted - read)
        if self._waiting is None or not commanded:
            return NO_STAGES
        arrival, *before = self._waiting
        self._waiting = None
        spent = (
            *before,
            smoothed - retargeted,
            controlled - smoothed,
            sent - controlled,
        )
        return (sent - arrival - sum(spent), *spent)
