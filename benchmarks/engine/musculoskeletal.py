"""[A] V-B: a person with 156 DoF and 342 wires follows the markers of a jump.

Each method gets 5 ms a frame, at 200 Hz, and starts from its own last frame; they take
turns frame by frame. What counts is how far their markers are from those of the
baseline, which iterates until it has converged. Example:

  OPENBLAS_NUM_THREADS=1 telexist bench musculoskeletal --json jump.json
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from telexist.benchmarks.engine.jump_motion import Jump, make_jump
from telexist.benchmarks.tables import (
    describe_machine,
    print_table,
    time_in_turn,
    write_json,
)
from telexist.launch_scripts.shell import Parser
from telexist.retarget.human import adult_size
from telexist.retarget.human.musculoskeletal import Musculoskeleton, musculoskeleton
from telexist.retarget.lm_pfd import (
    BfgsSteps,
    ConjugateGradientSteps,
    DenseSteps,
    Iterations,
    LinkSpaceSteps,
    LmSettings,
    Problem,
    build_problem,
    point_target,
    set_goals,
)
from telexist.retarget.so3 import Array

__all__ = ["JumpTracking", "follow", "main"]

BUDGET = 5e-3  # [s] a frame
ITERATIONS = 20  # of LM-PFD in a frame: about a fifth of the budget
CONVERGED = 400  # iterations of the baseline in a frame
ALLOWED_MM = 3.0
SKIPPED = 0.1  # [s] at the start, while the methods find the first posture


@dataclass(frozen=True, slots=True, kw_only=True)
class JumpTracking:
    """How one method followed the jump.

    Attributes:
        method: Its name.
        p50_ms: Median time of a frame.
        p99_ms: Time that one frame in a hundred exceeds.
        cpu_p99_ms: The same of the process's own time, without what others took.
        times_slower: A frame than one of LM-PFD (AVD) in own time, median.
        iterations: Median of a frame.
        largest_mm: Largest distance of a marker from the baseline's, after the start.
        error_mm: Largest distance of a marker in every frame (t,).
    """

    method: str
    p50_ms: float
    p99_ms: float
    cpu_p99_ms: float
    times_slower: float
    iterations: float
    largest_mm: float
    error_mm: tuple[float, ...]


class _Clock:
    """Says when the budget of a frame is used up."""

    def __init__(self) -> None:
        self.start = 0.0

    def is_up(self) -> bool:
        return time.perf_counter() - self.start > BUDGET


class _InTime:
    """Repeats single iterations while there is time."""

    def __init__(self, method: Iterations, clock: _Clock) -> None:
        self._method, self._clock = method, clock

    def run(self, problem: Problem, count: int) -> bool:
        """Do iterations until one settles or the time is up."""
        for _ in range(count):
            if self._method.run(problem, 1):
                return True
            if self._clock.is_up():
                return False
        return False


def _methods(problem: Problem, clock: _Clock) -> dict[str, tuple[Iterations, int]]:
    """Return every method and its most iterations in a frame."""
    return {
        "baseline": (LinkSpaceSteps(), CONVERGED),
        "LM-PFD (AVD)": (LinkSpaceSteps(), ITERATIONS),
        "LM": (_InTime(DenseSteps(problem), clock), CONVERGED),
        "QN": (BfgsSteps(problem, clock.is_up), CONVERGED),
        "CG": (ConjugateGradientSteps(problem, clock.is_up), CONVERGED),
    }


def follow(body: Musculoskeleton, jump: Jump) -> list[JumpTracking]:
    """Let all methods follow the jump, frame by frame in turn."""
    clock, names = _Clock(), list(_methods(_problem(body, jump), _Clock()))
    problems = {name: _problem(body, jump) for name in names}
    places = {name: np.empty_like(jump.positions) for name in names}
    counts: dict[str, list[int]] = {name: [] for name in names}

    def runner(name: str) -> Callable[[int], bool]:
        problem = problems[name]
        method, most = _methods(problem, clock)[name]
        method.run(problem, 2)  # compile, and find the first posture

        def run(_: int) -> bool:
            clock.start = time.perf_counter()
            return method.run(problem, most)

        return run

    def begin(frame: int) -> None:
        for problem in problems.values():
            set_goals(problem, jump.positions[frame])
            problem.solver["iterations"] = 0

    def end(name: str, frame: int) -> None:
        targets = problems[name].targets
        places[name][frame] = targets["p"] - targets["e"][:, 3:]
        counts[name].append(int(problems[name].solver[0]["iterations"]))

    times = time_in_turn(
        {name: runner(name) for name in names},
        len(jump.time),
        before=begin,
        after=end,
    )
    after_start = jump.time >= SKIPPED
    found = []
    for name in names:
        error = _farthest(places[name], places["baseline"])
        found.append(
            JumpTracking(
                method=name,
                p50_ms=times.p50_ms(name),
                p99_ms=times.p99_ms(name),
                cpu_p99_ms=times.cpu_p99_ms(name),
                times_slower=times.times_slower(name, "LM-PFD (AVD)"),
                iterations=float(np.median(counts[name])),
                largest_mm=float(np.max(error[after_start])),
                error_mm=tuple(error.tolist()),
            )
        )
    return found


def _problem(body: Musculoskeleton, jump: Jump) -> Problem:
    targets = [
        point_target(body.markers[name].link, body.markers[name].link_p_point, goal)
        for name, goal in zip(jump.markers, jump.positions[0], strict=True)
    ]
    settings = LmSettings(gradient=1e-8, step=1e-8)
    return build_problem(body.model, targets, settings)


def _farthest(places: Array, baseline: Array) -> Array:
    """Return the largest distance of a marker in every frame (t,) [mm]."""
    return 1e3 * np.max(np.linalg.norm(places - baseline, axis=-1), axis=-1)


def main(argv: Sequence[str] | None = None) -> int:
    """Follow, print the table, and return 1 if LM-PFD is too slow or too far off."""
    parser = Parser("telexist bench musculoskeletal", __doc__ or "")
    parser.add_argument("--rate", type=float, default=200.0, help="frames per second")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    size = adult_size()
    body = musculoskeleton(size)
    found = follow(body, make_jump(size, args.rate))
    lines = [
        (
            row.method,
            f"{row.iterations:.0f}",
            f"{row.p50_ms:.2f}",
            f"{row.p99_ms:.2f}",
            f"{row.cpu_p99_ms:.2f}",
            f"{row.times_slower:.1f}",
            f"{row.largest_mm:.2f}",
        )
        for row in found
    ]
    headings = (
        "method",
        "iterations",
        "p50 ms",
        "p99 ms",
        "CPU p99 ms",
        "x AVD",
        "farthest mm",
    )
    title = f"jump: {body.model.dofs} DoF, {len(body.model.wires)} wires"
    print_table(title, headings, lines)
    rows = [asdict(row) for row in found]
    write_json(args.json, {"machine": describe_machine(), "methods": rows})
    ours = next(row for row in found if row.method == "LM-PFD (AVD)")
    return int(ours.largest_mm > ALLOWED_MM or ours.cpu_p99_ms > 1e3 * BUDGET)


if __name__ == "__main__":
    raise SystemExit(main())
