"""Times of several methods on the same problems, in turn, and their ratios.

A machine's speed changes from second to second. Methods that take turns problem by
problem see the same machine, so their ratios hold where their times do not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["Times", "log_log_exponent", "time_in_turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long each method took on each problem [s].

    Attributes:
        seconds: On the wall, one array (problems,) a method.
        cpu_seconds: Of the process's own, all threads: without what others took.
    """

    seconds: Mapping[str, Array]
    cpu_seconds: Mapping[str, Array]

    def p50_ms(self, method: str) -> float:
        """Return the median time of a method."""
        return 1e3 * float(np.percentile(self.seconds[method], 50.0))

    def p99_ms(self, method: str) -> float:
        """Return the time that one problem in a hundred exceeds."""
        return 1e3 * float(np.percentile(self.seconds[method], 99.0))

    def cpu_p99_ms(self, method: str) -> float:
        """Return the process's own time that one problem in a hundred exceeds."""
        return 1e3 * float(np.percentile(self.cpu_seconds[method], 99.0))

    def times_slower(self, method: str, than: str) -> float:
        """Return the median over the problems of the ratio of both own times.

        On a busy machine long runs are interrupted and short ones are not, so the
        ratio of times on the wall would flatter the faster method.
        """
        slow, fast = self.cpu_seconds[method], self.cpu_seconds[than]
        both = min(len(slow), len(fast))
        return float(np.median(slow[:both] / fast[:both]))


def time_in_turn(
    methods: Mapping[str, Callable[[int], object]],
    rounds: int,
    *,
    fewer: Mapping[str, int] | None = None,
    before: Callable[[int], object] = lambda _: None,
    after: Callable[[str, int], object] = lambda _name, _round: None,
) -> Times:
    """Run every method once a round, one after the other.

    Args:
        methods: Called with the number of the round.
        rounds: How many.
        fewer: Methods that take part in the first rounds only, and in how many.
        before: Prepares a round for every method, untimed.
        after: Looks at what a method did in a round, untimed.
    """
    last = {name: rounds for name in methods} | dict(fewer or {})
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    cpu_seconds: dict[str, list[float]] = {name: [] for name in methods}
    for k in range(rounds):
        for name, run in methods.items():
            if k < last[name]:
                before(k)
                start, cpu_start = time.perf_counter(), time.process_time()
                run(k)
                cpu_seconds[name].append(time.process_time() - cpu_start)
                seconds[name].append(time.perf_counter() - start)
                after(name, k)
    return Times(
        seconds={name: np.array(s) for name, s in seconds.items()},
        cpu_seconds={name: np.array(s) for name, s in cpu_seconds.items()},
    )


def log_log_exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return p of the fit value = c size^p in logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
