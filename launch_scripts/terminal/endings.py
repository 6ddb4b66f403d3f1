"""What may end the program while a robot is driven: signals, and errors of threads."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from telexist.launch_scripts.shell import FAILED

__all__ = ["endings_caught"]

ENDING = (
    "SIGINT",
    "SIGTERM",
    "SIGHUP",
    "SIGQUIT",
    "SIGUSR1",
    "SIGUSR2",
    "SIGALRM",
    "SIGVTALRM",
    "SIGPROF",
    "SIGXCPU",
    "SIGIO",
    "SIGPWR",
    "SIGSTKFLT",
    "SIGBREAK",
)
"""Signals whose usual effect is the end of the program. SIGPIPE is not among them:
Python ignores it, and a write to a closed pipe says so by itself."""
SUSPENDING = ("SIGTSTP", "SIGTTIN", "SIGTTOU")
"""Signals that would freeze the loop: the robot holds, the program goes on."""
WORDS = {
    "SIGINT": "Ctrl-C",
    "SIGTERM": "the program was told to end",
    "SIGHUP": "the terminal has gone",
}


@contextlib.contextmanager
def endings_caught(
    end: Callable[[str, int], None], hold: Callable[[], None]
) -> Iterator[None]:
    """Give what would end the program to `end`: the reason and the exit code.

    Args:
        end: Returns at once; called between two instructions of any function.
        hold: Called in place of being suspended, likewise.
    """

    def ending(number: int, _: object) -> None:
        name = signal.Signals(number).name
        word = f" ({WORDS[name]})" if name in WORDS else ""
        end(name + word, 128 + number)

    def thread_failed(failed: Any) -> None:
        name = failed.thread.name if failed.thread is not None else "?"
        error = f"{failed.exc_type.__name__}: {failed.exc_value}"
        end(f"an error in the thread '{name}': {error}", FAILED)

    handlers = dict.fromkeys(ENDING, ending)
    handlers |= dict.fromkeys(SUSPENDING, lambda *_: hold())
    numbers = {n: h for name, h in handlers.items() if (n := _number(name)) is not None}
    before = {n: signal.signal(n, handler) for n, handler in numbers.items()}
    hook, threading.excepthook = threading.excepthook, thread_failed
    try:
        yield
    finally:
        threading.excepthook = hook
        for number, old in before.items():
            signal.signal(number, old)


def _number(name: str) -> Any:
    """Return a signal, or None where the system has none of that name."""
    return getattr(signal, name, None)
