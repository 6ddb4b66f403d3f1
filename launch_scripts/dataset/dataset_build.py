"""`telexist dataset build`: from arguments to a set."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console
from telexist.launch_scripts.arguments import source_options
from telexist.launch_scripts.dataset.dataset_results import print_built
from telexist.launch_scripts.shell import FAILED, OK
from telexist.launch_scripts.terminal import announce_compilation
from telexist.teleop.batch import Watcher, make_watcher
from telexist.teleop.dataset import (
    BuildOptions,
    DatasetPlace,
    DatasetSettings,
    build_dataset,
)

__all__ = ["build"]


def build(args: argparse.Namespace, place: DatasetPlace) -> int:
    """Make the set; return the exit code."""
    settings = DatasetSettings(
        sources=tuple(args.recordings),
        robots=tuple(args.robot),
        formats=tuple(args.format),
        fps=None if args.fps is None else str(args.fps),
        pad=args.pad,
        mirror=args.mirror,
        trim=args.trim,
        pictures=args.pictures,
        quality=args.quality,
        distances=args.distances == "on",
    )
    options = BuildOptions(
        processes=args.jobs,
        scheduler=args.scheduler,
        reading=source_options(args.source_config),
        folders=tuple(args.models),
        download=args.download,
    )
    result = build_dataset(place, settings, options, _watch)
    print_built(place, result)
    return FAILED if result.failed else OK


def _watch(left: int, total: int) -> Watcher:
    if left:
        announce_compilation()
    return make_watcher(Console(file=sys.stderr), total)
