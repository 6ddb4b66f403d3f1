"""An operator who stands, or goes: by a command, and by a recording of somebody."""

from __future__ import annotations

import numpy as np
from telexist.retarget.follow import Retargeter
from telexist.retarget.kinematics import Configuration
from telexist.retarget.recordings import read_clip
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.signals import RobotFrame, RobotMotion
from telexist.retarget.smoothing import MinimumJerkFilter
from telexist.robots.description import RobotModel
from telexist.teleop.controllers.geometry import Blend
from telexist.teleop.loop import BaseMotion
from telexist.teleop.scenarios import ScenarioOptions
from telexist.teleop.terms import RobotReference, WalkCommand

__all__ = ["GoingOperator"]

SMOOTHING = 0.1  # [s] of joints and base
GROWTH = 1.0  # [s] in which going begins and ends


class GoingOperator:
    """Makes references, one for every step."""

    def __init__(
        self, robot: RobotModel, ready: Configuration, options: ScenarioOptions
    ) -> None:
        """Stand.

        Args:
            robot: The robot.
            ready: How it stands ready.
            options: How fast a command is, and what recording is shown while going.

        Raises:
            BadInput: If the recording cannot be read.
        """
        self._ready = ready
        self._filter = MinimumJerkFilter(np.full(len(ready.q), SMOOTHING))
        self._filter.reset(ready.q)
        self._base = BaseMotion(ready, SMOOTHING)
        self._blend = Blend(0.0, GROWTH)
        self._asked = options.speed, options.side_speed, options.yaw_rate
        self._motion: RobotMotion | None = None
        self._time = 0.0
        if options.clip:
            builtin = options.clip == "builtin"
            human = builtin_clip() if builtin else read_clip(options.clip)
            self._motion = Retargeter(robot.body, human.size).run(human)

    def step(self, stamp: float, dt: float, *, goes: bool) -> RobotReference:
        """Return the reference at a time [s], dt [s] after the last one."""
        share = self._blend.step(1.0 if goes else 0.0, dt)
        goal, planted = self._ready.q, (True, True)
        if self._motion is not None and share > 0.0:
            frame = self._next(self._motion, share * dt)
            goal = goal + share * (frame.q - goal)
            planted = frame.planted
            self._base.follow(frame, dt)
        else:
            self._time = 0.0
            self._base.home(dt)
        self._filter.step(goal, dt)
        vx, vy, wz = self._asked
        walk = WalkCommand(vx=share * vx, vy=share * vy, wz=share * wz)
        return RobotReference(
            stamp=stamp,
            q=np.array(self._filter.x),
            dq=np.array(self._filter.dx),
            ddq=np.array(self._filter.ddx),
            planted=planted,
            walk=walk,
            base=self._base.value,
        )

    def _next(self, motion: RobotMotion, dt: float) -> RobotFrame:
        """Return the recording dt [s] later; it comes to rest at its end."""
        self._time += dt
        asked = float(motion.time[0]) + self._time
        i = min(int(np.searchsorted(motion.time, asked)), len(motion.time) - 1)
        return RobotFrame(
            stamp=self._time,
            q=motion.joint_positions[i],
            dq=motion.joint_velocities[i],
            world_p_base=motion.base_position[i],
            world_R_base=motion.base_rotation[i],
            planted=(bool(motion.contact_left[i]), bool(motion.contact_right[i])),
        )
