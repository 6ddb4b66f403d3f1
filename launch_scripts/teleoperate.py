"""Be the robot: an operator's motion drives a robot, live.

SOURCE shows the operator: builtin (default), a recording, xsens, vmc, openvr, ... with
its address: xsens:9763, vmc:39539, player:walk.bvh. Calibrate first (`telexist
calibrate`, or the page's button; it is kept under --operator), then engage: the robot
comes to your pose within seconds and follows. Emergency stop: the page's red button,
the joypad's button, the space bar with --walk-input keyboard, Ctrl-C.

Recordings, and any source with --headless, engage by themselves; else you do.

--controller balance or walk takes the robot off its pole: it squats and lifts a foot
with you. After a fall, reset puts the simulated robot on its feet; then engage again.
Only walk follows a --walk-input: joypad, keyboard, treadmill:cyberith, treadmill:kat,
treadmill:omni, script, or script:FILE, a text with a line for each change of
    time [s], vx [m/s], vy [m/s], wz [rad/s]
in the robot's heading (ahead, left, turning left), such as
    0, 0, 0, 0          # stand; times count from when the robot first follows
    5, 0.2, 0, 0        # walk ahead
    15, 0.2, 0, 0.2     # turn left on the way
    25, 0, 0, 0         # stand

Examples:
  telexist teleoperate                                 the built-in operator, the iCub
  telexist teleoperate --robot g1 --source walk.bvh --record sessions
  telexist teleoperate --source xsens --controller walk --walk-input joypad
  telexist teleoperate --robot g1 --controller walk --walk-input script:walk.csv
  telexist teleoperate --config launch_scripts/configs/g1_suit.toml --operator anna
  telexist teleoperate --headless --duration 10 --json summary.json
"""

from __future__ import annotations

import argparse
import signal
import sys
import webbrowser
from collections.abc import Sequence

from telexist.launch_scripts.arguments import add_session_arguments, session_plan
from telexist.launch_scripts.shell import FAILED, OK, Parser
from telexist.launch_scripts.terminal import (
    EventLines,
    announce_compilation,
    print_summary,
    require_writable,
    write_summary,
)
from telexist.retarget.errors import (
    BadConfig,
    BadInput,
    BadModel,
    BadRecording,
    UsageError,
)
from telexist.teleop.loop import for_others
from telexist.teleop.session import Session
from telexist.teleop.sinks import Summary
from telexist.teleop.terms import Request

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a session and return the exit code."""
    parser = Parser("telexist teleoperate", __doc__ or "")
    add_session_arguments(parser)
    args = parser.parse_args(argv)
    if args.json is not None:
        require_writable(args.json)
    announce_compilation()
    session = _make(args)
    for line in session.open():
        print(line, flush=True)
    if session.page is not None and not args.no_open:
        with for_others():
            webbrowser.open(session.page.url)
    summary = _run(session)
    print_summary(summary, session)
    if args.json is not None:
        write_summary(summary, args.json)
    problem = session.recorder.problem if session.recorder else None
    if problem:
        print(f"telexist: error: recording: {problem}", file=sys.stderr)
    return FAILED if problem else OK


def _make(args: argparse.Namespace) -> Session:
    try:
        return Session(session_plan(args), [EventLines()])
    except (BadConfig, BadModel, BadRecording):  # a file is wrong, not an argument
        raise
    except BadInput as error:
        raise UsageError(str(error)) from error


def _run(session: Session) -> Summary:
    """Run; Ctrl-C or a termination stops the robot first, then the program."""

    def stop(*_: object) -> None:
        session.request(Request.STOP)
        session.loop.stop_soon()

    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop) for number in signals]
    try:
        return session.run()
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)
