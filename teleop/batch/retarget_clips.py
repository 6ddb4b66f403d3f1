"""Many clips on many robots in one call: what `telexist retarget` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from telexist.retarget.recordings import ReadOptions
from telexist.retarget.results import motion_paths
from telexist.retarget.training import TrainingOptions
from telexist.teleop.batch.clips import OnPassedOver, find_clips
from telexist.teleop.batch.job import JobOutcome, Quality
from telexist.teleop.batch.plan import (
    Plan,
    Wanted,
    choose_robots,
    plan_jobs,
    require_writable,
    settle_done,
)
from telexist.teleop.batch.progress import Watcher
from telexist.teleop.batch.run import run_jobs

__all__ = ["BatchOptions", "WatchBatch", "retarget_clips"]

WatchBatch = Callable[[int, int], Watcher]
"""Called with the jobs that are left to do and with all; shows progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """How a batch is done.

    Attributes:
        formats: Of the motions, beside "npz", which is always written.
        training: Rate and padding of the formats for learning.
        pictures: Whether to draw the sheets.
        reading: Facts on the clips; None looks beside each.
        folders: Where the user keeps robot models.
        download: Whether models may be fetched from the net.
        processes: How many work; results do not depend on it.
        quality: Whether a second pass brings balance and smoothness.
        distances: Whether links keep apart and off the floor.
        overwrite: Whether results are computed again that would be the same.
    """

    formats: tuple[str, ...] = ()
    training: TrainingOptions = field(default_factory=TrainingOptions)
    pictures: bool = True
    reading: ReadOptions | None = None
    folders: tuple[str, ...] = ()
    download: bool = False
    processes: int = 1
    quality: Quality = Quality.BALANCED
    distances: bool = False
    overwrite: bool = False


def retarget_clips(
    clips: Sequence[str],
    robots: Sequence[str],
    out: Path,
    options: BatchOptions | None = None,
    *,
    watch: WatchBatch | None = None,
    on_passed_over: OnPassedOver | None = None,
) -> tuple[JobOutcome, ...]:
    """Retarget recordings to robots; one failure stops nothing.

    Args:
        clips: Files, folders, or the word "builtin".
        robots: Names, or paths of `robot.toml` files.
        out: Folder of the results; made if it does not exist.
        options: How.
        watch: Shows progress; None shows nothing.
        on_passed_over: Told of files in folders that are no recordings.

    Returns:
        What came of each clip and robot, clip by clip.

    Raises:
        UsageError: Before anything is started: a clip or robot that is not there, a
            folder that cannot be written.
        UnknownName: If there is no such format.
    """
    options = options or BatchOptions()
    found = find_clips(clips, on_passed_over)
    motion_paths(out, "", options.formats)  # an unknown format, before any work
    chosen = choose_robots(robots, options.folders, download=options.download)
    require_writable(out)
    wanted = Wanted(
        out=out,
        formats=tuple(dict.fromkeys(("npz", *options.formats))),
        training=options.training,
        pictures=(".png",) if options.pictures else (),
        options=options.reading,
        quality=options.quality,
        distances=options.distances,
    )
    jobs = plan_jobs(found, chosen, wanted)
    plan = Plan(jobs=jobs, settled=()) if options.overwrite else settle_done(jobs)
    outcomes = _run(plan, options.processes, watch)
    order = {job.stem: place for place, job in enumerate(jobs)}
    return tuple(sorted(outcomes, key=lambda outcome: order[outcome.job.stem]))


def _run(plan: Plan, processes: int, watch: WatchBatch | None) -> list[JobOutcome]:
    total = len(plan.jobs) + len(plan.settled)
    outcomes: list[JobOutcome] = []
    with watch(len(plan.jobs), total) if watch else _Silent() as watcher:
        for outcome in plan.settled:
            watcher.finished(outcome)
            outcomes.append(outcome)
        running = run_jobs(plan.jobs, processes=processes, on_frames=watcher.frames)
        for outcome in running:
            watcher.finished(outcome)
            outcomes.append(outcome)
    return outcomes


class _Silent:
    """Shows nothing."""

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def frames(self, stem: str, done: int, total: int) -> None:
        """Show nothing."""

    def finished(self, outcome: JobOutcome) -> None:
        """Show nothing."""
