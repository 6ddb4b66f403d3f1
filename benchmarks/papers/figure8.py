"""[R] figure 8: convergence to a T-pose from zero configuration for several gains.

  telexist bench figure8 --json figure8.json --png figure8.png
  telexist bench figure8 --gain 0,1,10 --rate 100
  telexist bench figure8 --robot icub --json figure8.json

Prints, for each gain K, the mean normalised trace error after a while and when it has
fallen to a hundredth of its first value. In the paper too large a gain makes the method
unstable; here errors shrink by exp(-K dt) in a step, which is stable for every K.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from telexist.benchmarks.papers.paper_motions import load_motion
from telexist.benchmarks.papers.tracking_error import (
    mean_normalized_trace_error,
    paper_targets,
    zero_configuration,
)
from telexist.benchmarks.tables import print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.retarget.ik import IkSettings, RecursiveIk
from telexist.retarget.pictures import FADED, save_figure
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.description import load_body

__all__ = ["converge", "main"]

GAINS = ("0", "1", "2", "5", "10", "50", "1000")  # [1/s]
DURATION = 2.0  # [s]
MOMENTS = (0.1, 0.5, 1.0, 2.0)  # [s] at which the table shows the error
LEAST = 1e-16  # of an error that is drawn


def converge(body: RobotBody, gain: float, rate: float) -> Array:
    """Return the MNTE before the first step and after each (t + 1,).

    Args:
        body: The robot.
        gain: K [1/s].
        rate: Steps per second [Hz].
    """
    clip = load_motion("t-pose", Path())
    targets = paper_targets(body, clip)[0]
    wanted = targets.orientations
    ik = RecursiveIk(body, IkSettings(gain=gain, posture=0.0, iterations=1))
    configuration = zero_configuration(body, clip)
    errors = []
    for k in range(round(DURATION * rate) + 1):
        if k:
            configuration = ik.step(configuration, targets, 1.0 / rate)
        body.kinematics.update(configuration)
        rotations = body.kinematics.rotations(wanted.frames)
        errors.append(mean_normalized_trace_error(rotations, wanted.world_R_link))
    return np.array(errors)


def main(argv: Sequence[str] | None = None) -> int:
    """Converge with every gain, print the table, write the files."""
    args = _parser().parse_args(argv)
    body = load_body(args.robot)
    found = {gain: converge(body, float(gain), args.rate) for gain in args.gain}
    rows = [
        [
            gain,
            *(f"{errors[round(moment * args.rate)]:.2e}" for moment in MOMENTS),
            _text(_settling_time(errors, args.rate)),
        ]
        for gain, errors in found.items()
    ]
    headings = ["K [1/s]", *(f"{m:g} s" for m in MOMENTS), "to 1 % [s]"]
    print_table(f"{args.robot}: MNTE after", headings, rows)
    content: dict[str, Any] = {"robot": args.robot, "rate": args.rate, "gains": {}}
    for gain, errors in found.items():
        content["gains"][gain] = {
            "settling_time": _settling_time(errors, args.rate),
            "mnte": errors.tolist(),
        }
    write_json(args.json, content)
    if args.png:
        save_figure(args.png, _draw(found, args.rate))
    return 0


def _settling_time(errors: Array, rate: float) -> float | None:
    """Return when the error stays below a hundredth of the first [s], if it does."""
    above = np.flatnonzero(errors > 0.01 * errors[0])
    last = int(above[-1]) if len(above) else -1
    return None if last == len(errors) - 1 else (last + 1) / rate


def _text(time: float | None) -> str:
    return "-" if time is None else f"{time:.2f}"


def _draw(found: dict[str, Array], rate: float) -> Figure:
    figure = Figure(figsize=(8.0, 4.2), dpi=100, layout="constrained")
    panel = figure.subplots()
    for gain, errors in found.items():
        time = np.arange(len(errors)) / rate
        panel.semilogy(time, np.maximum(errors, LEAST), label=f"K = {gain}")
    panel.set_xlabel("time [s]")
    panel.set_ylabel("mean normalised trace error")
    panel.grid(color=FADED, alpha=0.3)
    figure.legend(frameon=False, loc="outside right center")
    return figure


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench figure8", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the errors")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the figure")
    parser.add_argument("--robot", default="human66", help="default human66")
    parser.add_argument("--gain", type=comma_list, default=GAINS, help="K [1/s]: a,b,c")
    parser.add_argument(
        "--rate", type=whole_number(10, 10_000), default=100, help="steps per second"
    )
    return parser
