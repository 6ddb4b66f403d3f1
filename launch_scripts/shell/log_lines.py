"""Shows what the program logs: units that were found, senders that were accepted."""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator

from telexist.retarget.printable import printable

__all__ = ["log_lines_through", "show_log_lines"]


class _LogHandler(logging.Handler):
    """Writes each message as one line to whatever the standard error is now."""

    say: Callable[[str], None] | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message; a line, whatever it holds."""
        text = printable(" ".join(record.getMessage().split()))
        line = f"telexist: {text}"
        if self.say is None:
            print(line, file=sys.stderr, flush=True)
        else:
            self.say(line)


def show_log_lines() -> None:
    """Show our own messages from now on; may be called twice."""
    logger = logging.getLogger("telexist")
    logger.setLevel(logging.INFO)
    if not any(isinstance(handler, _LogHandler) for handler in logger.handlers):
        logger.addHandler(_LogHandler())


@contextlib.contextmanager
def log_lines_through(say: Callable[[str], None]) -> Iterator[None]:
    """Give our messages to `say`, which never waits, while something is driven."""
    logger = logging.getLogger("telexist")
    handlers = [h for h in logger.handlers if isinstance(h, _LogHandler)]
    for handler in handlers:
        handler.say = say
    try:
        yield
    finally:
        for handler in handlers:
            handler.say = None
