"""[R] figure 7: three methods, three models, three motions.

  telexist bench figure7 --json figure7.json --png figure7.png
  telexist bench figure7 --robot icub --motion walking
  telexist bench figure7 --motions my/recordings --json figure7.json

Whole-body and pair-wise instantaneous optimisation (IPOPT by way of CasADi, from
`pip install 'telexist[bench]'`; else scipy) and the dynamical method, on Human66,
Human48 and iCub, for T-pose, walking and running: mean normalised trace error, angular
velocity RMSE and time. The methods run in turn, frame by frame. All start from zero
configuration; the first frame is held for 2 s, which do not count. The time of
pair-wise optimisation is that of its slowest pair, as if each had a core of its own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from telexist.benchmarks.papers.figure7_plot import draw_figure7
from telexist.benchmarks.papers.paper_motions import (
    MOTIONS,
    load_motion,
    motions_folder,
)
from telexist.benchmarks.papers.part_solver import best_solver
from telexist.benchmarks.papers.tracking_error import (
    mean_normalized_trace_error,
    paper_targets,
    velocity_rmse,
    zero_configuration,
)
from telexist.benchmarks.papers.tracking_methods import METHODS, make_method
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list
from telexist.retarget.errors import BadInput
from telexist.retarget.pictures import save_figure
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array
from telexist.robots.description import load_body

__all__ = ["main", "track"]

ROBOTS = ("human66", "human48", "icub")
HELD = 2.0  # [s] for which the first frame is held, and dropped


def track(
    body: RobotBody, clip: HumanClip, methods: Sequence[str]
) -> dict[str, dict[str, Array]]:
    """Return MNTE, RMSE [rad/s] and time [s] of every frame (t,) for each method."""
    targets = paper_targets(body, clip)
    dt = float((clip.time[-1] - clip.time[0]) / (len(clip) - 1))
    held = round(HELD / dt)
    solvers = {name: make_method(name, body, targets[0]) for name in methods}
    at = dict.fromkeys(methods, zero_configuration(body, clip))
    found = {name: {k: np.empty(len(clip)) for k in METRICS} for name in methods}
    frames = targets[0].orientations.frames
    for k in range(-held, len(clip)):
        wanted = targets[max(k, 0)]
        for name in methods:
            body.kinematics.update(at[name])
            before = body.kinematics.rotations(frames)
            tracked = solvers[name].step(at[name], wanted, dt)
            at[name] = tracked.configuration
            body.kinematics.update(at[name])
            after = body.kinematics.rotations(frames)
            if k >= 0:
                row, goal = found[name], wanted.orientations
                row["mnte"][k] = mean_normalized_trace_error(after, goal.world_R_link)
                row["rmse"][k] = velocity_rmse(before, after, goal, dt)
                row["time"][k] = tracked.time
    return found


METRICS = ("mnte", "rmse", "time")


def main(argv: Sequence[str] | None = None) -> int:
    """Track everything, print the table, write the files."""
    args = _parser().parse_args(argv)
    found: dict[str, dict[str, dict[str, dict[str, Array]]]] = {}
    skipped = []
    for robot in args.robot:
        body = load_body(robot)
        found[robot] = {}
        for motion in args.motion:
            try:
                clip = load_motion(motion, args.motions)
            except BadInput as error:
                skipped.append(f"skipped: {motion}: {error}")
                continue
            found[robot][motion] = track(body, clip, args.method)
            _print(robot, motion, found[robot][motion])
    for reason in dict.fromkeys(skipped):
        Console().print(reason, markup=False, highlight=False)
    summary: dict[str, Any] = {
        robot: {motion: _summary(rows) for motion, rows in motions.items()}
        for robot, motions in found.items()
    }
    summary["machine"] = describe_machine(("casadi",))
    summary["solver"] = best_solver()
    write_json(args.json, summary)
    if args.png:
        save_figure(args.png, draw_figure7(found))
    return 0


def _summary(rows: dict[str, dict[str, Array]]) -> dict[str, Any]:
    """Return percentiles of each method, and its time as a ratio."""
    fastest = float(np.median(rows["dynamical"]["time"])) if "dynamical" in rows else 0
    summary: dict[str, Any] = {}
    for method, found in rows.items():
        summary[method] = {
            f"{metric}_p{p}": float(np.percentile(values, p))
            for metric, values in found.items()
            for p in (50, 99)
        }
        if fastest:
            ratio = summary[method]["time_p50"] / fastest
            summary[method]["times_slower_than_dynamical"] = ratio
    return summary


def _print(robot: str, motion: str, rows: dict[str, dict[str, Array]]) -> None:
    table = []
    for method, found in _summary(rows).items():
        times = [1e3 * found[f"time_p{p}"] for p in (50, 99)]
        table.append(
            [
                method,
                f"{found['mnte_p50']:.2e} / {found['mnte_p99']:.2e}",
                f"{found['rmse_p50']:.3f} / {found['rmse_p99']:.3f}",
                f"{times[0]:.3f} / {times[1]:.3f}",
                f"{found.get('times_slower_than_dynamical', 0.0):.0f}",
            ]
        )
    headings = ["p50 / p99", "MNTE", "RMSE [rad/s]", "time [ms]", "times slower"]
    print_table(f"{robot}, {motion}", headings, table)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench figure7", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write percentiles")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the figure")
    parser.add_argument("--robot", type=comma_list, default=ROBOTS, help="a,b,c")
    parser.add_argument(
        "--motion", type=comma_list, default=tuple(MOTIONS), help=", ".join(MOTIONS)
    )
    parser.add_argument(
        "--method", type=comma_list, default=tuple(METHODS), help=", ".join(METHODS)
    )
    parser.add_argument(
        "--motions",
        type=Path,
        default=motions_folder(),
        metavar="DIR",
        help="folder of public recordings; default ../shared/data/motions",
    )
    return parser
