"""Files in to files out, as `telexist dataset build` does it: where the time goes.

  telexist bench dataset --json dataset.json
  telexist bench dataset recordings/ --robot g1 --repeats 5
  telexist bench dataset walk.bvh --format npz,mjlab

read: the file to a person's motion. engine: `Retargeter`, start and all. report: every
figure, collisions too. write: the motion, its report, and what else --format names.
Frames per second and core, by the time of the processor, so that other programs on the
machine count less; of each clip the median of the repeats, after one that compiles.
Starting Python and loading robots are not in it: a set has thousands of clips.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.retarget.errors import TelexistError, UsageError
from telexist.retarget.files import write_bytes
from telexist.retarget.follow import Retargeter
from telexist.retarget.metrics import make_report
from telexist.retarget.recordings import read_clip
from telexist.retarget.results import save_motion
from telexist.robots.description import RobotModel, load_robot, model_tree
from telexist.robots.urdf import LinkHulls, link_hulls
from telexist.teleop.dataset import dataset_clips

__all__ = ["main"]

STAGES = ("read", "engine", "report", "write")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every robot, print the table, write the file."""
    args = _parser().parse_args(argv)
    paths = [clip.path for clip in dataset_clips(args.clips, mirror=False, trim=False)]
    content: dict[str, Any] = {"machine": describe_machine(), "clips": len(paths)}
    rows = []
    for name in args.robot:
        found = _measured(load_robot(name), paths, args.repeats, tuple(args.format))
        content[name] = found
        shares = [f"{found['share'][stage]:.0%}" for stage in STAGES]
        micros = [f"{found['us_per_frame'][stage]:.1f}" for stage in STAGES]
        rows.append([name, f"{found['frames_per_second']:,.0f}", *micros, *shares])
    headings = ["", "frames/s and core", *(f"{s} [us]" for s in STAGES), *STAGES]
    print_table("files in to files out on one core", headings, rows)
    write_json(args.json, content)
    return 0


def _measured(
    model: RobotModel, paths: Sequence[str], repeats: int, formats: tuple[str, ...]
) -> dict[str, Any]:
    """Return frames per second over all clips, and the share of each stage."""
    hulls, frames, spent, failed = link_hulls(model.urdf), 0, np.zeros(len(STAGES)), 0
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            try:
                runs = [
                    _one(model, hulls, path, Path(folder), formats)
                    for _ in range(repeats + 1)
                ]
            except TelexistError:
                failed += 1
                continue
            frames += runs[0][0]
            spent += np.median([times for _, times in runs[1:]], axis=0)
    if not frames:
        raise UsageError("none of these recordings can be read")
    total = float(spent.sum())
    return {
        "frames": frames,
        "failed": failed,
        "frames_per_second": frames / total,
        "us_per_frame": dict(zip(STAGES, (1e6 * spent / frames).tolist(), strict=True)),
        "share": dict(zip(STAGES, (spent / total).tolist(), strict=True)),
    }


def _one(
    model: RobotModel, hulls: LinkHulls, path: str, out: Path, formats: tuple[str, ...]
) -> tuple[int, list[float]]:
    """Return the frames of a clip and what each stage took [s]."""
    marks = [time.process_time()]
    clip = read_clip(path)
    marks.append(time.process_time())
    motion = Retargeter(model.body, clip.size).run(clip)
    marks.append(time.process_time())
    report = make_report(clip, model.body, motion, hulls=hulls.collision)
    marks.append(time.process_time())
    tree = model_tree(model) if set(formats) - {"npz"} else None
    save_motion(out, "clip", motion, formats, model=tree)
    write_bytes(out / "clip.json", json.dumps(report.to_json(), indent=2).encode())
    marks.append(time.process_time())
    return len(clip), np.diff(marks).tolist()


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench dataset", __doc__ or "")
    add = parser.add_argument
    add(
        "clips", nargs="*", default=["builtin"], metavar="CLIP", help="default: builtin"
    )
    add("--json", type=Path, metavar="FILE", help="write the numbers")
    add("--robot", type=comma_list, default=("g1",), help="a,b,c; default: g1")
    add("--format", type=comma_list, default=("npz",), help="default: npz")
    add("--repeats", type=whole_number(1, 1000), default=3, help="default: 3")
    return parser
