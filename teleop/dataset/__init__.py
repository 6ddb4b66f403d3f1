"""Data sets for training: thousands of clips, one table, on any number of machines.

Folders of recordings go in; motions in the folders of their recordings come out, with a
table of every figure, selections, parts for training and test, and shards.
"""

from telexist.teleop.dataset.build import BuildOptions, BuildResult, build_dataset
from telexist.teleop.dataset.clips import dataset_clips
from telexist.teleop.dataset.expression import Expression
from telexist.teleop.dataset.figures import SHORT
from telexist.teleop.dataset.marks import MARKS, mark_key, read_marks, write_mark
from telexist.teleop.dataset.place import DatasetPlace, DatasetSettings
from telexist.teleop.dataset.selection import (
    Selected,
    read_selection,
    select_rows,
    write_selection,
)
from telexist.teleop.dataset.shards import SHARDS, write_shards
from telexist.teleop.dataset.split import parse_shares, split_rows
from telexist.teleop.dataset.split_files import SplitDone, split_dataset
from telexist.teleop.dataset.table import column_names, read_rows, write_rows

__all__ = [
    "BuildOptions",
    "BuildResult",
    "DatasetPlace",
    "DatasetSettings",
    "Expression",
    "MARKS",
    "SHARDS",
    "SHORT",
    "Selected",
    "SplitDone",
    "build_dataset",
    "column_names",
    "dataset_clips",
    "mark_key",
    "parse_shares",
    "read_marks",
    "read_rows",
    "read_selection",
    "select_rows",
    "split_dataset",
    "split_rows",
    "write_mark",
    "write_rows",
    "write_selection",
    "write_shards",
]
