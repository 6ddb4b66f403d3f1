"""A word before the first run on a machine, which compiles what must be fast."""

from __future__ import annotations

import sys

from telexist.retarget.compiled import is_cached

__all__ = ["announce_compilation", "announce_controllers"]


def announce_compilation() -> None:
    """Say, where the engine was never compiled, why nothing moves for a while."""
    if not is_cached():
        _say("compiling the engine takes about half a minute")


def announce_controllers() -> None:
    """Say the same of the controllers."""
    if not is_cached("whole_body"):
        _say("compiling the controllers takes about fifteen seconds")


def _say(what: str) -> None:
    print(f"first run of this version: {what}", file=sys.stderr, flush=True)
