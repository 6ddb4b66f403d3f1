"""Many clips on many robots, on all cores: resumable, each file whole or absent."""

from telexist.teleop.batch.clips import find_clips, passed_over_line
from telexist.teleop.batch.job import JobOutcome
from telexist.teleop.batch.plan import require_writable
from telexist.teleop.batch.progress import Watcher, make_watcher
from telexist.teleop.batch.retarget_clips import BatchOptions, retarget_clips
from telexist.teleop.batch.summary import print_summary

__all__ = [
    "BatchOptions",
    "JobOutcome",
    "Watcher",
    "find_clips",
    "make_watcher",
    "passed_over_line",
    "print_summary",
    "require_writable",
    "retarget_clips",
]
