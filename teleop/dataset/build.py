"""Make a data set, or go on where the last run stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from telexist.retarget.errors import CannotWrite, UsageError
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.results import motion_paths
from telexist.retarget.training import TrainingOptions
from telexist.teleop.batch import (
    Job,
    JobOutcome,
    Quality,
    Wanted,
    Watcher,
    choose_robots,
    plan_jobs,
    require_writable,
    run_jobs,
    settle_done,
)
from telexist.teleop.dataset.clips import dataset_clips
from telexist.teleop.dataset.cluster import run_on_cluster
from telexist.teleop.dataset.duplicates import mark_duplicates
from telexist.teleop.dataset.place import DatasetPlace, DatasetSettings
from telexist.teleop.dataset.table import row_of, write_rows

__all__ = ["BuildOptions", "BuildResult", "build_dataset"]

CHUNK = 500  # jobs looked at together


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """How a set is built; the result does not depend on it.

    Attributes:
        processes: How many work.
        scheduler: Of a cluster: `tcp://host:port`, or `local`; "" for plain processes.
        reading: Facts on the clips; None looks beside each.
        folders: Where the user keeps robot models.
        download: Whether models may be fetched from the net.
    """

    processes: int = 1
    scheduler: str = ""
    reading: ReadOptions | None = None
    folders: tuple[str, ...] = ()
    download: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """How many clips were done now, were there already, and failed."""

    done: int
    kept: int
    failed: int


def build_dataset(
    place: DatasetPlace,
    settings: DatasetSettings,
    options: BuildOptions,
    watch: Callable[[int, int], Watcher],
) -> BuildResult:
    """Retarget all clips to all robots, then write the table.

    Args:
        place: Where to.
        settings: What from.
        options: How.
        watch: Called with the jobs that are left and with all; shows progress.

    Raises:
        UsageError: Before anything is started, where an argument is wrong.
        CannotWrite: If the disk or the folder refuses: what is done is kept.
    """
    jobs = _planned(place, settings, options)
    rows, counts = {}, {"done": 0, "kept": 0, "failed": 0}
    left: list[Job] = []
    for begin in range(0, len(jobs), CHUNK):
        plan = settle_done(jobs[begin : begin + CHUNK])
        left += plan.jobs
        for outcome in plan.settled:
            if outcome.status == "failed":  # of a recording that lay elsewhere
                left.append(outcome.job)
                continue
            rows[outcome.job.stem] = row_of(outcome)
            counts[outcome.status] += 1
    with watch(len(left), len(jobs)) as watcher:
        for outcome in _outcomes(left, options, watcher):
            if outcome.unwritable:
                raise CannotWrite(
                    f"{outcome.reason}; {counts['done'] + counts['kept']} results are "
                    "whole and kept: make room and give the same command again"
                )
            watcher.finished(outcome)
            rows[outcome.job.stem] = row_of(outcome)
            counts[outcome.status] += 1
    ordered = [rows[job.stem] for job in jobs]
    mark_duplicates(ordered, place.motions, jobs[0].robot.name)
    write_rows(place.table, ordered)
    return BuildResult(**counts)


def _planned(
    place: DatasetPlace, settings: DatasetSettings, options: BuildOptions
) -> tuple[Job, ...]:
    clips = dataset_clips(settings.sources, mirror=settings.mirror, trim=settings.trim)
    motion_paths(place.motions, "", settings.formats)  # an unknown one, before any work
    robots = choose_robots(settings.robots, options.folders, download=options.download)
    _require_same_set(place, settings)
    require_writable(place.motions)
    place.write_settings(settings)
    fps = None if settings.fps is None else Fraction(settings.fps)
    wanted = Wanted(
        out=place.motions,
        formats=tuple(dict.fromkeys(("npz", *settings.formats))),
        training=TrainingOptions(fps=fps, pad=settings.pad),
        pictures=(".png",) if settings.pictures else (),
        options=options.reading,
        quality=Quality(settings.quality),
        distances=settings.distances,
        timed=False,
    )
    return plan_jobs(clips, robots, wanted)


def _require_same_set(place: DatasetPlace, settings: DatasetSettings) -> None:
    """Refuse a folder that holds something else.

    Raises:
        UsageError: If there is something that is no data set.
    """
    if place.settings_file.exists():
        return  # other settings give other stamps: what differs is made again
    if place.folder.is_dir() and any(place.folder.iterdir()):
        raise UsageError(f"--out {place.folder}: not empty, and no data set")


def _outcomes(
    jobs: Sequence[Job], options: BuildOptions, watcher: Watcher
) -> Iterator[JobOutcome]:
    if not jobs:
        return iter(())
    if options.scheduler:
        return run_on_cluster(jobs, options.scheduler, processes=options.processes)
    return run_jobs(jobs, processes=options.processes, on_frames=watcher.frames)
