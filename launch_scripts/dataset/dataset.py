"""Make data sets for training from folders of recordings, look through and split them.

  telexist dataset build RECORDINGS --out SET --robot g1    or go on where it stopped
  telexist dataset status SET                what is there, what failed, how good it is
  telexist dataset view SET                  all of it in a browser: play, keep or drop
  telexist dataset select SET --keep EXPR    choose rows of its table
  telexist dataset split SET --shares train=0.8,val=0.1,test=0.1

SET gets motions/ (the folders of the recordings, with a motion and a report of each
clip and robot), table.parquet (one row for each, every figure of the report) and
dataset.json (what it is made from). An interrupted build goes on where it stopped, and
ends with the same table as one that was not; what has not changed is not done again.

Examples:
  telexist dataset build lafan/ amass/ --out set --robot g1 --format mjlab --mirror
  telexist dataset build lafan/ --out set --robot g1 --scheduler tcp://10.0.0.5:8786
  telexist dataset status set --columns
  telexist dataset select set --keep "slide_p95 < 20 and self_collision == 0"
  telexist dataset split set --performer "subject[0-9]+" --shards webdataset

Expressions: comparisons of columns and numbers, and, or, not, in (...), is None,
+ - * /, abs(x), like(clip, "walk*"). A figure that a row does not have makes its
comparison false. Like clips count once, unless --duplicates; marks of `view` win.
Exit code: 0 all done, 1 something failed, 2 nothing started: an argument is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from telexist.launch_scripts.arguments import add_dataset_arguments
from telexist.launch_scripts.dataset.dataset_build import build
from telexist.launch_scripts.dataset.dataset_results import print_selected, print_split
from telexist.launch_scripts.dataset.dataset_status import print_columns, print_dataset
from telexist.launch_scripts.shell import OK, Parser
from telexist.teleop.dataset import (
    DatasetPlace,
    parse_shares,
    select_rows,
    split_dataset,
    write_selection,
)

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one action; return the exit code."""
    parser = Parser("telexist dataset", __doc__ or "")
    add_dataset_arguments(parser)
    args = parser.parse_args(argv)
    actions = {
        "build": build,
        "status": _status,
        "select": _select,
        "split": _split,
        "view": _view,
    }
    return actions[args.action](args, DatasetPlace(args.set))


def _status(args: argparse.Namespace, place: DatasetPlace) -> int:
    place.require()
    if args.columns:
        print_columns(place)
    else:
        print_dataset(place, worst=args.worst, top=args.top)
    return OK


def _select(args: argparse.Namespace, place: DatasetPlace) -> int:
    place.require()
    selected = select_rows(place, args.keep, duplicates=args.duplicates)
    write_selection(place, args.name, selected.rows)
    print_selected(place, args.name, selected)
    return OK


def _split(args: argparse.Namespace, place: DatasetPlace) -> int:
    place.require()
    shares = parse_shares(args.shares)
    done = split_dataset(
        place,
        args.name,
        shares,
        seed=args.seed,
        performer=args.performer,
        shards=args.shards,
        clips=args.shard_clips,
    )
    print_split(place, args.name, done)
    return OK


def _view(args: argparse.Namespace, place: DatasetPlace) -> int:
    from telexist.launch_scripts.dataset.dataset_view import show_dataset

    place.require()
    return show_dataset(args, place)
