"""Scores of what `retarget.dynamics` estimates: live, and of whole recordings.

A moment or the dynamics of a recording go in; scores come out, as numbers over time, as
a report, and as what an estimate carries to the page.
"""

from telexist.retarget.ergonomics.scored.live_scores import LiveErgonomics
from telexist.retarget.ergonomics.scored.recorded_ergonomics import (
    RecordedErgonomics,
    ergonomic_arrays,
    ergonomics_lines,
    ergonomics_of_recording,
    ergonomics_report,
    load_ergonomics,
)

__all__ = [
    "LiveErgonomics",
    "RecordedErgonomics",
    "ergonomic_arrays",
    "ergonomics_lines",
    "ergonomics_of_recording",
    "ergonomics_report",
    "load_ergonomics",
]
