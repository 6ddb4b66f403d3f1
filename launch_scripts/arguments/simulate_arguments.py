"""The arguments of `telexist simulate`, and the options that they make."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from telexist.launch_scripts.shell import whole_number
from telexist.robots.yarp.simulated import TABLES
from telexist.teleop.devices.simulators.senders import SIMULATORS, SimulatorOptions

__all__ = ["add_simulate_arguments", "simulator_options"]


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare them."""
    add = parser.add_argument
    names = ", ".join((*SIMULATORS, *TABLES, "g1", "wearables", "proxy"))
    add("name", metavar="NAME", help=names)
    add("clip", metavar="CLIP", nargs="?", default="builtin", help="default: builtin")
    add("--to", metavar="HOST:PORT", help="default: this machine, the usual port")
    ways = ("udp", "tcp", "unicast", "multicast")
    add("--protocol", choices=ways, help="default: the device's usual one")
    add("--rate", type=_number(1.0, 1000.0), help="samples a second; default: CLIP's")
    add("--faults", default="", metavar="A=1,B=2", help="what goes wrong; see above")
    add("--seed", type=whole_number(0, 2**31), default=0, help="of the faults")
    add("--operator-height", type=_number(0.5, 2.5), metavar="M", help="of the person")
    add("--heading", type=_number(-360.0, 360.0), default=0.0, metavar="DEG")
    add(
        "--noise",
        type=_number(0.0, 30.0),
        default=0.02,
        metavar="DEG",
        help="of the sensors; default: 0.02",
    )
    add("--n-pose", type=_number(0.0, 3600.0), default=0.0, metavar="S", help="first")
    add("--once", action="store_true", help="stop at the end of the clip")
    add("--duration", type=_number(0.0, 1e6), metavar="S", help="stop after this")
    add("--set", action="append", default=[], metavar="A=B", help="of one simulator")
    add("--listen", metavar="HOST:PORT", help="of proxy: where to listen")


def simulator_options(args: argparse.Namespace) -> SimulatorOptions:
    """Return what the arguments ask of a simulator."""
    return SimulatorOptions(
        clip=args.clip,
        rate=args.rate,
        operator_height=args.operator_height,
        heading=math.radians(args.heading),
        noise=math.radians(args.noise),
        n_pose=args.n_pose,
        loop=not args.once,
        settings=dict(item.partition("=")[::2] for item in args.set),
    )


def _number(low: float, high: float) -> Callable[[str], float]:
    """Return an argument type: a number from `low` to `high`."""

    def convert(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            problem = f"'{text}' is not a number from {low:g} to {high:g}"
            raise argparse.ArgumentTypeError(problem)
        return number

    return convert
