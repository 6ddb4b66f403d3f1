"""Jobs on a cluster of dask: a scheduler that is there, or one of our own on loopback.

The folder of the set must be the same one for all machines. A worker that dies takes
nothing along: what it had is done by another, and files are whole or absent.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby, islice
from typing import Any

from telexist.retarget.errors import BadInput, MissingDependency
from telexist.teleop.batch import Job, JobOutcome, do_jobs, failed

__all__ = ["LOCAL", "run_on_cluster"]

LOCAL = "local"
"""The word for a scheduler and workers of our own, on this machine alone."""
PATIENCE = 20.0  # [s] to reach a scheduler
WAITING = 8  # units a worker has before it, so that none waits for us
_one_at_a_time = threading.Lock()

Unit = tuple[Job, ...]


def run_on_cluster(
    jobs: Sequence[Job], address: str, *, processes: int
) -> Iterator[JobOutcome]:
    """Do all jobs, yielding outcomes as they come.

    Args:
        jobs: Clip by clip.
        address: `tcp://host:port` of a scheduler, or `local`.
        processes: Workers of our own, for `local`.

    Raises:
        MissingDependency: If distributed is not installed.
        BadInput: If no scheduler answers.
    """
    try:
        import distributed
    except ImportError as error:
        command = "pip install 'telexist[dataset]'"
        raise MissingDependency("distributed", command) from error
    with ExitStack() as stack:
        client = stack.enter_context(_client(distributed, address, processes, stack))
        yield from _collect(distributed, client, jobs)


def _client(distributed: Any, address: str, processes: int, stack: ExitStack) -> Any:
    if address == LOCAL:
        cluster = distributed.LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
        )
        address = stack.enter_context(cluster).scheduler_address
    try:
        return distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:  # timeouts are OSErrors
        reason = " ".join(str(error).split())[:100] or type(error).__name__
        raise BadInput(
            f"--scheduler {address}: nobody answers as a scheduler of dask ({reason}); "
            "`dask scheduler --host ADDRESS` starts one"
        ) from error


def _collect(
    distributed: Any, client: Any, jobs: Sequence[Job]
) -> Iterator[JobOutcome]:
    units = (tuple(unit) for _, unit in groupby(jobs, key=lambda job: job.clip))
    most = WAITING * max(1, len(client.scheduler_info()["workers"]))
    waiting: dict[Any, Unit] = {}

    def submit(unit: Unit) -> Any:
        future = client.submit(_do_unit, unit, pure=False)
        waiting[future] = unit
        return future

    running = distributed.as_completed([submit(unit) for unit in islice(units, most)])
    for future in running:
        unit = waiting.pop(future)
        try:
            outcomes = future.result()
        except Exception as error:  # the worker died with it several times
            outcomes = tuple(failed(job, error) for job in unit)
        for following in islice(units, 1):
            running.add(submit(following))
        yield from outcomes


def _do_unit(unit: Unit) -> tuple[JobOutcome, ...]:
    """Do jobs of one clip; a robot's model serves one thread at a time."""
    with _one_at_a_time:
        return tuple(do_jobs(unit, lambda *_: None))
