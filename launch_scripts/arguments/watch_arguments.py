"""From the arguments of `telexist watch` to the plan of a session without a robot."""

from __future__ import annotations

import argparse
from pathlib import Path

from telexist.launch_scripts.arguments.dynamics_arguments import (
    add_dynamics_arguments,
    with_dynamics,
)
from telexist.launch_scripts.arguments.page_port import chosen_port
from telexist.launch_scripts.shell import number, whole_number
from telexist.teleop.devices.base import DeviceOptions
from telexist.teleop.session import SessionFile, SessionPlan, load_session_file

__all__ = ["add_watch_arguments", "watch_plan"]


def watch_plan(args: argparse.Namespace) -> SessionPlan:
    """Return the plan that the arguments ask for."""
    file = load_session_file(args.config) if args.config else SessionFile()
    chosen = file.session.unless({"source": args.source, "operator": args.operator})
    page = not args.headless
    return SessionPlan(
        source=chosen.source,
        inputs=(args.forces,) if args.forces else (),
        operator=chosen.operator,
        record=args.record,
        page=page,
        host=args.host,
        port=chosen_port(args.host, args.port),
        dynamics=True,
        engage=args.headless,
        end=args.once and not page,
        duration=args.duration,
        devices=DeviceOptions(loop=not args.once, start=args.start),
        settings=with_dynamics(file.settings, args),
    )


def add_watch_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `telexist watch` understands."""
    add = parser.add_argument
    add("--source", help="who shows the person; default: builtin")
    add("--operator", help="name or file of a profile, or where to keep a new one")
    add_dynamics_arguments(parser)
    add("--config", type=Path, metavar="FILE", help="settings (TOML)")
    add(
        "--publish",
        action="append",
        default=[],
        metavar="WHERE",
        help="yarp:HOST:PORT?what=wearables+state; docs/real_robots.md",
    )
    add("--record", type=Path, metavar="DIR", help="keep everything in DIR/*.mcap")
    add(
        "--duration",
        type=number(0.0, float("inf")),
        default=float("inf"),
        metavar="S",
        help="end after S seconds",
    )
    add("--headless", action="store_true", help="no page; calibrates by itself")
    add("--no-open", action="store_true", help="do not open a browser")
    add("--once", action="store_true", help="play a recording once")
    add("--start", type=number(0.0, 1e6), default=0.0, metavar="S", help="of a clip")
    add("--host", default="127.0.0.1", help="of the page; default: this machine only")
    add("--port", type=whole_number(0, 65535), help="default: 8080, or any free one")
    add("--json", type=Path, metavar="FILE", help="write the summary there too")
