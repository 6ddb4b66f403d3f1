"""Many clips on many robots, on all cores: resumable, each file whole or absent."""

from telexist.teleop.batch.clips import find_clips
from telexist.teleop.batch.job import JobOutcome
from telexist.teleop.batch.plan import (
    Plan,
    Wanted,
    choose_robots,
    plan_jobs,
    require_writable,
    settle_done,
)
from telexist.teleop.batch.progress import make_watcher
from telexist.teleop.batch.run import run_jobs
from telexist.teleop.batch.summary import print_summary

__all__ = [
    "JobOutcome",
    "Plan",
    "Wanted",
    "choose_robots",
    "find_clips",
    "make_watcher",
    "plan_jobs",
    "print_summary",
    "require_writable",
    "run_jobs",
    "settle_done",
]
