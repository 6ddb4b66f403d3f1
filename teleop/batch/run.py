"""Run jobs in this process or in several, with the same results."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from queue import Empty

from telexist.retarget.compiled import is_cached
from telexist.teleop.batch.job import Job, JobOutcome
from telexist.teleop.batch.work import do_jobs, failed

__all__ = ["OnFrames", "run_jobs"]

OnFrames = Callable[[str, int, int], None]
"""Called with the stem of a job, the frames done and the frames in all."""

_POLL = 0.1  # [s] between looks at what the processes report

Unit = tuple[Job, ...]


def run_jobs(
    jobs: Sequence[Job], *, processes: int, on_frames: OnFrames
) -> Iterator[JobOutcome]:
    """Run all jobs, yielding outcomes as they come; one failure stops nothing.

    A clip is read once for all its robots where there are enough clips to keep all
    processes busy. Where the engine was never compiled, the first clip goes first and
    alone: otherwise every process would compile the same.
    """
    units = [tuple(unit) for _, unit in groupby(jobs, key=lambda job: job.clip)]
    if len(units) < processes:
        units = [(job,) for job in jobs]
    alone = len(units) if min(processes, len(units)) == 1 else 1 - is_cached()
    for unit in units[:alone]:
        yield from do_jobs(unit, lambda job, k, n: on_frames(job.stem, k, n))
    rest = units[alone:]
    if rest:
        yield from _run_in_processes(rest, min(processes, len(rest)), on_frames)


def _run_in_processes(
    units: Sequence[Unit], processes: int, on_frames: OnFrames
) -> Iterator[JobOutcome]:
    with _Pool(processes) as pool:
        lost = yield from _collect(pool, units, on_frames)
    # A process died and took the others' work along: each of these once more, alone.
    for unit in lost:
        with _Pool(1) as pool:
            again = yield from _collect(pool, [unit], on_frames)
        died = RuntimeError("the process died, for lack of memory perhaps")
        for dead in again:
            yield from (failed(job, died) for job in dead)


class _Pool:
    """Processes that stop between two frames when told to."""

    def __init__(self, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.progress: Queue[tuple[str, int, int]] = context.Queue()
        self._stop = context.Event()
        self.executor = ProcessPoolExecutor(
            processes,
            mp_context=context,
            initializer=_start_worker,
            initargs=(self.progress, self._stop),
        )

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.progress.close()


def _collect(
    pool: _Pool, units: Sequence[Unit], on_frames: OnFrames
) -> Generator[JobOutcome, None, list[Unit]]:
    """Yield outcomes; return the units that were lost when a process died."""
    lost: list[Unit] = []
    waiting: dict[Future[tuple[JobOutcome, ...]], Unit] = {
        pool.executor.submit(_do_unit, unit): unit for unit in units
    }
    while waiting:
        done, _ = wait(waiting, timeout=_POLL, return_when=FIRST_COMPLETED)
        _pass_on(pool.progress, on_frames)
        for future in done:
            unit = waiting.pop(future)
            try:
                outcomes = future.result()
            except BrokenProcessPool:
                lost.append(unit)
                continue
            yield from outcomes
    return lost


def _pass_on(progress: Queue[tuple[str, int, int]], on_frames: OnFrames) -> None:
    with contextlib.suppress(Empty):
        while True:
            on_frames(*progress.get_nowait())


class _Worker:
    """What a worker process keeps: where to report, and the sign to stop."""

    progress: Queue[tuple[str, int, int]]
    stop: Event

    def report(self, job: Job, done: int, total: int) -> None:
        """Report frames done; end the job here if the user interrupted."""
        if self.stop.is_set():
            raise KeyboardInterrupt
        self.progress.put((job.stem, done, total))


_worker = _Worker()


def _start_worker(progress: Queue[tuple[str, int, int]], stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent tells us when to stop
    progress.cancel_join_thread()
    _worker.progress, _worker.stop = progress, stop


def _do_unit(unit: Unit) -> tuple[JobOutcome, ...]:
    return tuple(do_jobs(unit, _worker.report))
