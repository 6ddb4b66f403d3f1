"""Going ahead on a path with a partner's help, and never without it.

Where a hand, or a centre of mass, is on its path and what force a partner exerts on it
go in; the acceleration to ask for comes out, and the path's parameter goes on: as fast
as time, or faster while the force is along the path.
"""

from telexist.retarget.advance.advance_law import AdvanceLaw
from telexist.retarget.advance.clip_advance import ClipAdvance
from telexist.retarget.advance.path_point import PathPoint, straight_path, swinging_path
from telexist.retarget.advance.printed_advance import PrintedAdvance
from telexist.retarget.advance.trajectory_advance import Advanced, TrajectoryAdvance

__all__ = [
    "AdvanceLaw",
    "Advanced",
    "ClipAdvance",
    "PathPoint",
    "PrintedAdvance",
    "TrajectoryAdvance",
    "straight_path",
    "swinging_path",
]
