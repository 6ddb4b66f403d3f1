"""Turn a recorded session into files that other tools read.

SESSION is a .mcap file that `telexist teleoperate --record` wrote, also one that was
cut off. The folder --out gets SESSION.FORMAT/ with, for each format:
  npz       session.npz: an array for each field of each channel
  csv       a table for each channel; columns name joint and unit
  parquet   the same as parquet tables
  lerobot   a data set in the layout of LeRobot v3.0: observation.state is measured,
            action is commanded, at a fixed rate; one episode for each stretch in which
            the operator was engaged; pictures are embedded as images, no video is made
  mjlab, beyondmimic, holosoma, locomujoco, unitree-csv, protomotions, seed-csv, gmr,
  mimickit, sonic   the motion that the robot was asked for, for trainers, one file for
            each stretch in which the operator was engaged: see telexist retarget --help
  clip      the operator's motion, for `telexist retarget` and `telexist view`

Examples:
  telexist export session.mcap --format npz
  telexist export session.mcap --format csv,parquet --out results
  telexist export session.mcap --format lerobot --fps 30 --task "wave at the camera"
  telexist export session.mcap --format clip && telexist view session.clip/session.npz
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from telexist.launch_scripts.shell import OK, Parser, comma_list
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export import (
    ExportOptions,
    export_session,
    require_format,
)

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Export a session; return the exit code."""
    parser = Parser("telexist export", __doc__ or "")
    parser.add_argument("session", type=Path, metavar="SESSION", help="a .mcap file")
    parser.add_argument(
        "--format", type=comma_list, default=("npz",), help="default: npz"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("."), help="folder; default: here"
    )
    parser.add_argument(
        "--fps",
        type=float,
        default=50.0,
        help="of data sets, motions; default: 50",
    )
    parser.add_argument("--task", default="", help="what was done, for LeRobot")
    parser.add_argument(
        "--whole", action="store_true", help="LeRobot: all of it as one episode"
    )
    parser.add_argument(
        "--models", action="append", default=[], metavar="DIR", help="with robot models"
    )
    parser.add_argument("--force", action="store_true", help="replace older exports")
    args = parser.parse_args(argv)
    for name in args.format:
        require_format(name)
    options = ExportOptions(
        fps=args.fps, task=args.task, models=tuple(args.models), whole=args.whole
    )
    reader = SessionReader(args.session)
    for name in args.format:
        place, notes = export_session(reader, name, args.out, options, force=args.force)
        print(f"wrote {place}")
        for note in notes:
            print(f"note: {note}")
    for problem in reader.problems:
        print(f"note: {reader.path}: {problem}")
    return OK
