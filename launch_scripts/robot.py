"""The robot's side of a session over a network: an operator elsewhere is the source.

Retargeting, supervisor, controller, camera and recording run here, beside the robot;
the operator's side (`telexist teleoperate --robot remote:HOST`) only tells what its
devices say. Without --listen nobody but this machine can reach it. Both sides make
certificates at their first start and must be paired once: this one shows a code, there
it is given as --pair CODE. The robot holds within 0.3 s when samples stop, come late or
the connection ends; only a deliberate engage goes on.

All arguments of `telexist teleoperate` but --source have their meaning.

Examples:
  telexist robot --robot g1 --listen 0.0.0.0                 port 7788, TCP and UDP
  telexist robot --robot g1 --listen 0.0.0.0 --pair          one more operator's side
  telexist robot --robot icub --listen 0.0.0.0:9000 --controller walk --record sessions
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from telexist.launch_scripts.arguments import add_session_arguments, session_plan
from telexist.launch_scripts.shell import Parser
from telexist.launch_scripts.terminal import (
    announce_compilation,
    require_writable,
    run_session,
)
from telexist.retarget.errors import (
    BadConfig,
    BadInput,
    BadModel,
    BadRecording,
    UsageError,
)
from telexist.teleop.publish import open_publishers
from telexist.teleop.session import Session
from telexist.teleop.terms import TickSink

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a session for an operator elsewhere and return the exit code."""
    parser = Parser("telexist robot", __doc__ or "")
    add_session_arguments(parser)
    add = parser.add_argument
    add(
        "--listen",
        default="127.0.0.1",
        metavar="HOST[:PORT]",
        help="address of this machine; 0.0.0.0 is all; default: 127.0.0.1:7788",
    )
    add("--pair", action="store_true", help="show a code with which to be paired")
    args = parser.parse_args(argv)
    if args.source is not None:
        raise UsageError("--source belongs to the operator's side; leave it out here")
    args.source = f"remote:{args.listen}" + ("?pair=yes" if args.pair else "")
    if args.json is not None:
        require_writable(args.json)
    announce_compilation()
    with open_publishers(args.publish) as published:
        return run_session(
            lambda sinks: _make(args, [*sinks, *published]),
            args,
            lambda session: None,
        )


def _make(args: argparse.Namespace, sinks: Sequence[TickSink]) -> Session:
    try:
        return Session(session_plan(args), sinks)
    except (BadConfig, BadModel, BadRecording):  # a file is wrong, not an argument
        raise
    except BadInput as error:
        raise UsageError(str(error)) from error
