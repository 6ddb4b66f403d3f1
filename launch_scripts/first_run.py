"""A word before the first run on a machine, which compiles the engine."""

from __future__ import annotations

import sys

from retarget.compiled import is_cached

__all__ = ["announce_compilation"]


def announce_compilation() -> None:
    """Say, where the engine was never compiled, why nothing moves for a while."""
    if not is_cached():
        print(
            "first run of this version: compiling the engine takes a minute or two",
            file=sys.stderr,
            flush=True,
        )
