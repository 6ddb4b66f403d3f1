"""A session on a terminal: whatever ends it, the robot is stopped first.

Every signal that could end the program, a reader of our output that goes away, and an
error in any thread go the same way: the robot stops, comes to rest, the recording is
closed, the reason is said, and the exit code tells it: 0, 1 for a failure, 128 and the
number of the signal.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from telexist.launch_scripts.shell import FAILED, OK, log_lines_through
from telexist.launch_scripts.terminal.any_session import AnySession
from telexist.launch_scripts.terminal.endings import endings_caught
from telexist.launch_scripts.terminal.event_lines import EventLines
from telexist.launch_scripts.terminal.preflight_shown import confirm_preflight
from telexist.launch_scripts.terminal.session_problems import session_problems
from telexist.launch_scripts.terminal.session_summary import summary_lines
from telexist.launch_scripts.terminal.summary_file import write_summary
from telexist.retarget.errors import CannotWrite
from telexist.teleop.sinks import LineWriter
from telexist.teleop.terms import Request, TickSink

__all__ = ["run_session"]


class _SessionRun:
    def __init__(self) -> None:
        self._code, self._problems = OK, list[str]()
        self._session: AnySession | None = None
        self.out = LineWriter(sys.stdout, lost=self._unread)
        self.err = LineWriter(sys.stderr)

    def run(self, session: AnySession, args: argparse.Namespace) -> int:
        """Run a session that is open; return the exit code."""
        self._session = session
        if self.out.problem:
            self._unread(self.out.problem)
        with log_lines_through(self.err.put), endings_caught(self._end, self._hold):
            try:
                session.run()
            except Exception as error:  # the robot was stopped: say why, and the rest
                self._problems.append(f"unexpected {type(error).__name__}: {error}")
            self._problems += session_problems(session)
            summary = session.summary()
            try:
                if args.json is not None:
                    write_summary(summary, args.json)
            except CannotWrite as error:
                self._problems.append(str(error))
            for line in summary_lines(summary, session):
                self.out.put(line)
            for problem in self._problems:
                self.err.put(f"telexist: error: {' '.join(problem.split())}")
            done = [self.out.close(), self.err.close()]
        code = self._code or (FAILED if self._problems else OK)
        if not all(done):  # a library's last word would wait for the terminal for ever
            os._exit(code)
        return code

    def _end(self, reason: str, code: int) -> None:
        self._code = self._code or code
        if self._session is not None:
            self._session.loop.interrupt(reason)

    def _unread(self, reason: str) -> None:
        self._end(f"the standard output: nobody reads it any more ({reason})", FAILED)

    def _hold(self) -> None:
        if self._session is not None:
            self._session.request(Request.HOLD)


def run_session(
    make: Callable[[list[TickSink]], AnySession],
    args: argparse.Namespace,
    opened: Callable[[AnySession], None],
) -> int:
    """Make, open and run a session; return the exit code.

    Args:
        make: Makes the session, with sinks to add.
        args: Of the command: `json`.
        opened: Called with the session once it is open.
    """
    run = _SessionRun()
    session = make([EventLines(run.out.put)])
    yes = getattr(args, "yes", False)
    for line in session.open(lambda checks: confirm_preflight(checks, yes=yes)):
        run.out.put(line)
    opened(session)
    return run.run(session, args)
