"""Lines for the terminal, written by a thread of their own.

A terminal may stop reading (Ctrl-S), a pipe's reader may go away: whoever prints waits
for it, or dies. Here lines are put into a bounded queue and one thread writes them; it
alone waits. What does not fit is counted and said when the terminal reads again.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from typing import IO, Any

__all__ = ["LineWriter"]

CAPACITY = 2000  # lines
PATIENCE = 5.0  # [s] without progress, at the end, after which the rest is left


class LineWriter:
    """Writes lines to a stream; `put` never waits and never raises."""

    def __init__(
        self,
        stream: IO[str],
        *,
        lost: Callable[[str], None] | None = None,
        capacity: int = CAPACITY,
    ) -> None:
        """Start the thread.

        Args:
            stream: Where lines go; its descriptor if it has one, so that nothing of
                Python's own buffers can be locked by a write that waits.
            lost: Told once, from the thread, why nobody can read any more.
            capacity: Lines that may wait.
        """
        self._stream, self._lost, self._capacity = stream, lost, capacity
        self._number = _descriptor(stream)
        self._waiting: deque[str] = deque()
        self._dropped = self._written = 0
        self._news = threading.Event()
        self._closing = False
        self.problem = ""
        self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def put(self, line: str) -> None:
        """Write a line as soon as the terminal takes it; from any thread."""
        if len(self._waiting) >= self._capacity:
            self._dropped += 1
            return
        self._waiting.append(line)
        self._news.set()

    def close(self, patience: float = PATIENCE) -> bool:
        """Write what waits, unless the terminal takes nothing for `patience` [s].

        Returns:
            Whether all was written, or nobody reads any more; if not, the terminal
            does not read, and whoever writes to it now waits.
        """
        self._closing = True
        self._news.set()
        before = -1
        while self._thread.is_alive() and before != self._written:
            before = self._written
            self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            while True:
                self._news.wait()
                self._news.clear()
                while self._waiting:
                    self._write(self._waiting.popleft())
                    self._tell_dropped()
                if self._closing and not self._waiting:
                    return
        except (OSError, ValueError) as error:  # ValueError: the stream is closed
            reason = getattr(error, "strerror", None) or str(error)
            self.problem = reason
            if self._lost is not None:
                self._lost(reason)

    def _tell_dropped(self) -> None:
        dropped = self._dropped
        if dropped and not self._waiting:
            self._dropped -= dropped
            self._write(
                f"telexist: {dropped} lines left out: the terminal did not read"
            )

    def _write(self, line: str) -> None:
        if self._number is None:
            self._stream.write(line + "\n")
            self._stream.flush()
            self._written += 1
            return
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        rest = memoryview((line + "\n").encode(encoding, "replace"))
        while rest:
            rest = rest[os.write(self._number, rest) :]
            self._written += 1


def _descriptor(stream: Any) -> int | None:
    """Return a stream's descriptor, with nothing left in its buffers; else None."""
    try:
        number = int(stream.fileno())
        stream.flush()
    except (AttributeError, OSError, ValueError):
        return None
    return number
