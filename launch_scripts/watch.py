"""Watch a person, with no robot: what their joints and feet do, live.

SOURCE shows the person, as `telexist teleoperate` has it: xsens, vmc, openvr, a
recording, builtin. The page shows them coloured by effort, the ground's forces as
arrows (blue: measured; grey: found from the motion), a moment of your choice with a
band of two deviations, what hangs in the hands, and scores of ergonomics. Everything
goes into --record, and from there into `telexist export`.

No force sensor is needed; with one (--forces) the numbers become narrower. Say the
person's mass (--mass), or let them stand still on the sensors for a second. Everything
shown is some 60 ms old, and its stamps say so. Nothing here is medical advice.

Live sources are calibrated first, as for `telexist teleoperate`: by the page's button,
by itself with --headless, or by --operator NAME.

Examples:
  telexist watch                                       the built-in person
  telexist watch --source xsens --operator anna --mass 62
  telexist watch --source walk.bvh --mass 70 --record sessions
  telexist watch --source xsens --forces moticon --hands
  telexist watch --headless --duration 20 --record sessions
"""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Sequence

from telexist.launch_scripts.arguments import add_watch_arguments, watch_plan
from telexist.launch_scripts.shell import Parser
from telexist.launch_scripts.terminal import (
    AnySession,
    announce_compilation,
    require_writable,
    run_session,
)
from telexist.retarget.errors import BadConfig, BadInput, BadRecording, UsageError
from telexist.teleop.publish import open_publishers
from telexist.teleop.session import WatchSession
from telexist.teleop.terms import TickSink

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a session without a robot and return the exit code."""
    parser = Parser("telexist watch", __doc__ or "")
    add_watch_arguments(parser)
    args = parser.parse_args(argv)
    if args.json is not None:
        require_writable(args.json)
    announce_compilation()

    def show(session: AnySession) -> None:
        if session.page is not None and not args.no_open:
            webbrowser.open(session.page.url)

    with open_publishers(args.publish) as published:
        return run_session(lambda sinks: _make(args, [*sinks, *published]), args, show)


def _make(args: argparse.Namespace, sinks: Sequence[TickSink]) -> WatchSession:
    try:
        return WatchSession(watch_plan(args), sinks)
    except (BadConfig, BadRecording):  # a file is wrong, not an argument
        raise
    except BadInput as error:
        raise UsageError(str(error)) from error
