"""Time of a control step and of simulation, as ratios.

  telexist bench locomotion --robot g1,icub,talos --json locomotion.json

For each robot that walks: the control step as a share of its 5 ms period, how much of
it the quadratic program is, the solvers on the same program relative to DAQP, and
how many times faster than real time simulation and control go on one core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import OK, Parser, comma_list
from telexist.retarget.errors import TelexistError
from telexist.retarget.qp import SOLVERS, QpProblem, make_solver
from telexist.teleop import clock
from telexist.teleop.scenarios import run_scenario, scenario_options

__all__ = ["main"]

PERIOD_MS = 5.0  # [ms] at 200 Hz
REPEATS = 30


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = Parser("telexist bench locomotion", __doc__ or "")
    parser.add_argument("--robot", type=comma_list, default=("g1", "icub", "talos"))
    parser.add_argument("--duration", type=float, default=10.0, help="of each walk [s]")
    parser.add_argument("--speed", type=float, default=0.2, help="[m/s]")
    parser.add_argument("--models", action="append", default=[], type=Path)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args(argv)
    rows = [_measure(robot, args) for robot in args.robot]
    headings = ["robot", "step p50 [ms]", "p99 [ms]", "share of 5 ms", "QP share"]
    headings += ["times real time", *(f"{name} / daqp" for name in SOLVERS)]
    print_table("Control of walking", headings, [_text(row) for row in rows])
    write_json(
        args.json, {"machine": describe_machine(["daqp", "mujoco"]), "rows": rows}
    )
    return OK


def _measure(robot: str, args: Any) -> dict[str, Any]:
    given = {"robot": robot, "speed": args.speed, "duration": args.duration}
    run = run_scenario(scenario_options("walk", given), folders=args.models)
    tick = 1e3 * run.trace.array("tick")
    qp = run.controller.qp
    alone = _median_time(lambda: qp.solve_again())
    problem = qp.problem()
    row: dict[str, Any] = {
        "robot": robot,
        "fell": run.fell_at is not None,
        "tick_ms_p50": float(np.quantile(tick, 0.5)),
        "tick_ms_p99": float(np.quantile(tick, 0.99)),
        "real_time_factor": float(run.trace.array("time")[-1] / run.wall),
        "qp_failures": qp.failures,
        "qp_ms": 1e3 * alone,
        "solvers": _solvers(problem),
    }
    return row


def _solvers(problem: QpProblem) -> dict[str, float | None]:
    """Return each solver's time on one program over that of DAQP; None: no answer."""
    times: dict[str, float | None] = {}
    for name in SOLVERS:
        try:
            solver = make_solver(name)
            times[name] = _median_time(lambda s=solver: s.solve(problem))  # type: ignore[misc]
        except TelexistError:
            times[name] = None
    first = times["daqp"]
    if first is None:
        return times
    return {name: None if t is None else t / first for name, t in times.items()}


def _median_time(call: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        begin = clock.now()
        call()
        times.append(clock.now() - begin)
    return float(np.median(times))


def _text(row: dict[str, Any]) -> list[str]:
    p50 = row["tick_ms_p50"]
    cells = [row["robot"], f"{p50:.2f}", f"{row['tick_ms_p99']:.2f}"]
    cells += [f"{p50 / PERIOD_MS:.2f}", f"{row['qp_ms'] / p50:.2f}"]
    cells += [f"{row['real_time_factor']:.1f}"]
    ratios = (row["solvers"][name] for name in SOLVERS)
    return cells + ["-" if ratio is None else f"{ratio:.1f}" for ratio in ratios]
