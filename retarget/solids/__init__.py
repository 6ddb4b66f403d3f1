"""A robot's links as rounded convex solids, and which of them may meet.

In come the triangles of a link's shapes and a `RobotBody`; out go `Solids`, which the
engine keeps apart and off the floor.
"""

from telexist.retarget.solids.meetings import (
    FAR,
    find_gaps,
    find_meetings,
    on_bodies,
)
from telexist.retarget.solids.rounding import cut_in_pieces, rounded_hull

__all__ = [
    "FAR",
    "cut_in_pieces",
    "find_gaps",
    "find_meetings",
    "on_bodies",
    "rounded_hull",
]
