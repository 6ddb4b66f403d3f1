"""A stretch of a recording in one compiled call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import jit_release_gil
from telexist.retarget.follow.follower import FollowRecords
from telexist.retarget.follow.frame import follow_frame
from telexist.retarget.follow.frame_arrays import FrameArrays
from telexist.retarget.ik import copy_matrix, copy_vector
from telexist.retarget.so3 import Array

__all__ = ["ClipArrays", "MotionArrays", "follow_clip"]


class ClipArrays(NamedTuple):
    """A `HumanClip` as plain arrays."""

    time: Array
    R: Array
    w: Array
    p: Array
    v: Array


class MotionArrays(NamedTuple):
    """A `RobotMotion` as plain arrays, to be filled."""

    q: Array
    dq: Array
    p: Array
    R: Array
    planted: NDArray[np.bool_]


@jit_release_gil
def follow_clip(
    f: FollowRecords, clip: ClipArrays, motion: MotionArrays, begin: int, end: int
) -> bool:
    """Follow frames begin..end - 1 of a recording and write the robot's motion.

    Frame 0 is not followed but written: the start has reached it.

    Returns:
        Whether all constrained problems were solved.
    """
    shown = np.ones(clip.R.shape[1], dtype=np.bool_)
    for k in range(begin, end):
        if k > 0:
            for i in range(motion.dq.shape[1]):
                motion.dq[k, i] = -f.m.bodies[i + 1].q
            dt = clip.time[k] - clip.time[k - 1]
            frame = FrameArrays(shown, True, clip.R[k], clip.w[k], clip.p[k], clip.v[k])
            if not follow_frame(f, frame, dt):
                return False
            for i in range(motion.dq.shape[1]):
                motion.dq[k, i] = (motion.dq[k, i] + f.m.bodies[i + 1].q) / dt
        for i in range(motion.q.shape[1]):
            motion.q[k, i] = f.m.bodies[i + 1].q
        copy_vector(f.m.bodies[0].p, motion.p[k])
        copy_matrix(f.m.bodies[0].R, motion.R[k])
        for side in range(2):
            motion.planted[k, side] = f.feet[side].planted != 0
    return True
