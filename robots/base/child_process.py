"""Processes that a session starts leave the terminal's signals to it."""

from __future__ import annotations

import signal

__all__ = ["ignore_terminal"]

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGTTIN", "SIGTTOU")


def ignore_terminal(*, but: tuple[str, ...] = ()) -> None:
    """Ignore what a terminal, or whoever ends the session, sends to all its processes.

    Else Ctrl-C, Ctrl-Z or a lost terminal would take the robot, its watchdog and its
    page from the session that has to stop it.

    Args:
        but: Signals that keep their effect.
    """
    for name in NAMES:
        number = getattr(signal, name, None)
        if number is not None and name not in but:
            signal.signal(number, signal.SIG_IGN)
