"""What goes wrong with sensors under the feet, one fault after another."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.person_dynamics import GroundForces

__all__ = ["LATE", "SOLE_FAULTS", "SoleFaults", "parse_sole_faults", "spoiled"]

SOLE_FAULTS = ("lost", "frozen", "saturated", "nan", "late", "swapped")
LATE = 0.04  # [s]
PAUSE = 3.0  # [s] without a fault between two


@dataclass(frozen=True, slots=True, kw_only=True)
class SoleFaults:
    """Each of `kinds` in turn: from `start` [s], for `length` [s], then a pause."""

    kinds: tuple[str, ...] = ()
    start: float = 5.0
    length: float = 2.0

    def at(self, time: float) -> str:
        """Return the fault at a time [s] since the begin, or ""."""
        since = time - self.start
        if since < 0.0 or not self.kinds:
            return ""
        turn, rest = divmod(since, self.length + PAUSE)
        if turn >= len(self.kinds) or rest >= self.length:
            return ""
        return self.kinds[int(turn)]


def parse_sole_faults(kinds: str, start: str, length: str) -> SoleFaults:
    """Read `lost+nan`, or `all`, with begin and length [s].

    Raises:
        UnknownName: If there is no such fault.
        BadInput: If a time is none.
    """
    words = SOLE_FAULTS if kinds == "all" else tuple(filter(None, kinds.split("+")))
    for word in words:
        if word not in SOLE_FAULTS:
            raise UnknownName("fault of a force sensor", word, (*SOLE_FAULTS, "all"))
    times = []
    for name, text in (("from", start), ("for", length)):
        try:
            times.append(float(text))
        except ValueError:
            times.append(float("nan"))
        if not 0.0 <= times[-1] <= 3600.0:
            raise BadInput(f"{name}={text}: expected seconds from 0 to 3600")
    return SoleFaults(kinds=words, start=times[0], length=times[1])


def spoiled(
    fault: str, sample: GroundForces, before: GroundForces | None
) -> GroundForces | None:
    """Return a sample as a faulty sensor gives it; None if it gives none.

    Args:
        fault: One of `SOLE_FAULTS`, or "".
        sample: As it should be.
        before: The last one that was given.
    """
    if fault == "lost":
        return None
    if fault == "frozen" and before is not None:
        return replace(sample, wrench=before.wrench)
    if fault == "saturated":
        return replace(sample, wrench=np.tile(sample.full_scale, (2, 1)))
    if fault == "nan":
        return replace(sample, wrench=np.full((2, 6), np.nan))
    if fault == "swapped":
        return replace(sample, wrench=sample.wrench[::-1])
    return sample
