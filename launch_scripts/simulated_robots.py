"""Simulated robots behind YARP, for `telexist simulate icub`."""

from __future__ import annotations

import argparse
import contextlib
import threading

from telexist.launch_scripts.shell import OK
from telexist.retarget.errors import UsageError
from telexist.robots.yarp.simulated import (
    SimulatedYarpRobot,
    load_table,
    parse_board_faults,
    play_board_faults,
)
from telexist.robots.yarp.wire import YARP_3, YARP_4
from telexist.teleop.clock import wall_time
from telexist.teleop.devices.simulators.links import parse_address

__all__ = ["play_robot"]

VERSIONS = {"3": YARP_3, "4": YARP_4}
USUAL = "127.0.0.1:10000"


def play_robot(args: argparse.Namespace) -> int:
    """Let a robot's boards be found until interrupted."""
    settings = dict(item.partition("=")[::2] for item in args.set)
    version = settings.pop("version", "3")
    if version not in VERSIONS:
        raise UsageError(f"version={version} is neither 3 nor 4")
    prefix, parts = settings.pop("prefix", ""), settings.pop("parts", "")
    faults = parse_board_faults(settings)
    robot = SimulatedYarpRobot(
        load_table(args.name),
        now=wall_time,
        server=parse_address(args.to) if args.to else None,
        listen=parse_address(args.listen or USUAL),
        dialect=VERSIONS[version],
        prefix=prefix,
        parts=[part for part in parts.split("+") if part],
    )
    robot.open()
    host, port = robot.place
    print(
        f"{robot.table.title}: {', '.join(robot.boards)} under {robot.table.prefix}, "
        f"YARP {version}, name server {host}:{port}   (Ctrl-C ends it)\n"
        f"  telexist teleoperate --robot icub --backend yarp:{host}:{port}",
        flush=True,
    )
    ending = threading.Event()
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(robot):
        play_board_faults(robot, faults, ending, lambda what: print(what, flush=True))
        ending.wait(args.duration)
    return OK
