"""Simulated suits on YARP for `telexist simulate wearables`."""

from __future__ import annotations

import argparse
import contextlib
import math
import threading

from telexist.launch_scripts.shell import OK
from telexist.retarget.errors import UsageError
from telexist.retarget.recordings import read_clip
from telexist.robots.yarp.wire import YARP_3, YARP_4
from telexist.teleop.devices.person import SimulatedOperator
from telexist.teleop.devices.simulators.links import parse_address
from telexist.teleop.devices.yarp import SimulatedSuit

__all__ = ["WEARABLES", "play_suit"]

WEARABLES = "wearables"
VERSIONS = {"3": YARP_3, "4": YARP_4}
USUAL = "127.0.0.1:10000"


def play_suit(args: argparse.Namespace) -> int:
    """Let a suit be found until interrupted."""
    settings = dict(item.partition("=")[::2] for item in args.set)
    version, kind = settings.pop("version", "3"), settings.pop("suit", "xsens")
    if settings or version not in VERSIONS:
        raise UsageError("--set of wearables: suit=xsens|ifeel, version=3|4")
    person = SimulatedOperator(
        read_clip(args.clip),
        height=args.operator_height,
        heading=math.radians(args.heading),
        noise=math.radians(args.noise),
        n_pose=args.n_pose,
        loop=not args.once,
    )
    suit = SimulatedSuit(
        person,
        kind=kind,
        rate=args.rate or 60.0,
        dialect=VERSIONS[version],
        server=parse_address(args.to) if args.to else None,
        listen=parse_address(args.listen or USUAL),
    )
    suit.open()
    host, port = suit.place
    print(
        f"{kind}: {args.clip} at {suit.port_name}, YARP {version}, name server "
        f"{host}:{port}   (Ctrl-C ends it)\n"
        f"  telexist teleoperate --source wearables:{host}:{port}",
        flush=True,
    )
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(suit):
        threading.Event().wait(args.duration)
    return OK
