"""Be the robot: an operator's motion drives a robot, live.

SOURCE shows the operator: builtin (default), a recording, xsens, vmc, openvr, ... with
its address: xsens:9763, vmc:39539, player:walk.bvh. Calibrate first (`telexist
calibrate`, or the page's button; it is kept under --operator), then engage: the robot
comes to your pose within seconds and follows. Emergency stop: the page's red button,
the joypad's button, the space bar with --walk-input keyboard, Ctrl-C.

Whatever ends the program (Ctrl-C, a lost terminal, `kill`, a reader of its output that
goes away, an error in any thread) stops the robot first, lets it come to rest, closes
the recording and says why. Exit codes: 0; 1 if something failed or the session ended
held or stopped by a fault; 2 for a wrong argument; 128 + n for signal n.

Recordings, and any source with --headless, engage by themselves; else you do.

--controller balance or walk takes the robot off its pole: it squats and lifts a foot
with you. After a fall, reset puts the simulated robot on its feet; then engage again.
--robot remote:HOST[:PORT] is a robot elsewhere, where `telexist robot --listen` runs
the session: here only devices are read (--source, --walk-input), and told over the
network. The first time --pair CODE makes both sides known to each other.

Only walk follows a --walk-input: own-steps (the robot walks where you walk), joypad,
keyboard, treadmill:cyberith, treadmill:kat, treadmill:omni, script, or script:FILE, a
text with a line for each change of
    time [s], vx [m/s], vy [m/s], wz [rad/s]
in the robot's heading (ahead, left, turning left), such as
    0, 0, 0, 0          # stand; times count from when the robot first follows
    5, 0.2, 0, 0        # walk ahead
    15, 0.2, 0, 0.2     # turn left on the way
    25, 0, 0, 0         # stand

--publish yarp:HOST:PORT?what=A+B shows the operator to programs on YARP, in IIT's own
messages: wearables (as a suit), state, wrench, dynamics (as a model; the last two with
--dynamics), goal (where to walk, to /walking-coordinator), frames. docs/real_robots.md

Examples:
  telexist teleoperate                                 the built-in operator, the iCub
  telexist teleoperate --robot g1 --source walk.bvh --record sessions
  telexist teleoperate --source xsens --controller walk --walk-input joypad
  telexist teleoperate --robot g1 --controller walk --walk-input script:walk.csv
  telexist teleoperate --source xsens --controller walk --walk-input own-steps
  telexist teleoperate --config launch_scripts/configs/g1_suit.toml --operator anna
  telexist teleoperate --headless --duration 10 --json summary.json
"""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Callable, Sequence

from telexist.launch_scripts.arguments import add_session_arguments, session_plan
from telexist.launch_scripts.shell import Parser
from telexist.launch_scripts.terminal import (
    REMOTE,
    AnySession,
    announce_compilation,
    require_writable,
    run_operator_side,
    run_session,
)
from telexist.retarget.errors import (
    BadConfig,
    BadInput,
    BadModel,
    BadRecording,
    UsageError,
)
from telexist.teleop.loop import for_others
from telexist.teleop.publish import open_publishers
from telexist.teleop.session import Session
from telexist.teleop.terms import TickSink

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a session and return the exit code."""
    parser = Parser("telexist teleoperate", __doc__ or "")
    add_session_arguments(parser)
    parser.add_argument(
        "--pair", metavar="CODE", help="once, with --robot remote:HOST (below)"
    )
    args = parser.parse_args(argv)
    if (args.robot or "").startswith(REMOTE):
        return run_operator_side(args)
    if args.pair:
        raise UsageError("--pair CODE is for --robot remote:HOST")
    if args.json is not None:
        require_writable(args.json)
    announce_compilation()
    with open_publishers(args.publish) as published:
        return run_session(
            lambda sinks: _make(args, [*sinks, *published]), args, _opener(args)
        )


def _make(args: argparse.Namespace, sinks: Sequence[TickSink]) -> Session:
    try:
        return Session(session_plan(args), sinks)
    except (BadConfig, BadModel, BadRecording):  # a file is wrong, not an argument
        raise
    except BadInput as error:
        raise UsageError(str(error)) from error


def _opener(args: argparse.Namespace) -> Callable[[AnySession], None]:
    """Return what shows an open session in the browser."""

    def show(session: AnySession) -> None:
        if session.page is not None and not args.no_open:
            with for_others():
                webbrowser.open(session.page.url)

    return show
