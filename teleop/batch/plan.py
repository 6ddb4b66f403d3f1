"""Everything that is checked before a batch starts, and the jobs that follow."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from telexist.retarget.ahead import AheadSettings
from telexist.retarget.errors import BadInput, ModelNotFound, UsageError
from telexist.retarget.follow import RetargetSettings
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.training import DIALECTS, TrainingOptions
from telexist.robots.description import load_robot
from telexist.teleop.batch.clips import ClipSource
from telexist.teleop.batch.job import Job, JobOutcome, Quality, RobotChoice
from telexist.teleop.batch.stamp import (
    body_fingerprint,
    clip_stamp,
    kept_outcome,
    made_from,
)

__all__ = [
    "Plan",
    "Wanted",
    "choose_robots",
    "plan_jobs",
    "require_writable",
    "settle_done",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is wanted of every clip: see `Job`."""

    out: Path
    formats: tuple[str, ...]
    training: TrainingOptions
    pictures: tuple[str, ...]
    options: ReadOptions | None
    quality: Quality = Quality.BALANCED
    distances: bool = False
    timed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Jobs to do, and outcomes that are known without doing anything."""

    jobs: tuple[Job, ...]
    settled: tuple[JobOutcome, ...]


def choose_robots(
    arguments: Iterable[str], folders: tuple[str, ...], *, download: bool
) -> tuple[RobotChoice, ...]:
    """Load every robot once, so that mistakes show before the work starts.

    Args:
        arguments: Names, or paths of `robot.toml` files.
        folders: Where the user keeps models.
        download: Whether models may be fetched from the net.

    Raises:
        UsageError: If a robot cannot be loaded or two have one name.
    """
    chosen: dict[str, RobotChoice] = {}
    for argument in arguments:
        try:
            body = load_robot(argument, folders, download=download).body
        except (BadInput, ModelNotFound) as error:
            raise UsageError(str(error)) from error
        if body.name in chosen:
            first = chosen[body.name].argument
            raise UsageError(
                f"--robot: '{first}' and '{argument}' are both called '{body.name}'; "
                "their results would meet"
            )
        chosen[body.name] = RobotChoice(
            argument=argument,
            name=body.name,
            folders=folders,
            download=download,
            fingerprint=body_fingerprint(body),
        )
    return tuple(chosen.values())


def require_writable(folder: Path) -> None:
    """Make the folder of the results and prove that files can be put there.

    Raises:
        UsageError: Naming the folder and the reason.
    """
    trial = folder / f".{secrets.token_hex(8)}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"--out {folder}: cannot be written: {reason}") from error


def plan_jobs(
    clips: Sequence[ClipSource], robots: Sequence[RobotChoice], wanted: Wanted
) -> tuple[Job, ...]:
    """Return one job for each clip and robot, clip by clip."""
    jobs: list[Job] = []
    for clip in clips:
        source = clip_stamp(clip, wanted.options)
        for robot in robots:
            job = Job(
                clip=clip,
                robot=robot,
                out=wanted.out,
                formats=wanted.formats,
                training=wanted.training,
                pictures=wanted.pictures,
                options=wanted.options,
                stamp=_stamp(source, robot, wanted),
                quality=wanted.quality,
                distances=wanted.distances,
                timed=wanted.timed,
            )
            jobs.append(job)
    return tuple(jobs)


def _stamp(
    source: Mapping[str, Any], robot: RobotChoice, wanted: Wanted
) -> dict[str, Any]:
    """Return what a job's results depend on; rate and padding only where they count."""
    settings = RetargetSettings(distances=wanted.distances)
    stamp = made_from(source, robot, settings)
    stamp["quality"] = str(wanted.quality)
    if wanted.quality is Quality.BALANCED:
        stamp["ahead"] = asdict(AheadSettings())
    if any(name in DIALECTS for name in wanted.formats):
        fps, pad = wanted.training.fps, wanted.training.pad
        stamp["training"] = {"fps": None if fps is None else str(fps), "pad": pad}
    return stamp


def settle_done(jobs: Iterable[Job]) -> Plan:
    """Set aside the jobs whose results are there and would only be repeated."""
    left: list[Job] = []
    settled: list[JobOutcome] = []
    for job in jobs:
        kept = kept_outcome(job)
        if kept is None:
            left.append(job)
        else:
            settled.append(kept)
    return Plan(jobs=tuple(left), settled=tuple(settled))
