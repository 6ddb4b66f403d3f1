"""A calibration as the operator sees it in the terminal."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from telexist.calibration import CapturePhase, CaptureStatus, OperatorProfile

__all__ = ["CaptureShown", "print_profile"]

POSE = {
    "n": "N-pose: stand upright, arms down, palms in, look ahead",
    "t": "T-pose: stand upright, arms sideways, palms down, look ahead",
}


class CaptureShown:
    """Countdown and progress of a capture, on the terminal's error stream."""

    def __init__(self, pose: str) -> None:
        """Say which pose is wanted."""
        console = Console(stderr=True)
        console.print(POSE[pose])
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), console=console
        )
        self._task = self._progress.add_task("get ready", total=1.0)

    def __enter__(self) -> CaptureShown:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop to draw."""
        self._progress.stop()

    def show(self, status: CaptureStatus) -> None:
        """Draw a status."""
        text = {
            CapturePhase.COUNTING: f"get ready: {status.remaining:3.0f} s",
            CapturePhase.CAPTURING: f"stand still: {status.samples} samples",
        }.get(status.phase, status.phase.value)
        self._progress.update(self._task, description=text, completed=status.progress)


def print_profile(profile: OperatorProfile, path: Path) -> None:
    """Print what was found: the operator's size and the residual of each link."""
    table = Table(title=f"{profile.operator}, {profile.size.height:.2f} m")
    table.add_column("segment")
    table.add_column("residual [deg]", justify="right")
    for name in profile.segments:
        residual = profile.residuals.get(name)
        table.add_row(name, "" if residual is None else f"{residual:.2f}")
    Console().print(table)
    size = profile.size
    print(f"arm {size.arm_length:.3f} m, leg {size.leg_length:.3f} m; saved: {path}")
