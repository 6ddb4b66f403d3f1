"""What was found of a real robot, and the question whether it may move."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from telexist.robots.base import Check

__all__ = ["confirm_preflight"]


def confirm_preflight(checks: Sequence[Check], *, yes: bool) -> bool:
    """Show what was found; return whether the robot may move.

    Args:
        checks: What was found.
        yes: Whether that was said on the command line.
    """
    print("before the robot moves:")
    for check in checks:
        print(f"  {'ok ' if check.well else 'NOT'} {check.what}: {check.detail}")
    if not all(check.well for check in checks):
        return False
    if yes:
        return True
    if not sys.stdin.isatty():
        print("nobody is there to confirm: --yes says so in scripts", flush=True)
        return False
    words = "The red button is at hand and nobody is in reach? Type yes to arm: "
    try:
        return input(words).strip().lower() == "yes"
    except EOFError:
        return False
