"""Which of a source's numbered samples are new, and how many were lost between.

The rules: a higher number is new; the same is a further part of the newest sample; a
lower one is late and dropped. If for `RESTART_AFTER` seconds nothing new has come, any
number is taken as a restart of the source (a second run, a looped recording). A number
that is absurdly far ahead waits for the same silence.
"""

from __future__ import annotations

import enum
from collections import deque

__all__ = ["RESTART_AFTER", "SampleCounter", "SequenceVerdict"]

RESTART_AFTER = 0.5  # [s]
MAX_AHEAD = 2400  # samples; ten seconds at 240 Hz
_MEMORY = 16  # steps from which the usual one is learnt


class SequenceVerdict(enum.Enum):
    """What a number says about its sample."""

    NEW = "new"
    SAME = "same"
    LATE = "late"
    ABSURD = "absurd"
    RESTART = "restart"


class SampleCounter:
    """Follows the numbers of one source."""

    def __init__(self) -> None:
        self._newest: int | None = None
        self._heard = 0.0
        self._steps: deque[int] = deque(maxlen=_MEMORY)
        self.lost = 0
        """Samples missing before the newest one; MVN may send every n-th only, so the
        smallest of the last steps counts as one."""

    def judge(self, number: int, stamp: float) -> SequenceVerdict:
        """Take the number of a message.

        Args:
            number: As the source counts.
            stamp: When the message arrived [s].
        """
        verdict = self._verdict(number, stamp)
        if verdict in (SequenceVerdict.NEW, SequenceVerdict.RESTART):
            self._accept(number, verdict)
            self._heard = stamp
        return verdict

    def reset(self) -> None:
        """Forget the source."""
        self._newest = None
        self._steps.clear()

    def _verdict(self, number: int, stamp: float) -> SequenceVerdict:
        if self._newest is None:
            return SequenceVerdict.RESTART
        ahead = number - self._newest
        if 0 < ahead <= MAX_AHEAD:
            return SequenceVerdict.NEW
        if ahead == 0:
            return SequenceVerdict.SAME
        if stamp - self._heard > RESTART_AFTER:
            return SequenceVerdict.RESTART
        return SequenceVerdict.LATE if ahead < 0 else SequenceVerdict.ABSURD

    def _accept(self, number: int, verdict: SequenceVerdict) -> None:
        self.lost = 0
        if verdict is SequenceVerdict.RESTART or self._newest is None:
            self._steps.clear()
        else:
            step = number - self._newest
            self._steps.append(step)
            self.lost = step // min(self._steps) - 1
        self._newest = number
