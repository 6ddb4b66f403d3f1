"""A terminal that gives each key at once, and is given back as it was."""

from __future__ import annotations

import atexit
import os
import select
import sys
from typing import IO, Any, Protocol

from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock

__all__ = ["Terminal", "open_terminal"]

_MOST = 256  # bytes of one read
_ADVICE = "run it in a terminal, or leave the keyboard out of --walk-input"


class Terminal(Protocol):
    """Where keys come from."""

    def read(self, timeout: float) -> bytes | None:
        """Return what was typed within `timeout` [s]; None if the terminal is gone."""

    def restore(self) -> None:
        """Give the terminal back as it was; may be called twice."""


def open_terminal(stream: IO[Any] | None = None) -> Terminal:
    """Take over the terminal behind a stream, by default the standard input.

    Raises:
        DeviceLost: If there is no terminal, or it belongs to somebody else now.
    """
    stream = sys.stdin if stream is None else stream
    try:
        number = stream.fileno()
        is_terminal = os.isatty(number)
    except (AttributeError, OSError, ValueError) as error:
        raise DeviceLost(f"keyboard: no standard input: {_ADVICE}") from error
    if not is_terminal:
        raise DeviceLost(f"keyboard: the standard input is no terminal: {_ADVICE}")
    return _take_over(number)


if sys.platform == "win32":
    import msvcrt

    _ARROWS = {"H": b"w", "P": b"s", "M": b"d", "K": b"a"}
    _LOOK_PERIOD = 0.01  # [s] between two looks at the keyboard

    class _WindowsTerminal:
        """The console, which always gives each key at once."""

        def read(self, timeout: float) -> bytes | None:
            end = clock.now() + timeout
            while not msvcrt.kbhit():
                if clock.now() >= end:
                    return b""
                clock.sleep(_LOOK_PERIOD)
            key = msvcrt.getwch()
            if key in ("\x00", "\xe0"):
                return _ARROWS.get(msvcrt.getwch(), b"")
            return key.encode("latin-1", "replace")

        def restore(self) -> None:
            """Nothing was changed."""

    def _take_over(number: int) -> Terminal:
        return _WindowsTerminal()

else:
    import termios
    import tty

    class _PosixTerminal:
        """A terminal in cbreak mode: no line editing, no echo; Ctrl-C still works."""

        def __init__(self, number: int) -> None:
            self._number = number
            self._before: list[Any] | None = termios.tcgetattr(number)
            atexit.register(self.restore)
            tty.setcbreak(number, termios.TCSANOW)

        def read(self, timeout: float) -> bytes | None:
            try:
                ready, _, _ = select.select([self._number], [], [], timeout)
                if not ready:
                    return b""
                return os.read(self._number, _MOST) or None
            except (OSError, ValueError):
                return None

        def restore(self) -> None:
            before, self._before = self._before, None
            if before is None:
                return
            atexit.unregister(self.restore)
            try:
                termios.tcsetattr(self._number, termios.TCSANOW, before)
            except (termios.error, OSError):
                return  # the terminal is closed: nothing is left to give back

    def _take_over(number: int) -> Terminal:
        try:
            if os.tcgetpgrp(number) != os.getpgrp():
                raise DeviceLost(
                    "keyboard: the program runs in the background: bring it to the "
                    "front with fg, or leave the keyboard out of --walk-input"
                )
        except OSError:
            pass  # not our controlling terminal, so nobody can be in front of us
        try:
            return _PosixTerminal(number)
        except (termios.error, OSError) as error:
            raise DeviceLost(f"keyboard: {error}: {_ADVICE}") from error
