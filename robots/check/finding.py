"""One line of a check, and the table of all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["CheckReport", "Finding", "Level", "graded"]

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found.

    Attributes:
        level: How bad it is.
        subject: What was checked, e.g. "soles".
        text: What was found.
    """

    level: Level
    subject: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All findings about one robot.

    Attributes:
        robot: Its name.
        findings: In the order of the checks.
    """

    robot: str
    findings: tuple[Finding, ...]

    @property
    def worst(self) -> Level:
        """The worst level among the findings."""
        levels = {finding.level for finding in self.findings}
        if "error" in levels:
            return "error"
        return "warning" if "warning" in levels else "ok"


def graded(
    value: float, subject: str, text: str, *, warn: float, fail: float
) -> Finding:
    """Return a finding whose level follows from a value that should be small."""
    level: Level = "ok"
    if not value <= fail:
        level = "error"
    elif not value <= warn:
        level = "warning"
    return Finding(level=level, subject=subject, text=text)
