"""Where a device's thread leaves its samples and the loop takes the newest.

Nothing queues up: a sample that was not read yet is replaced field by field by the next
one. What must not be lost adds up instead: requests, counts of drops, and a released
dead-man's switch. A device that is lost says so in place of a sample, until it is back.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable

from telexist.retarget.errors import DeviceLost
from telexist.retarget.signals import HumanFrame
from telexist.teleop.devices.base.drop_text import one_line
from telexist.teleop.terms import DeviceSample, Request

__all__ = ["Mailbox", "merge_samples"]

MAX_REQUESTS = 32  # between two reads; nobody presses more, a broken button does


class Mailbox:
    """One sample that grows until it is taken; safe between two threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: DeviceSample | None = None
        self._lost = ""
        self._wake: Callable[[], None] = _nobody

    def open(self, wake: Callable[[], None]) -> None:
        """Forget what is left of an earlier session and call `wake` from now on."""
        with self._lock:
            self._waiting, self._lost = None, ""
            self._wake = wake

    def put(self, sample: DeviceSample) -> None:
        """Leave a sample and wake the reader; called from the device's thread."""
        self.leave(sample)
        self._wake()

    def leave(self, sample: DeviceSample) -> None:
        """Leave a sample that can wait for the reader's next turn."""
        with self._lock:
            old = self._waiting
            self._waiting = sample if old is None else merge_samples(old, sample)
            if not sample.empty:
                self._lost = ""  # it is back

    def drop(
        self, stamp: float, reason: str, count: int = 1, *, detail: str = ""
    ) -> None:
        """Count samples that were lost or refused; wakes nobody.

        Args:
            stamp: When [s].
            reason: The word under which they are counted.
            count: How many.
            detail: What was wrong with the last one, and who sent it.
        """
        details = ((reason, one_line(detail)),) if detail else ()
        dropped = ((reason, count),)
        self.leave(DeviceSample(stamp=stamp, dropped=dropped, details=details))

    def lose(self, reason: str) -> None:
        """Say that the device is gone, why and what to do; until its next sample."""
        with self._lock:
            self._lost = reason
        self._wake()

    def take(self) -> DeviceSample | None:
        """Return what has come since the last call, or None; never blocks for long.

        Raises:
            DeviceLost: If the device is gone, once all that it said was taken.
        """
        with self._lock:
            sample, self._waiting = self._waiting, None
            lost = self._lost
        if sample is None and lost:
            raise DeviceLost(lost)
        return sample

    def close(self) -> None:
        """Forget everything and wake nobody any more."""
        self.open(_nobody)


def merge_samples(old: DeviceSample, new: DeviceSample) -> DeviceSample:
    """Return one sample that says all that two in a row say.

    Newer fields win; requests and drops add up; a dead-man's switch that was released
    in either counts as released. Stamp and sequence are those of the newer sample,
    unless that one only counts drops.
    """
    counts = Counter(dict(old.dropped))
    counts.update(dict(new.dropped))
    last = old if new.empty else new
    return DeviceSample(
        stamp=last.stamp,
        sequence=last.sequence,
        human=_human(old, new),
        walk=old.walk if new.walk is None else new.walk,
        hands=old.hands if new.hands is None else new.hands,
        treadmill=old.treadmill if new.treadmill is None else new.treadmill,
        forces=old.forces if new.forces is None else new.forces,
        requests=_requests(old.requests + new.requests),
        dead_man=_dead_man(old.dead_man, new.dead_man),
        dropped=tuple(sorted(counts.items())),
        details=tuple(sorted((dict(old.details) | dict(new.details)).items())),
    )


def _human(old: DeviceSample, new: DeviceSample) -> HumanFrame | None:
    return old.human if new.human is None else new.human


def _requests(requests: tuple[Request, ...]) -> tuple[Request, ...]:
    if len(requests) <= MAX_REQUESTS:
        return requests
    newest = requests[-MAX_REQUESTS:]
    return (Request.STOP, *newest[1:]) if Request.STOP in requests else newest


def _dead_man(old: bool | None, new: bool | None) -> bool | None:
    if old is None or new is None:
        return old if new is None else new
    return old and new


def _nobody() -> None:
    """Wake nobody."""
