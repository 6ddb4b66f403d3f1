"""Gives way to the loop: for processes that only draw."""

from __future__ import annotations

import os

__all__ = ["be_modest"]

NICE = 10


def be_modest() -> None:
    """Give back real-time scheduling that was inherited, and run when there is time."""
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    if hasattr(os, "nice"):
        os.nice(NICE)
