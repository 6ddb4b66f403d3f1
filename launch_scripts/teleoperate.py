"""Be the robot: an operator's motion drives a robot, live.

SOURCE shows the operator: builtin (default), a recording, xsens, vmc, openvr, ... with
its address: xsens:9763, vmc:39539, player:walk.bvh. Calibrate first (`telexist
calibrate`, or the page's button), then engage: the robot comes to your pose within
seconds and follows. Emergency stop: the page's red button, the joypad's button, the
space bar with --walk-input keyboard, Ctrl-C.

Recordings, and any source with --headless, engage by themselves; else you do.

Examples:
  telexist teleoperate                                 the built-in operator, the iCub
  telexist teleoperate --robot g1 --source walk.bvh --record sessions
  telexist teleoperate --source xsens --operator anna --walk-input joypad
  telexist teleoperate --headless --duration 10 --json summary.json
"""

from __future__ import annotations

import argparse
import signal
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from launch_scripts.command_line import FAILED, OK, Parser, UsageError, whole_number
from launch_scripts.first_run import announce_compilation
from launch_scripts.session_summary import print_summary, write_summary
from retarget.errors import BadInput
from teleop.devices.interface import Request
from teleop.devices.options import DeviceOptions
from teleop.session import Session, SessionPlan
from teleop.settings import SessionSettings, load_settings
from teleop.summary import Summary
from teleop.tick import Tick

__all__ = ["main"]


class EventLines:
    """Prints every event as it comes."""

    def put(self, tick: Tick) -> None:
        """Print the events of a tick."""
        for event in tick.events:
            print(f"[{event.state.value}] {event.kind}: {event.reason}", flush=True)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a session and return the exit code."""
    parser = Parser("telexist teleoperate", __doc__ or "")
    _add_arguments(parser)
    args = parser.parse_args(argv)
    announce_compilation()
    session = Session(_plan(args), [EventLines()])
    for line in session.open():
        print(line, flush=True)
    if session.page is not None and not args.no_open:
        webbrowser.open(session.page.url)
    summary = _run(session, args.duration)
    print_summary(summary, session)
    if args.json is not None:
        write_summary(summary, args.json)
    problem = session.recorder.problem if session.recorder else None
    if problem:
        print(f"telexist: error: recording: {problem}", file=sys.stderr)
    return FAILED if problem else OK


def _run(session: Session, duration: float) -> Summary:
    """Run; Ctrl-C or a termination stops the robot first, then the program."""

    def stop(*_: object) -> None:
        session.request(Request.STOP)
        session.loop.stop_soon()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return session.run(duration)


def _plan(args: argparse.Namespace) -> SessionPlan:
    settings = load_settings(args.config) if args.config else SessionSettings()
    recorded = args.source.partition(":")[0] in ("builtin", "player")
    recorded = recorded or Path(args.source).suffix.lower() in (".bvh", ".mvnx", ".npz")
    page = not (args.headless or args.no_view)
    try:
        return SessionPlan(
            robot=args.robot,
            folders=tuple(args.models),
            backend=args.backend,
            source=args.source,
            inputs=tuple(args.walk_input),
            controller=args.controller,
            operator=args.operator,
            record=args.record,
            page=page,
            host=args.host,
            port=args.port,
            camera=page or args.camera,
            engage=args.engage or recorded or args.headless,
            devices=DeviceOptions(loop=not args.once, start=args.start),
            settings=settings,
        )
    except BadInput as error:
        raise UsageError(str(error)) from error


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--robot", default="icub", help="name or robot.toml; default: icub")
    add("--source", default="builtin", help="who shows the operator; default: builtin")
    add(
        "--walk-input",
        action="append",
        default=[],
        metavar="DEVICE",
        help="joypad, keyboard, treadmill:MAKE...; several: give it several times",
    )
    add("--controller", default="servo", help="servo (default), balance, walk")
    add("--operator", default="", help="name or file of a calibrated operator")
    add("--config", type=Path, metavar="FILE", help="settings (TOML)")
    add("--record", type=Path, metavar="DIR", help="keep everything in DIR/*.mcap")
    add(
        "--duration",
        type=float,
        default=float("inf"),
        metavar="S",
        help="end after S seconds",
    )
    add("--headless", action="store_true", help="no page; engages by itself")
    add("--no-view", action="store_true", help="no page")
    add("--no-open", action="store_true", help="do not open a browser")
    add("--engage", action="store_true", help="engage as soon as all is ready")
    add("--once", action="store_true", help="play a recording once, then hold")
    add("--start", type=float, default=0.0, metavar="S", help="start of a recording")
    add("--camera", action="store_true", help="render the camera without a page too")
    add("--host", default="127.0.0.1", help="of the page; default: this machine only")
    add("--port", type=whole_number(0, 65535), default=8080, help="default: 8080")
    add("--models", action="append", default=[], metavar="DIR", help="of robot models")
    add("--backend", default="mujoco", help="mujoco (default) or fake")
    add("--json", type=Path, metavar="FILE", help="write the summary there too")
