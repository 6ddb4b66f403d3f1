"""From the arguments of `telexist teleoperate` to the plan of a session."""

from __future__ import annotations

import argparse
from pathlib import Path

from telexist.launch_scripts.arguments.camera_arguments import (
    add_camera_argument,
    with_camera,
)
from telexist.launch_scripts.arguments.dynamics_arguments import (
    add_dynamics_arguments,
    with_dynamics,
)
from telexist.launch_scripts.arguments.page_port import chosen_port
from telexist.launch_scripts.shell import number, whole_number
from telexist.teleop.devices.base import DeviceOptions
from telexist.teleop.devices.keyboard import KEYS
from telexist.teleop.session import (
    SessionFile,
    SessionPlan,
    load_session_file,
)

__all__ = ["add_session_arguments", "session_plan"]


def session_plan(args: argparse.Namespace) -> SessionPlan:
    """Return the plan that the arguments ask for."""
    file = load_session_file(args.config) if args.config else SessionFile()
    chosen = file.session.unless(vars(args))
    page = not (args.headless or args.no_view)
    return SessionPlan(
        robot=chosen.robot_unless_named(args.robot),
        folders=tuple(args.models),
        backend=args.backend,
        source=chosen.source,
        inputs=(*chosen.walk_input, *([args.forces] if args.forces else [])),
        controller=chosen.controller,
        operator=chosen.operator,
        record=args.record,
        page=page,
        host=args.host,
        port=chosen_port(args.host, args.port),
        dynamics=args.dynamics or args.forces is not None,
        camera=page or args.camera is not None,
        engage=args.engage or args.headless,
        end=args.once and not page,
        duration=args.duration,
        devices=DeviceOptions(loop=not args.once, start=args.start),
        settings=with_camera(with_dynamics(file.settings, args), args.camera),
    )


def add_session_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `telexist teleoperate` understands."""
    parser.epilog = f"Keys of --walk-input keyboard: {KEYS}."
    add = parser.add_argument
    add("--robot", help="name or robot.toml; default: icub")
    add("--source", help="who shows the operator; default: builtin")
    add(
        "--walk-input",
        action="append",
        metavar="DEVICE",
        help="own-steps: where you walk; joypad, keyboard, treadmill:MAKE, script:FILE "
        "(above); repeat for more",
    )
    words = "servo (default), balance, walk, policy:FILE; several: docs/hand-over.md"
    add("--controller", help=words)
    add("--operator", help="name or file of a profile, or where to keep a new one")
    add("--config", type=Path, metavar="FILE", help="all of this and settings (TOML)")
    add("--dynamics", action="store_true", help="the operator's torques, live")
    add_dynamics_arguments(parser)
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
    add("--headless", action="store_true", help="no page; engages by itself")
    add("--no-view", action="store_true", help="no page")
    add("--no-open", action="store_true", help="do not open a browser")
    add("--engage", action="store_true", help="engage as soon as all is ready")
    add(
        "--once",
        action="store_true",
        help="play a recording once; then hold, or end if there is no page",
    )
    add("--start", type=number(0.0, 1e6), default=0.0, metavar="S", help="of a clip")
    add_camera_argument(parser)
    add("--host", default="127.0.0.1", help="of the page; default: this machine only")
    add("--port", type=whole_number(0, 65535), help="default: 8080, or any free one")
    add("--models", action="append", default=[], metavar="DIR", help="of robot models")
    backends = (
        "mujoco (default), fake, yarp[:HOST:PORT], a plug-in; docs/real_robots.md"
    )
    add("--backend", default="mujoco", help=backends)
    add("--yes", action="store_true", help="a real robot may move without asking")
    add("--json", type=Path, metavar="FILE", help="write the summary there too")
