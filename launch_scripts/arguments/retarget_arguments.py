"""The arguments of `telexist retarget`."""

from __future__ import annotations

import argparse
import os
from fractions import Fraction
from pathlib import Path

from telexist.launch_scripts.shell import comma_list, number, whole_number
from telexist.retarget.errors import BadInput
from telexist.retarget.training import DIALECTS, parse_rate
from telexist.robots.description import DEFAULT_ROBOT

__all__ = ["add_retarget_arguments", "add_shared_arguments"]


def add_retarget_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare all arguments."""
    add = parser.add_argument
    add("clips", nargs="+", metavar="CLIP", help="file, folder or the word builtin")
    add("--out", type=Path, default=Path("out"), metavar="DIR", help="default: out")
    add_shared_arguments(parser)
    add("--no-pictures", action="store_true", help="save the time of drawing")
    add("--overwrite", action="store_true", help="compute kept results again")


def add_shared_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `telexist dataset build` takes too."""
    add = parser.add_argument
    add(
        "--robot",
        type=comma_list,
        default=(DEFAULT_ROBOT,),
        metavar="A,B,C",
        help=f"names or robot.toml files; default: {DEFAULT_ROBOT}",
    )
    add(
        "--jobs",
        type=whole_number(1, 1024),
        default=_cores(),
        metavar="N",
        help="processes; default: one a core; results do not depend on it",
    )
    add(
        "--format",
        type=comma_list,
        default=("npz",),
        metavar="A,B",
        help=f"of the motion, beside npz: csv, mujoco, {', '.join(DIALECTS)}",
    )
    add(
        "--fps",
        type=_rate,
        metavar="RATE",
        help="of trainers' files [Hz]: 50, 29.97, 30000/1001; default: what the "
        "trainer expects",
    )
    add(
        "--pad",
        type=number(0.0, 60.0),
        default=0.0,
        metavar="S",
        help="of trainers' files: time added at both ends, in which the robot goes "
        "between standing and the motion [s]; default: 0",
    )
    add(
        "--models",
        action="append",
        default=[],
        metavar="DIR",
        help="folder with robot models; may be given several times",
    )
    add("--download", action="store_true", help="fetch models by robot_descriptions")
    add(
        "--quality",
        choices=("balanced", "kinematic"),
        default="balanced",
        help="balanced (default): a second pass over the whole clip; kinematic: none",
    )
    add(
        "--distances", choices=("on", "off"), default="off", help="on: links keep apart"
    )
    add("--source-config", type=Path, metavar="FILE", help="facts on the clips (TOML)")


def _rate(text: str) -> Fraction:
    try:
        return parse_rate(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _cores() -> int:
    """Return how many cores this process may use, where the system says so."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
