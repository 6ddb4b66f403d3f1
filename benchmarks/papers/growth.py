"""How the time of a step grows with the degrees of freedom: 10 to 600, LM-PFD to 6000.

LM-PFD: iterations on chains of ball joints with a pose target on every link. Recursive
step: chains of hinges with a wanted orientation every three links, called from Python.
Sizes take turns; the exponent of a log-log fit of the medians must be below 1.15. Dense
LM runs beside them where it does not take too long. Example:

  OPENBLAS_NUM_THREADS=1 telexist bench growth --json growth.json
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from telexist.benchmarks.papers.revolute_chains import chain_steps
from telexist.benchmarks.papers.spherical_chains import make_task
from telexist.benchmarks.tables import (
    Times,
    describe_machine,
    log_log_exponent,
    print_table,
    time_in_turn,
    write_json,
)
from telexist.launch_scripts.shell import Parser
from telexist.retarget.lm_pfd import (
    ArticulatedSteps,
    DenseSteps,
    Iterations,
    LinkSpaceSteps,
    LmSettings,
    Problem,
    build_problem,
    set_posture,
)

__all__ = ["Growth", "Size", "main", "measure"]

DOFS = (12, 30, 60, 120, 300, 600, 1200, 3000, 6000)
RECURSIVE = "recursive step"
RECURSIVE_DOFS = 600  # the largest chain of the recursive step
DENSE_DOFS = 300  # beyond which dense LM takes too long to take turns
ITERATIONS = 2  # of one run: far from converged at any size
ALLOWED = 1.15  # exponent


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Times of one iteration at one size.

    Attributes:
        method: Its name.
        dofs: N.
        p50_us: Median.
        p99_us: What one run in a hundred exceeds.
    """

    method: str
    dofs: int
    p50_us: float
    p99_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """All sizes, and the exponent of each method."""

    sizes: tuple[Size, ...]
    exponents: dict[str, float]


def measure(dofs: Sequence[int] = DOFS, rounds: int = 30) -> Growth:
    """Time a few iterations from the same start at every size, in turn."""
    problems = {n: _problem(n) for n in dofs}
    makers: dict[str, Callable[[Problem], Iterations]] = {
        "LM-PFD (ABA)": lambda _: ArticulatedSteps(),
        "LM-PFD (AVD)": lambda _: LinkSpaceSteps(),
        "LM": DenseSteps,
    }
    runs: dict[tuple[str, int], Callable[[int], bool]] = {
        (name, n): _runner(problem, make(problem))
        for name, make in makers.items()
        for n, problem in problems.items()
        if name != "LM" or n <= DENSE_DOFS
    }
    runs |= {
        (RECURSIVE, n): chain_steps(n, ITERATIONS) for n in dofs if n <= RECURSIVE_DOFS
    }
    for run in runs.values():
        run(0)
    labels = {f"{name} {n}": run for (name, n), run in runs.items()}
    fewer = {f"LM {n}": max(3, rounds // 5) for n in dofs if n <= DENSE_DOFS}
    times = time_in_turn(labels, rounds, fewer=fewer)
    sizes = tuple(_size(times, name, n) for name, n in runs)
    exponents = {
        name: log_log_exponent(
            [s.dofs for s in sizes if s.method == name],
            [s.p50_us for s in sizes if s.method == name],
        )
        for name in (*makers, RECURSIVE)
    }
    return Growth(sizes=sizes, exponents=exponents)


def _problem(dofs: int) -> Problem:
    task = make_task(dofs, "every link", 0)
    settings = LmSettings(gradient=0.0, step=0.0)
    problem = build_problem(task.model, task.targets, settings)
    set_posture(problem, task.start)
    return problem


def _runner(problem: Problem, method: Iterations) -> Callable[[int], bool]:
    start = problem.links["turn"].copy()

    def run(_: int) -> bool:
        problem.links["turn"] = start
        return method.run(problem, ITERATIONS)

    return run


def _size(times: Times, method: str, dofs: int) -> Size:
    label, share = f"{method} {dofs}", 1e3 / ITERATIONS
    return Size(
        method=method,
        dofs=dofs,
        p50_us=share * times.p50_ms(label),
        p99_us=share * times.p99_ms(label),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, and return 1 if a recursion grows too fast."""
    parser = Parser("telexist bench growth", __doc__ or "")
    parser.add_argument("--dofs", type=int, nargs="+", default=list(DOFS))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    growth = measure(args.dofs, args.rounds)
    lines = [
        (s.method, str(s.dofs), f"{s.p50_us:.1f}", f"{s.p99_us:.1f}")
        for s in growth.sizes
    ]
    lines += [
        (name, "exponent", f"{exponent:.3f}", "")
        for name, exponent in growth.exponents.items()
    ]
    headings = ("method", "N", "p50 us", "p99 us")
    print_table("time of one iteration, pose targets on every link", headings, lines)
    write_json(args.json, {"machine": describe_machine(), **asdict(growth)})
    recursions = ("LM-PFD (ABA)", RECURSIVE)
    return int(any(growth.exponents[name] > ALLOWED for name in recursions))


if __name__ == "__main__":
    raise SystemExit(main())
