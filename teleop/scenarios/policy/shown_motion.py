"""What a tracking policy is shown: a retargeted recording, or standing ready."""

from __future__ import annotations

import numpy as np
from telexist.retarget.follow import Retargeter
from telexist.retarget.kinematics import Configuration
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.signals import RobotFrame, RobotMotion
from telexist.retarget.smoothing import MinimumJerkFilter, minimum_jerk
from telexist.retarget.so3 import slerp
from telexist.robots.description import RobotModel
from telexist.teleop.loop import BaseMotion
from telexist.teleop.terms import RobotReference, WalkCommand

__all__ = ["ShownMotion"]

SMOOTHING = 0.1  # [s] of joints and base
BEGIN = 3.0  # [s] in which the recording's first posture is reached
END = 1.0  # [s] of its last one


class ShownMotion:
    """Makes references, one for every step of the controller.

    Attributes:
        length: Until the end of the recording [s]; infinite without one.
    """

    def __init__(
        self, robot: RobotModel, ready: Configuration, clip: str, period: float
    ) -> None:
        """Retarget a recording.

        Args:
            robot: The robot.
            ready: How it stands before.
            clip: A file, "builtin", or "" for none.
            period: Between two references [s].

        Raises:
            BadInput: If it cannot be read.
        """
        self._ready, self._period = ready, period
        self._filter = MinimumJerkFilter(np.full(len(ready.q), SMOOTHING))
        self._filter.reset(ready.q)
        self._base = BaseMotion(ready, SMOOTHING)
        self._motion: RobotMotion | None = None
        self.length = float("inf")
        if clip:
            human = builtin_clip() if clip == "builtin" else read_clip(clip)
            self._motion = Retargeter(robot.body, human.size).run(human)
            self._start = float(self._motion.time[0])
            self.length = BEGIN + float(self._motion.time[-1]) - self._start + END

    def at(self, time: float, walk: WalkCommand) -> RobotReference:
        """Return the reference of a time [s], one period after the last."""
        goal, planted = self._ready.q, (True, True)
        if self._motion is None:
            self._base.rest(self._period)
        else:
            frame = _frame(self._motion, self._start + max(time - BEGIN, 0.0))
            planted = frame.planted
            share = float(minimum_jerk(time / BEGIN))
            goal = self._ready.q + share * (frame.q - self._ready.q)
            self._base.follow(frame, self._period)
        self._filter.step(goal, self._period)
        return RobotReference(
            stamp=time,
            q=np.array(self._filter.x),
            dq=np.array(self._filter.dx),
            ddq=np.array(self._filter.ddx),
            planted=planted,
            walk=walk,
            base=self._base.value,
        )


def _frame(motion: RobotMotion, t: float) -> RobotFrame:
    """Return a motion at a time [s], between two of its frames."""
    j = min(int(np.searchsorted(motion.time, t)), len(motion.time) - 1)
    i = max(j - 1, 0)
    gap = float(motion.time[j] - motion.time[i])
    share = 1.0 if gap <= 0.0 else (t - float(motion.time[i])) / gap
    share = min(max(share, 0.0), 1.0)
    q, p, R = motion.joint_positions, motion.base_position, motion.base_rotation
    return RobotFrame(
        stamp=t,
        q=q[i] + share * (q[j] - q[i]),
        dq=motion.joint_velocities[j],
        world_p_base=p[i] + share * (p[j] - p[i]),
        world_R_base=slerp(R[i], R[j], share),
        planted=(bool(motion.contact_left[j]), bool(motion.contact_right[j])),
    )
