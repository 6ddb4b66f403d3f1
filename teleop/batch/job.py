"""One clip on one robot: what is to be done, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from telexist.retarget.recordings import ReadOptions
from telexist.retarget.results import motion_paths
from telexist.retarget.training import TrainingOptions
from telexist.teleop.batch.clips import ClipSource

__all__ = ["Job", "JobOutcome", "Quality", "RobotChoice"]


class Quality(StrEnum):
    """What becomes of a clip once every frame has been followed."""

    KINEMATIC = "kinematic"
    """Nothing: what one gets live, one frame at a time."""
    BALANCED = "balanced"
    """A second pass over the whole clip brings balance and smoothness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotChoice:
    """A robot that was loaded once and found good.

    Attributes:
        argument: What the user wrote: a name or the path of a `robot.toml`.
        name: Name of the robot, used for output files.
        folders: Where the user keeps models.
        download: Whether its model may be fetched from the net.
        fingerprint: Changes when anything that the engine sees of it changes.
    """

    argument: str
    name: str
    folders: tuple[str, ...]
    download: bool
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One clip on one robot.

    Attributes:
        clip: The recording.
        robot: The robot.
        out: Folder of the results.
        formats: Of the motion, names in `retarget.results.FORMATS`, or dialects of
            trainers.
        training: Rate and padding of those dialects.
        pictures: Suffixes of the pictures wanted: `(".png",)` or none.
        options: What the user states about the recording; None: found beside it.
        stamp: What the results depend on; equal stamps mean equal results.
        quality: Whether a second pass follows.
        distances: Whether links keep apart and off the floor.
        timed: Whether each step is timed and shown; else a clip is one compiled call.
    """

    clip: ClipSource
    robot: RobotChoice
    out: Path
    formats: tuple[str, ...]
    training: TrainingOptions
    pictures: tuple[str, ...]
    options: ReadOptions | None
    stamp: Mapping[str, Any]
    quality: Quality = Quality.BALANCED
    distances: bool = False
    timed: bool = True

    @property
    def stem(self) -> str:
        """Name of the output files without their suffix."""
        return f"{self.clip.name}.{self.robot.name}"

    @property
    def report(self) -> Path:
        """The report, which is written last: where it is, the job is done."""
        return self.out / f"{self.stem}.json"

    def outputs(self) -> tuple[Path, ...]:
        """Return every file that the job writes, the report last."""
        pictures = (self.out / f"{self.stem}{suffix}" for suffix in self.pictures)
        motions = motion_paths(self.out, self.stem, self.formats)
        return (*motions, *pictures, self.report)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """What came of a job.

    Attributes:
        job: The job.
        status: "done", "kept" (nothing had changed) or "failed".
        reason: Why it failed, one line.
        notes: What was found while reading the clip.
        report: The report, as saved.
        duration: Time the steps of the engine took [s].
        unwritable: Whether it failed because the disk or the folder refuses.
    """

    job: Job
    status: str
    reason: str = ""
    notes: tuple[str, ...] = ()
    report: Mapping[str, Any] = field(default_factory=dict)
    duration: float = 0.0
    unwritable: bool = False
