"""The arguments of `telexist dataset`."""

from __future__ import annotations

import argparse

from telexist.launch_scripts.arguments.dataset_build_arguments import (
    add_build_arguments,
    add_set,
    add_view_arguments,
)
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.teleop.dataset import SHARDS

__all__ = ["add_dataset_arguments"]


def add_dataset_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and all their arguments."""
    actions = parser.add_subparsers(
        dest="action",
        required=True,
        metavar="build|status|select|split|view",
        parser_class=_DatasetAction,
    )
    add_build_arguments(
        actions.add_parser("build", help="make a set, or go on with it")
    )
    _add_status(actions.add_parser("status", help="what is there, and how good it is"))
    _add_select(actions.add_parser("select", help="choose rows by an expression"))
    _add_split(actions.add_parser("split", help="parts for training and test, shards"))
    add_view_arguments(actions.add_parser("view", help="the set in a browser"))


class _DatasetAction(Parser):
    """The parser of one action; the manual stands above, in that of all."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, "")


def _add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--name", default="all", help="of the selection; default: all", metavar="NAME"
    )


def _add_status(parser: argparse.ArgumentParser) -> None:
    add_set(parser)
    add = parser.add_argument
    add("--columns", action="store_true", help="every column of the table, with units")
    add("--worst", default="slide_p95", metavar="FIGURE", help="default: slide_p95")
    add("--top", type=whole_number(0, 10000), default=5, metavar="N", help="default: 5")


def _add_select(parser: argparse.ArgumentParser) -> None:
    add_set(parser)
    add = parser.add_argument
    add("--keep", default="", metavar="EXPR", help="default: all that did not fail")
    add("--duplicates", action="store_true", help="like clips may all stay")
    _add_name(parser)


def _add_split(parser: argparse.ArgumentParser) -> None:
    add_set(parser)
    add = parser.add_argument
    _add_name(parser)
    add(
        "--shares",
        type=comma_list,
        default=("train=0.8", "val=0.1", "test=0.1"),
        metavar="A=X,B=Y",
        help="of all frames; default: train=0.8,val=0.1,test=0.1",
    )
    add(
        "--seed", type=whole_number(0, 2**31), default=0, metavar="N", help="default: 0"
    )
    add(
        "--performer",
        default="",
        metavar="REGEX",
        help="what it finds in a clip's name says who moves; default: the folder does",
    )
    add("--shards", choices=tuple(SHARDS), help="write shards of the parts too")
    add("--shard-clips", type=whole_number(1, 10**6), default=512, metavar="N")
