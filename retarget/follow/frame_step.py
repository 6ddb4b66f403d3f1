"""The step of one frame, for a live loop: other threads wait until it is over.

It takes tens of microseconds. If it let other threads run meanwhile, as the compiled
clip does, the loop would then have to wait for one of them.
"""

from __future__ import annotations

from telexist.retarget.compiled import jit_hold_gil
from telexist.retarget.follow.frame import follow_frame

__all__ = ["frame_step"]


@jit_hold_gil
def frame_step(f, frame, dt):  # type: ignore[no-untyped-def]
    """Do what `follow_frame` does."""
    return follow_frame(f, frame, dt)
