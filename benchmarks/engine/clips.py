"""Whole clips in one compiled call: frames per second on one core.

  telexist bench clips --json clips.json
  telexist bench clips --robot g1 --repeats 20
  telexist bench clips --robot g1,talos --clip walk.bvh

engine: `Retargeter.run`, a recording to planted feet and all. targets: one constrained
step a frame towards orientations of all mapped links and places of base, hands and
feet, as in `telexist bench peers --places limbs`. Seconds are those of the processor,
so that other programs on the machine count less; by the clock is shown too. The
slowdown is that of stepping from Python, frame by frame, in the same run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from telexist.benchmarks.peers import Case, Places, RecursiveStep, make_problem
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.retarget.follow import Retargeter
from telexist.retarget.ik import follow_targets
from telexist.retarget.recordings import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip
from telexist.robots.description import load_body
from telexist.teleop.clock import now

__all__ = ["main"]

ROBOTS = ("g1", "icub", "human66")
FRAMES = 2000  # of the targets


def main(argv: Sequence[str] | None = None) -> int:
    """Measure every robot, print the table, write the file."""
    args = _parser().parse_args(argv)
    clip = read_clip(args.clip)
    content: dict[str, Any] = {"machine": describe_machine(), "clip": clip.source}
    rows = []
    for name in args.robot:
        body = load_body(name)
        content[name] = {
            "engine": _engine(body, clip, args.repeats),
            **{
                f"targets_{case.value}": _targets(body, case, args.repeats)
                for case in Case
            },
        }
        for kind, found in content[name].items():
            rates = (found["frames_per_second"], found["frames_per_second_by_clock"])
            texts = [f"{rate:,.0f}" for rate in rates]
            rows.append([f"{name}, {kind}", *texts, f"{found['stepping_slower']:.2f}"])
    headings = ["", "frames/s and core", "by the clock", "stepping slower"]
    print_table("whole clips on one core", headings, rows)
    write_json(args.json, content)
    return 0


def _engine(body: RobotBody, clip: HumanClip, repeats: int) -> dict[str, float]:
    """Measure `Retargeter.run` and the same frame by frame."""
    retargeter = Retargeter(body, clip.size)
    frames = list(clip.frames())

    def step() -> None:
        retargeter.reset()
        for frame in frames:
            retargeter.step(frame)

    return _in_turn(lambda: retargeter.run(clip), step, len(clip), repeats)


def _targets(body: RobotBody, case: Case, repeats: int) -> dict[str, float]:
    """Measure the constrained step alone, with places of hands and feet."""
    problem = make_problem(body, case, Places.LIMBS, frames=FRAMES)
    contestant, parts = RecursiveStep(problem), tuple(problem.mechanism)
    q = np.empty((len(problem), body.kinematics.n))

    def clip() -> None:
        contestant.reset()
        follow_targets(parts, problem.rotations, problem.places, problem.dt, q)

    def step() -> None:
        contestant.reset()
        for k in range(len(problem)):
            contestant.step(k)

    return _in_turn(clip, step, len(problem), repeats)


def _in_turn(
    whole: Callable[[], object], step: Callable[[], object], frames: int, repeats: int
) -> dict[str, float]:
    """Return frames per second of a whole clip, and how much slower stepping is."""
    times, busy = np.empty((repeats, 2)), np.empty((repeats, 2))
    for run in (whole, step):  # compiles
        run()
    for k in range(repeats):
        for column, run in enumerate((whole, step)):
            begin, before = now(), time.process_time()
            run()
            times[k, column] = now() - begin
            busy[k, column] = time.process_time() - before
    return {
        "frames_per_second": float(frames / np.median(busy[:, 0])),
        "frames_per_second_by_clock": float(frames / np.median(times[:, 0])),
        "stepping_slower": float(np.median(busy[:, 1] / busy[:, 0])),
    }


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench clips", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    parser.add_argument("--robot", type=comma_list, default=ROBOTS, help="a,b,c")
    parser.add_argument(
        "--clip", default="builtin", help="a recording; default builtin"
    )
    parser.add_argument("--repeats", type=whole_number(1, 1000), default=5)
    return parser
