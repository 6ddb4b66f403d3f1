"""Many clips on many robots, on all cores: resumable, each file whole or absent."""

from telexist.teleop.batch.clips import ClipSource, find_clips, passed_over_line
from telexist.teleop.batch.job import Job, JobOutcome, Quality
from telexist.teleop.batch.plan import (
    Wanted,
    choose_robots,
    plan_jobs,
    require_writable,
    settle_done,
)
from telexist.teleop.batch.progress import Watcher, make_watcher
from telexist.teleop.batch.retarget_clips import BatchOptions, retarget_clips
from telexist.teleop.batch.run import run_jobs
from telexist.teleop.batch.summary import print_summary
from telexist.teleop.batch.work import do_jobs, failed

__all__ = [
    "BatchOptions",
    "ClipSource",
    "Job",
    "JobOutcome",
    "Quality",
    "Wanted",
    "Watcher",
    "choose_robots",
    "do_jobs",
    "failed",
    "find_clips",
    "make_watcher",
    "passed_over_line",
    "plan_jobs",
    "print_summary",
    "require_writable",
    "retarget_clips",
    "run_jobs",
    "settle_done",
]
