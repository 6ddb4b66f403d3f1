"""Play a device without having it: the real protocol, in real time, with faults.

NAME is a device; CLIP is the recording that its person performs, or `builtin`. `proxy`
stands between a real source and the program instead, and spoils what passes.

Examples:
  telexist simulate xsens walk.bvh --to 192.168.0.7:9763 --protocol tcp --rate 240
  telexist simulate xsens --operator-height 1.95 --heading 120 --n-pose 8
  telexist simulate xsens --set kinds=02+13 --set parts=3
  telexist simulate vmc --faults loss=0.1,jitter=0.02 --seed 7
  telexist simulate optitrack --protocol multicast   also pico, isaac, rokoko
  telexist simulate kat          a treadmill on a cable; it says the cable's name
  telexist teleoperate --source openvr:simulated --walk-input joypad:simulated
  telexist simulate icub         control boards behind YARP; also icub3, ergocub
  telexist simulate icub --listen 127.0.0.1:10000 --set version=4 --set parts=torso+head
  telexist simulate icub --set freeze=left_arm:10:2 --set fault=l_elbow:20
  telexist simulate wearables    IIT's WearableData on YARP; also --set suit=ifeel
  telexist simulate g1           the ZMQ bridge of a Unitree G1; also --set wire=dds
  telexist simulate proxy --listen 127.0.0.1:9000 --to 127.0.0.1:9763 --faults delay=0.1

Faults, as NAME=NUMBER with commas between:
  loss duplicate reorder truncate garbage nan jump   probability of a packet, 0 to 1
  delay jitter burst freeze restart                  seconds
  from for                                           when they begin, how long they last

Faults of boards, with --set (times in seconds after the start):
  freeze=PART:AT:FOR  kill=PART:AT  fault=AXIS:AT  take=AXIS:AT  clock=PART:AT:BY
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Sequence

from telexist.launch_scripts.arguments import add_simulate_arguments, simulator_options
from telexist.launch_scripts.shell import OK, Parser
from telexist.launch_scripts.simulated_robots import ROBOTS, play_robot
from telexist.launch_scripts.simulated_suits import WEARABLES, play_suit
from telexist.retarget.errors import BadInput, UsageError
from telexist.teleop.devices.simulators.faults import FaultLine, parse_faults
from telexist.teleop.devices.simulators.links import (
    TcpFaultProxy,
    Transmitter,
    UdpFaultProxy,
    make_link,
    parse_address,
)
from telexist.teleop.devices.simulators.senders import (
    SIMULATORS,
    load_simulator,
    require_meaning,
)

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Play until the end or until interrupted; return the exit code."""
    parser = Parser("telexist simulate", __doc__ or "")
    add_simulate_arguments(parser)
    args = parser.parse_args(argv)
    try:
        if args.name in ROBOTS:
            return play_robot(args)
        if args.name == WEARABLES:
            return play_suit(args)
        return _proxy(args) if args.name == "proxy" else _play(args)
    except BadInput as error:
        raise UsageError(str(error)) from error


def _play(args: argparse.Namespace) -> int:
    simulator = load_simulator(args.name)
    entry = SIMULATORS[args.name]
    protocol = args.protocol or entry.protocols[0]
    if protocol not in entry.protocols:
        raise UsageError(f"{args.name} sends by {' or '.join(entry.protocols)}")
    plan = parse_faults(args.faults)
    require_meaning(args.name, plan)
    line = FaultLine(plan, seed=args.seed)
    packets = simulator(simulator_options(args))
    link, to = make_link(protocol, args.to or entry.to)
    player = Transmitter(packets, link, line)
    print(
        f"{args.name}: {args.clip} to {to} by {protocol}   (Ctrl-C ends it)", flush=True
    )
    try:
        player.run(threading.Event(), args.duration)
    finally:
        link.close()
    print(f"{args.name}: {player.sent} samples sent")
    return OK


def _proxy(args: argparse.Namespace) -> int:
    if not (args.listen and args.to):
        raise UsageError("proxy needs --listen HOST:PORT and --to HOST:PORT")
    kind = TcpFaultProxy if args.protocol == "tcp" else UdpFaultProxy
    proxy = kind(
        parse_address(args.to),
        parse_faults(args.faults),
        listen=parse_address(args.listen),
        seed=args.seed,
    )
    print(f"{args.listen} to {args.to}: {args.faults or 'no faults'}", file=sys.stderr)
    proxy.start()
    try:
        threading.Event().wait(args.duration)
    finally:
        proxy.stop()
    return OK
