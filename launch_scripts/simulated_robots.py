"""Simulated robots for `telexist simulate icub` and the like."""

from __future__ import annotations

import argparse
import contextlib
import threading

from telexist.launch_scripts.shell import OK
from telexist.retarget.errors import UsageError
from telexist.robots.unitree import SimulatedG1, SimulatedG1Dds
from telexist.robots.yarp.simulated import (
    TABLES,
    SimulatedYarpRobot,
    load_table,
    parse_board_faults,
    play_board_faults,
)
from telexist.robots.yarp.wire import YARP_3, YARP_4
from telexist.teleop.clock import wall_time
from telexist.teleop.devices.simulators.links import parse_address

__all__ = ["ROBOTS", "play_robot"]

ROBOTS = (*TABLES, "g1")

VERSIONS = {"3": YARP_3, "4": YARP_4}
USUAL = "127.0.0.1:10000"


def play_robot(args: argparse.Namespace) -> int:
    """Let a robot be found until interrupted."""
    return _play_g1(args) if args.name == "g1" else _play_boards(args)


def _play_g1(args: argparse.Namespace) -> int:
    settings = dict(item.partition("=")[::2] for item in args.set)
    wire = settings.pop("wire", "bridge")
    robot: SimulatedG1
    if wire == "dds":
        domain = settings.pop("domain", "0")
        if not domain.isdecimal():
            raise UsageError(f"domain={domain} is no number")
        robot = SimulatedG1Dds(
            interface=settings.pop("interface", "lo"), domain=int(domain)
        )
    else:
        robot = SimulatedG1(*parse_address(args.listen or "127.0.0.1:6000"))
    if settings or wire not in ("bridge", "dds"):
        raise UsageError("--set of g1: wire=bridge|dds, interface=lo, domain=0")
    robot.open()
    print(
        f"G1: the {wire} at {robot.place}   (Ctrl-C ends it)\n"
        f'  telexist teleoperate --robot g1 --backend "unitree:{robot.place}"',
        flush=True,
    )
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(robot):
        threading.Event().wait(args.duration)
    return OK


def _play_boards(args: argparse.Namespace) -> int:
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
        senses=True,
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
