"""The arguments of `telexist dataset build` and `view`."""

from __future__ import annotations

import argparse
from pathlib import Path

from telexist.launch_scripts.arguments.retarget_arguments import add_shared_arguments
from telexist.launch_scripts.shell import whole_number

__all__ = ["add_build_arguments", "add_set", "add_view_arguments"]


def add_build_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare all arguments."""
    add = parser.add_argument
    add("recordings", nargs="+", metavar="RECORDINGS", help="files, folders, builtin")
    add("--out", dest="set", type=Path, required=True, metavar="SET", help="its folder")
    add_shared_arguments(parser)
    add("--mirror", action="store_true", help="every clip in a mirror too")
    add("--trim", action="store_true", help="cut off standing still at both ends")
    add(
        "--pictures", action="store_true", help="draw a sheet of each: about 1 s a clip"
    )
    add(
        "--scheduler",
        default="",
        metavar="tcp://HOST:PORT",
        help="a scheduler of dask whose workers see the same folders; `local` starts "
        "one with --jobs workers on loopback; default: plain processes",
    )


def add_set(parser: argparse.ArgumentParser) -> None:
    """Declare the folder of a set that is there."""
    parser.add_argument("set", type=Path, metavar="SET", help="folder of the set")


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare all arguments of `view`."""
    add_set(parser)
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="default: this machine alone")
    add("--port", type=whole_number(0, 65535), default=8090, help="default: 8090")
    add("--no-open", action="store_true", help="do not open a browser")
    add(
        "--models",
        action="append",
        default=[],
        metavar="DIR",
        help="folder with robot models; may be given several times",
    )
