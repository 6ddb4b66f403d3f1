"""The step of one frame, for a live loop: other threads wait until it is over.

It takes tens of microseconds. If it let other threads run meanwhile, as the compiled
clip does, the loop would then have to wait for one of them.
"""

from __future__ import annotations

from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.follow.follower import FollowRecords
from telexist.retarget.follow.frame import follow_frame
from telexist.retarget.follow.frame_arrays import FrameArrays

__all__ = ["frame_step"]


@jit_hold_gil
def frame_step(f: FollowRecords, frame: FrameArrays, dt: float) -> bool:
    """Do what `follow_frame` does."""
    return follow_frame(f, frame, dt)
