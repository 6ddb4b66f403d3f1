"""[R] figure 3: the phase plane of iCub's elbows at their limits.

  telexist bench figure3 --json figure3.json --png figure3.png
  telexist bench figure3 --rate 10,60,1000
  telexist bench figure3 --robot g1 --joint left_elbow_joint,right_elbow_joint

Targets swing the joints far beyond both limits. The joints must stay between the
velocity limits of [R] (12), which close towards the position limits; those are never
crossed, whatever the time step. Exit code 1 if one is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from telexist.benchmarks.peers import Places, targets_at
from telexist.benchmarks.tables import print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list
from telexist.retarget.ik import IkSettings, RecursiveIk, step_bounds
from telexist.retarget.pictures import FADED, INK, save_figure
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.description import load_body

__all__ = ["main", "swing"]

JOINTS = ("l_elbow", "r_elbow")
RATES = ("10", "60", "500")  # [Hz]
DURATION = 10.0  # [s]
BEYOND = 1.4  # half a range to which targets swing
ROUNDING = 1e-9  # [rad/s] by which a speed limit may be missed


def swing(body: RobotBody, joints: Sequence[str], rate: float) -> Array:
    """Swing joints beyond their limits; return where they were (t + 1, j).

    Args:
        body: The robot.
        joints: Which.
        rate: Steps per second [Hz].
    """
    index = [body.kinematics.index(joint) for joint in joints]
    ik = RecursiveIk(body, IkSettings(iterations=1))
    at = body.neutral
    path = [at.q[index]]
    middle = (body.lower + body.upper)[index] / 2.0
    half = (body.upper - body.lower)[index] / 2.0
    for k in range(1, round(DURATION * rate) + 1):
        t = k / rate
        wave = np.sin(2.0 * np.pi * (0.1 + 0.04 * t) * t + np.arange(len(index)))
        q = body.neutral.q.copy()
        q[index] = middle + BEYOND * half * wave
        wanted = targets_at(body, Places.BASE, replace(body.neutral, q=q))
        at = ik.step(at, wanted, 1.0 / rate)
        path.append(at.q[index])
    return np.array(path)


def main(argv: Sequence[str] | None = None) -> int:
    """Swing at every rate, print the table, write the files."""
    args = _parser().parse_args(argv)
    body = load_body(args.robot)
    paths = {rate: swing(body, args.joint, float(rate)) for rate in args.rate}
    rows, content = [], {}
    for rate, path in paths.items():
        content[rate] = _over(body, args.joint, path, float(rate))
        for joint, over in content[rate].items():
            numbers = (over["position_over"], over["velocity_over"])
            texts = [f"{x:.1e}" for x in numbers]
            rows.append([joint, rate, *texts, f"{over['on_limit']:.2f}"])
    headings = ["", "rate [Hz]", "over position limit [rad]"]
    headings += ["over velocity limit [rad/s]", "share of time on a limit"]
    print_table(f"{args.robot}: largest excess", headings, rows)
    write_json(args.json, {"robot": args.robot, "rates": content})
    if args.png:
        save_figure(args.png, _draw(body, args.joint, paths))
    kept = all(
        over["position_over"] <= 0.0 and over["velocity_over"] < ROUNDING
        for joints in content.values()
        for over in joints.values()
    )
    return 0 if kept else 1


def _limits(body: RobotBody, joint: int, q: Array, rate: float) -> tuple[Array, Array]:
    """Return the velocity limits at positions q (t,), of [R] (12) and of one step."""
    ones = np.ones_like(q)
    bounds = step_bounds(
        q,
        body.lower[joint] * ones,
        body.upper[joint] * ones,
        body.velocity[joint] * ones,
        1.0 / rate,
    )
    return bounds.lower * rate, bounds.upper * rate


def _over(
    body: RobotBody, joints: Sequence[str], path: Array, rate: float
) -> dict[str, dict[str, Any]]:
    """Return by how much each joint exceeds its limits, and its path."""
    found = {}
    for column, name in enumerate(joints):
        joint, q = body.kinematics.index(name), path[:, column]
        speed = np.diff(q) * rate
        slowest, fastest = _limits(body, joint, q[:-1], rate)
        outside = np.maximum(body.lower[joint] - q, q - body.upper[joint])
        over = np.maximum(slowest - speed, speed - fastest)
        found[name] = {
            "position_over": float(outside.max()),
            "velocity_over": float(over.max()),
            "on_limit": float(np.mean(over > -ROUNDING)),
            "position": q.tolist(),
        }
    return found


def _draw(body: RobotBody, joints: Sequence[str], paths: dict[str, Array]) -> Figure:
    figure = Figure(figsize=(4.2 * len(paths), 3.4 * len(joints)), dpi=100)
    panels = figure.subplots(len(joints), len(paths), squeeze=False)
    for column, (rate, path) in enumerate(paths.items()):
        for row, name in enumerate(joints):
            panel, joint = panels[row, column], body.kinematics.index(name)
            q = np.linspace(body.lower[joint], body.upper[joint], 500)
            slowest, fastest = _limits(body, joint, q, float(rate))
            panel.fill_between(q, slowest, fastest, color="#f4d35e", alpha=0.3, lw=0)
            panel.plot(q, fastest, color="#3d7fd6", label="upper velocity limit")
            panel.plot(q, slowest, color="#d64545", label="lower velocity limit")
            speed = np.diff(path[:, row]) * float(rate)
            panel.plot(path[:-1, row], speed, color="#b8860b", lw=0.8, label="motion")
            for end in (body.lower[joint], body.upper[joint]):
                panel.axvline(end, color=INK, ls="--", lw=0.8)
            panel.set_title(f"{name}, {rate} Hz", fontsize=10)
            panel.grid(color=FADED, alpha=0.3)
            panel.set_xlabel("angle [rad]")
            panel.set_ylabel("velocity [rad/s]")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=3, frameon=False)
    figure.tight_layout(rect=(0.0, 0.06, 1.0, 1.0))
    return figure


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench figure3", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    parser.add_argument("--png", type=Path, metavar="FILE", help="draw the figure")
    parser.add_argument("--robot", default="icub", help="default icub")
    parser.add_argument("--joint", type=comma_list, default=JOINTS, help="a,b")
    parser.add_argument("--rate", type=comma_list, default=RATES, help="Hz: a,b,c")
    return parser
