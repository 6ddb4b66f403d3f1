"""What the user sees while a batch runs: bars on a terminal, lines elsewhere."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from telexist.teleop.batch.job import JobOutcome

__all__ = ["Watcher", "make_watcher"]


class Watcher(Protocol):
    """Shows progress; use it with `with`."""

    def __enter__(self) -> Watcher:
        """Begin."""

    def __exit__(self, *error: object) -> None:
        """End, also after an error."""

    def frames(self, stem: str, done: int, total: int) -> None:
        """Show how far one job is."""

    def finished(self, outcome: JobOutcome) -> None:
        """Show what came of one job."""


def make_watcher(console: Console, total: int) -> Watcher:
    """Return bars for a terminal and lines for a file or a pipe."""
    lines = _PlainProgress(console, total)
    return _Bars(console, total, lines) if console.is_terminal else lines


class _PlainProgress:
    """One line per clip with what was recognised, one per result."""

    def __init__(self, console: Console, total: int) -> None:
        self._console, self._total, self._count = console, total, 0
        self._seen: set[str] = set()

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def frames(self, stem: str, done: int, total: int) -> None:
        pass

    def finished(self, outcome: JobOutcome) -> None:
        """Print an outcome, and before a clip's first one what was read from it."""
        self._count += 1
        show = partial(self._console.print, highlight=False, soft_wrap=True)
        clip, robot = outcome.job.clip, outcome.job.robot
        if outcome.notes and clip.path not in self._seen:
            self._seen.add(clip.path)
            notes = "; ".join(outcome.notes)
            show(f"[dim]{escape(Path(clip.path).name)}: {escape(notes)}[/]")
        where = f"[{self._count}/{self._total}] {clip.name} on {robot.name}"
        show(f"{escape(where)}: {_result(outcome)}")


class _Bars:
    """A bar for the whole batch and one for each job that is running."""

    def __init__(self, console: Console, total: int, lines: _PlainProgress) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._all = self._progress.add_task("starting", total=total)
        self._tasks: dict[str, TaskID] = {}
        self._lines = lines

    def __enter__(self) -> Watcher:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def frames(self, stem: str, done: int, total: int) -> None:
        """Move the bar of a job."""
        if stem not in self._tasks:
            self._tasks[stem] = self._progress.add_task(escape(stem), total=total)
            self._progress.update(self._all, description="[bold]all")
        self._progress.update(self._tasks[stem], completed=done)

    def finished(self, outcome: JobOutcome) -> None:
        """Take away the bar of a job and print what came of it."""
        task = self._tasks.pop(outcome.job.stem, None)
        if task is not None:
            self._progress.remove_task(task)
        self._lines.finished(outcome)
        self._progress.advance(self._all)


def _result(outcome: JobOutcome) -> str:
    if outcome.status == "failed":
        return f"[red]failed:[/] {escape(outcome.reason)}"
    if outcome.status == "kept":
        return "unchanged since the last run, kept (--overwrite computes it again)"
    return f"done in {outcome.duration:.1f} s"
