"""What a recorded person's dynamics come to, as a table and lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["print_dynamics"]


def print_dynamics(report: Mapping[str, Any], scores: Sequence[str]) -> None:
    """Print the report of the dynamics, and lines on the scores."""
    table = Table("moment [N m]", "most", "least", "rms", "sd", title=None)
    for name, figures in report["leg_moments"].items():
        keys = ("most_n_m", "least_n_m", "rms_n_m", "median_sd_n_m")
        table.add_row(name, *(f"{figures[key]:.1f}" for key in keys))
    console = Console()
    console.print(table)
    for side, feet in report["feet"].items():
        contact, measured = feet["contact_share"], feet["measured_share"]
        console.print(
            f"{side} foot: {contact:.0%} in contact, {measured:.0%} known, up to "
            f"{feet['most_vertical_body_weights']:.2f} body weights"
        )
    console.print(f"mass {report['mass_kg']:.1f} kg")
    for line in scores:
        console.print(line)
