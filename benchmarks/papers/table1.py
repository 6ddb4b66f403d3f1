"""[A] Table I: five methods on chains of ball joints with 60 and 600 DoF.

LM-PFD (ABA) and (AVD), dense LM, BFGS (QN) and conjugate gradient (CG) solve the same
problems in turn, until the cost is below 1e-6. Our dense LM is numpy and LAPACK; give
it one thread to compare algorithms. Example:

  OPENBLAS_NUM_THREADS=1 telexist bench table1 --json table1.json
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from telexist.benchmarks.papers.spherical_chains import TASKS, make_task
from telexist.benchmarks.tables import (
    describe_machine,
    print_table,
    time_in_turn,
    write_json,
)
from telexist.launch_scripts.shell import Parser
from telexist.retarget.lm_pfd import (
    ArticulatedSteps,
    BfgsSteps,
    ConjugateGradientSteps,
    DenseSteps,
    Iterations,
    LinkSpaceSteps,
    LmSettings,
    Problem,
    build_problem,
    set_posture,
)

__all__ = ["Row", "compare", "main"]

COST = 1e-6  # at which [A] stops
WANTED = {60: 40.0, 600: 400.0}  # times faster than dense LM, poses on all links
GRADIENT_ROUNDS = 1  # of QN and CG, which take long
MOST_ITERATIONS = 20_000

METHODS: dict[str, Callable[[Problem], Iterations]] = {
    "LM-PFD (ABA)": lambda _: ArticulatedSteps(),
    "LM-PFD (AVD)": lambda _: LinkSpaceSteps(),
    "LM": DenseSteps,
    "QN": BfgsSteps,
    "CG": ConjugateGradientSteps,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One method on one task.

    Attributes:
        dofs: N.
        task: A key of `TASKS`.
        method: Its name.
        iterations: Median.
        cost: Largest at the end.
        p50_ms: Median time.
        p99_ms: Time that one problem in a hundred exceeds.
        times_slower: Than LM-PFD (ABA) in the process's own time, median.
    """

    dofs: int
    task: str
    method: str
    iterations: float
    cost: float
    p50_ms: float
    p99_ms: float
    times_slower: float


def compare(
    dofs: int, task: str, rounds: int, methods: Sequence[str] = tuple(METHODS)
) -> list[Row]:
    """Let the methods solve the same problems in turn."""
    settings = LmSettings(cost=COST, iterations=MOST_ITERATIONS, gradient=1e-14)
    tasks = [make_task(dofs, task, seed) for seed in range(rounds)]
    problem = build_problem(tasks[0].model, tasks[0].targets, settings)
    goals = [build_problem(t.model, t.targets, settings).targets for t in tasks]
    solvers = {name: METHODS[name](problem) for name in methods}
    ends: dict[str, list[tuple[int, float]]] = {name: [] for name in methods}

    def begin(k: int) -> None:
        problem.targets[:] = goals[k]
        set_posture(problem, tasks[k].start)
        problem.solver["iterations"] = 0

    def runner(name: str) -> Callable[[int], bool]:
        begin(0)
        solvers[name].run(problem, 3)  # compile, and fill the caches
        return lambda _: solvers[name].run(problem, MOST_ITERATIONS)

    def end(name: str, _: int) -> None:
        outcome = problem.solver[0]
        ends[name].append((int(outcome["iterations"]), float(outcome["cost"])))

    times = time_in_turn(
        {name: runner(name) for name in methods},
        rounds,
        fewer={name: GRADIENT_ROUNDS for name in methods if name in ("QN", "CG")},
        before=begin,
        after=end,
    )
    return [
        Row(
            dofs=dofs,
            task=task,
            method=name,
            iterations=float(np.median([count for count, _ in ends[name]])),
            cost=max(cost for _, cost in ends[name]),
            p50_ms=times.p50_ms(name),
            p99_ms=times.p99_ms(name),
            times_slower=times.times_slower(name, "LM-PFD (ABA)"),
        )
        for name in methods
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print the table, and return 1 if LM-PFD is not as fast as wanted."""
    parser = Parser("telexist bench table1", __doc__ or "")
    parser.add_argument("--dofs", type=int, nargs="+", default=[60, 600])
    parser.add_argument("--tasks", nargs="+", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--rounds", type=int, default=20, help="problems of each kind")
    parser.add_argument("--only-lm", action="store_true", help="without QN and CG")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    methods = [x for x in METHODS if not (args.only_lm and x in ("QN", "CG"))]
    rows: list[Row] = []
    for dofs in args.dofs:
        for task in args.tasks:
            rows += compare(dofs, task, args.rounds, methods)
    _print(rows)
    found = {"machine": describe_machine(), "rows": [asdict(row) for row in rows]}
    write_json(args.json, found)
    return int(any(_too_slow(row) for row in rows))


def _too_slow(row: Row) -> bool:
    wanted = WANTED.get(row.dofs, 0.0)
    dense = row.method == "LM" and row.task == "every link"
    return dense and row.times_slower < wanted


def _print(rows: Sequence[Row]) -> None:
    headings = ("N", "task", "method", "iterations", "p50 ms", "p99 ms", "x ABA", "f")
    lines = [
        (
            str(row.dofs),
            row.task,
            row.method,
            f"{row.iterations:.0f}",
            f"{row.p50_ms:.3f}",
            f"{row.p99_ms:.3f}",
            f"{row.times_slower:.1f}",
            f"{row.cost:.1e}",
        )
        for row in rows
    ]
    print_table("inverse kinematics of chains of ball joints", headings, lines)


if __name__ == "__main__":
    raise SystemExit(main())
