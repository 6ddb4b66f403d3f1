"""Shows what the program logs: units that were found, senders that were accepted."""

from __future__ import annotations

import logging
import sys

from telexist.retarget.printable import printable

__all__ = ["show_log_lines"]


class _LogHandler(logging.Handler):
    """Writes each message as one line to whatever the standard error is now."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message; a line, whatever it holds."""
        text = printable(" ".join(record.getMessage().split()))
        print(f"telexist: {text}", file=sys.stderr, flush=True)


def show_log_lines() -> None:
    """Show our own messages from now on; may be called twice."""
    logger = logging.getLogger("telexist")
    logger.setLevel(logging.INFO)
    if not any(isinstance(handler, _LogHandler) for handler in logger.handlers):
        logger.addHandler(_LogHandler())
