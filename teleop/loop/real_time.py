"""Asks the system to run the loop before everything else."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator

__all__ = ["for_others", "prefer_this_thread", "treat_as_others"]

PRIORITY = 20  # of SCHED_FIFO; 1 to 99
SWITCH_INTERVAL = 2e-3  # [s] a thread that goes on and on gives way after this
"""Longer than a turn, so that none is interrupted by a thread that waits; our other
threads let the interpreter go by themselves after some tenths of a millisecond."""
USUAL_INTERVAL = 5e-3  # [s] Python's own


def prefer_this_thread(*, real_time: bool) -> str:
    """Make this thread and those that it begins punctual, as far as possible.

    Args:
        real_time: Whether to ask for real-time scheduling.

    Returns:
        One line that says what was granted or refused.
    """
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()  # what is there now is never looked at again
    if not real_time:
        return "real-time scheduling was not asked for"
    if not hasattr(os, "sched_setscheduler"):
        return "no real-time scheduling on this system: expect late turns under load"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        refused = f"real-time scheduling was refused ({error.strerror})"
        return f"{refused}: expect late turns under load; see `man limits.conf` rtprio"
    return f"real-time scheduling granted (SCHED_FIFO {PRIORITY})"


@contextlib.contextmanager
def for_others() -> Iterator[None]:
    """Begin programs in this block that must not inherit what this thread was given.

    A browser with real-time scheduling would come before everything else.
    """
    if not hasattr(os, "sched_setscheduler"):
        yield
        return
    policy, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameters)


def treat_as_others() -> None:
    """Take back what `prefer_this_thread` did; may be called twice, from any thread."""
    sys.setswitchinterval(USUAL_INTERVAL)
    gc.unfreeze()
    if hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
