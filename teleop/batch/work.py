"""The work itself: read a clip, carry it over to robots, save what came out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from telexist.retarget.clip_changes import mirrored, trimmed
from telexist.retarget.errors import BadModel, CannotWrite, TelexistError
from telexist.retarget.files import write_bytes
from telexist.retarget.follow import Retargeter, RetargetSettings
from telexist.retarget.hands import follow_hands
from telexist.retarget.metrics import guarded_pass, make_report
from telexist.retarget.recordings import read_clip
from telexist.retarget.results import save_motion
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.training import DIALECTS, ModelTree
from telexist.robots.description import RobotModel, load_robot, model_tree
from telexist.robots.dynamics import DynamicsModel
from telexist.robots.hands import robot_hands
from telexist.robots.urdf import LinkHulls, link_hulls
from telexist.teleop import clock
from telexist.teleop.batch.job import Job, JobOutcome, Quality, RobotChoice
from telexist.teleop.batch.stamp import STAMP

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["OnProgress", "do_jobs", "failed"]

LIGHTEST = 0.5  # [kg] of a model that has masses

OnProgress = Callable[[Job, int, int], None]
"""Called with the job, the frames done and the frames in all; may raise to stop."""


def do_jobs(jobs: Sequence[Job], on_progress: OnProgress) -> Iterator[JobOutcome]:
    """Do jobs that share one clip, which is read once; failures become outcomes."""
    try:
        clip = _read(jobs[0])
    except Exception as error:
        yield from (failed(job, error) for job in jobs)
        return
    for job in jobs:
        try:
            yield _do_job(job, clip, on_progress)
        except Exception as error:
            yield failed(job, error, notes=clip.notes)


def failed(job: Job, error: BaseException, notes: tuple[str, ...] = ()) -> JobOutcome:
    """Return the outcome of a job that ended in an error: one line that says why."""
    reason = " ".join(str(error).split()) or type(error).__name__
    if not isinstance(error, TelexistError):
        reason = f"{job.clip.path}: unexpected {type(error).__name__}: {reason}"
    return JobOutcome(
        job=job,
        status="failed",
        reason=reason,
        notes=notes,
        unwritable=isinstance(error, CannotWrite),
    )


def _read(job: Job) -> HumanClip:
    clip = read_clip(job.clip.path, job.options)
    if job.clip.trimmed:
        clip = trimmed(clip)
    return mirrored(clip) if job.clip.mirrored else clip


def _do_job(job: Job, clip: HumanClip, on_progress: OnProgress) -> JobOutcome:
    body, hulls = _robot(job.robot).body, _hulls(job.robot)
    settings = RetargetSettings(distances=job.distances)
    retargeter = Retargeter(body, clip.size, settings)
    steps = _StepTimes(job, len(clip), on_progress)
    if job.timed:
        retargeter.run(_beginning(clip))  # compiles the engine if that is not cached
        motion = retargeter.run(clip, steps)
    else:
        motion = retargeter.run(clip)
        on_progress(job, len(clip), len(clip))
    masses, before = _masses(job.robot), None
    refusals: tuple[str, ...] = ()
    if job.quality is Quality.BALANCED:
        passed = guarded_pass(clip, body, motion, masses)
        motion, before, refusals = passed.motion, passed.before, passed.refusals
    report = make_report(
        clip,
        body,
        motion,
        steps.times,
        hulls=hulls.collision,
        masses=masses,
        before=before,
        refusals=refusals,
    )
    motion = _with_fingers(motion, clip, job.robot)
    figures: dict[Path, Figure] = {}
    for suffix in job.pictures:
        from telexist.retarget.pictures import draw_sheet

        figure = draw_sheet(clip, body, motion, report, hulls=hulls.visual)
        figures[job.out / f"{job.stem}{suffix}"] = figure
    table = {**report.to_json(), STAMP: dict(job.stamp)}
    try:
        _save(job, motion, figures, table)
    except BaseException:
        _discard(job)
        raise
    return JobOutcome(
        job=job,
        status="done",
        notes=report.notes,
        report=table,
        duration=sum(steps.times),
    )


def _with_fingers(
    motion: RobotMotion, clip: HumanClip, choice: RobotChoice
) -> RobotMotion:
    """Add the finger joints of a robot that has some, where the clip shows fingers."""
    if clip.hand_points is None:
        return motion
    robot = _robot(choice)
    hands = {
        side: hand
        for side, hand in robot_hands(robot).items()
        if not {*hand.linkage.joints} & {*robot.body.kinematics.joints}
    }
    names, positions = follow_hands(hands, clip)
    if not names:
        return motion
    return replace(motion, finger_names=names, finger_positions=positions)


def _beginning(clip: HumanClip) -> HumanClip:
    """Return the first two frames of a clip."""
    return replace(
        clip,
        time=clip.time[:2],
        rotations=clip.rotations[:2],
        angular_velocities=clip.angular_velocities[:2],
        positions=clip.positions[:2],
        linear_velocities=clip.linear_velocities[:2],
        hand_points=None,
    )


def _save(
    job: Job,
    motion: RobotMotion,
    figures: Mapping[Path, Figure],
    table: Mapping[str, Any],
) -> None:
    """Write everything, the report last: where it is, the rest is too."""
    job.report.unlink(missing_ok=True)
    save_motion(
        job.out,
        job.stem,
        motion,
        job.formats,
        model=_tree(job.robot) if _wants_tree(job) else None,
        training=job.training,
    )
    for path, figure in figures.items():
        from telexist.retarget.pictures import save_figure

        save_figure(path, figure)
    text = json.dumps(table, indent=2, ensure_ascii=False, allow_nan=False)
    write_bytes(job.report, f"{text}\n".encode())


@lru_cache(maxsize=16)
def _robot(robot: RobotChoice) -> RobotModel:
    return load_robot(robot.argument, robot.folders, download=robot.download)


@lru_cache(maxsize=16)
def _masses(robot: RobotChoice) -> RobotMasses | None:
    """Return what a robot weighs; None if its model does not say."""
    try:
        masses = DynamicsModel(_robot(robot)).masses()
    except BadModel:
        return None
    return masses if masses.total > LIGHTEST else None


def _wants_tree(job: Job) -> bool:
    return any(name in DIALECTS for name in job.formats)


@lru_cache(maxsize=16)
def _tree(robot: RobotChoice) -> ModelTree:
    return model_tree(_robot(robot))


@lru_cache(maxsize=16)
def _hulls(robot: RobotChoice) -> LinkHulls:
    return link_hulls(_robot(robot).urdf)


def _discard(job: Job) -> None:
    """Leave no part of a result that is not whole."""
    for path in job.outputs():
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


class _StepTimes:
    """Measures each step of the engine and passes progress on, ten times a second."""

    PERIOD = 0.1  # [s] between reports of progress

    def __init__(self, job: Job, total: int, on_progress: OnProgress) -> None:
        self.times: list[float] = []
        self._job, self._total, self._on_progress = job, total, on_progress
        self._start = clock.now()
        self._reported = -np.inf

    def __call__(self, index: int) -> None:
        now = clock.now()
        self.times.append(now - self._start)
        if now - self._reported > self.PERIOD or index + 1 == self._total:
            self._reported = now
            self._on_progress(self._job, index + 1, self._total)
        self._start = clock.now()
