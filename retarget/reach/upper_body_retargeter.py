"""From head and hands to a moving robot: places scaled by the length of the arms.

For sources that show no limbs: a headset with two controllers, and perhaps trackers at
pelvis, feet, chest or elbows. Same verbs as `Retargeter`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.errors import BadFrame, BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import RecursiveIk, StepBounds
from telexist.retarget.kinematics import Configuration
from telexist.retarget.reach.reach_targets import ReachTargets
from telexist.retarget.reach.settings import ReachSettings
from telexist.retarget.reach.trunk import Trunk, TrunkTracker
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.retarget.so3 import Array, exp_so3, log_so3

__all__ = ["UpperBodyRetargeter"]

ANCHORS = ("Head", "T8", "Pelvis")
START_STEPS = 60  # towards the first frame
START_STEP = 0.2  # [rad] or [m] that a joint may move in each
DEEPEST = 0.5  # of the leg, that a base may sink
LIFTED = 0.03  # [m] a foot tracker higher than this has left the floor


class UpperBodyRetargeter:
    """Carries head and hands of one person over to one robot.

    The first frame after construction or `reset` is reached at once, from the neutral
    posture; after it every limit on position and speed holds. The base stays where it
    is unless a pelvis tracker moves it.
    """

    def __init__(
        self,
        body: RobotBody,
        size: HumanSize,
        settings: ReachSettings | None = None,
    ) -> None:
        """Prepare for a robot and a person.

        Args:
            body: The robot.
            size: The person's joints in N-pose.
            settings: See `ReachSettings`.

        Raises:
            BadInput: If the robot has no arms.
        """
        self.settings = settings or ReachSettings()
        self.body = body
        # the base goes where it is put, so that arms cannot drag it along
        held = replace(body, fixed_base=True)
        self._ik = RecursiveIk(held, self.settings.ik)
        self._targets = ReachTargets(body, size, self.settings)
        self._trunk = TrunkTracker(size)
        self._size, self._leg = size, body.leg_length
        if not self._targets.arms.arms:
            raise BadInput(f"{body.name} has no arm that could follow a hand")
        self.reset()

    def reset(self) -> None:
        """Forget the motion so far: the next frame is a first frame."""
        self._targets.reset()
        self._trunk.reset()
        self._now = self.body.neutral
        self._at_rest = True  # whether no pelvis tracker has moved the base yet
        self._stamp: float | None = None

    def step(self, frame: HumanFrame) -> RobotFrame:
        """Follow one frame.

        Args:
            frame: The newest frame; its stamp must be later than the last one's.

        Returns:
            The robot at the frame's time, inside all limits.

        Raises:
            BadFrame: If the frame holds NaN, lacks places or a trunk, or is not later
                than the last; the state is untouched then.
            QpFailed: If the robot's limits contradict each other.
        """
        frame.require_finite()
        _require_view(frame)
        if self._stamp is None:
            self._start(frame)
            self._stamp = frame.stamp
            return self._result(frame, np.zeros(self.body.kinematics.n))
        dt = frame.stamp - self._stamp
        if dt <= 0.0:
            raise BadFrame(
                f"frame {frame.sequence} at {frame.stamp:.3f} s is not later than the "
                f"last one at {self._stamp:.3f} s"
            )
        before = self._now.q
        trunk = self._trunk.step(frame, dt)
        start = self._limited(self._base(frame, trunk), dt)
        targets = self._targets.targets(frame, trunk, start, dt)
        self._now = self._ik.step(start, targets, dt)
        self._stamp = frame.stamp
        return self._result(frame, (self._now.q - before) / dt)

    def _start(self, frame: HumanFrame) -> None:
        """Reach a first frame without regard to speed."""
        trunk = self._trunk.step(frame, 1.0)
        now, body = self._base(frame, trunk), self.body
        self._at_rest = now is body.neutral
        for _ in range(START_STEPS):
            targets = self._targets.targets(frame, trunk, now, 1.0)
            bounds = StepBounds(
                lower=np.clip(body.lower - now.q, -START_STEP, 0.0),
                upper=np.clip(body.upper - now.q, 0.0, START_STEP),
            )
            now = self._ik.step(now, targets, 1.0, bounds=bounds)
        self._now = now

    def _base(self, frame: HumanFrame, trunk: Trunk) -> Configuration:
        """Return where the base should be; its joints are neutral.

        It sinks and leans as a pelvis tracker does; it does not travel.
        """
        neutral, leg = self.body.neutral, self._leg
        if self.body.fixed_base or "Pelvis" not in frame.segments:
            return neutral
        sunk = self._targets.legs.sunk(frame)
        return Configuration(
            world_p_base=neutral.world_p_base
            + np.array([0.0, 0.0, np.clip(sunk, -DEEPEST * leg, 0.0)]),
            world_R_base=trunk.here_R_pelvis @ neutral.world_R_base,
            q=neutral.q,
        )

    def _limited(self, base: Configuration, dt: float) -> Configuration:
        """Return the robot as it is, its base moved towards `base` by one step."""
        now, settings = self._now, self.settings
        if base is self.body.neutral and self._at_rest:
            return now
        self._at_rest = False
        way = base.world_p_base - now.world_p_base
        turn = log_so3(base.world_R_base @ now.world_R_base.T)
        return Configuration(
            world_p_base=now.world_p_base + _shortened(way, settings.base_speed * dt),
            world_R_base=exp_so3(_shortened(turn, settings.base_turning * dt))
            @ now.world_R_base,
            q=now.q,
        )

    def _result(self, frame: HumanFrame, dq: Array) -> RobotFrame:
        return RobotFrame(
            stamp=frame.stamp,
            q=self._now.q.copy(),
            dq=dq,
            world_p_base=self._now.world_p_base.copy(),
            world_R_base=self._now.world_R_base.copy(),
            planted=(self._stands(frame, "left"), self._stands(frame, "right")),
        )

    def _stands(self, frame: HumanFrame, side: str) -> bool:
        """Return whether the person stands on a foot: always, where none is seen."""
        name = f"{side.capitalize()}Foot"
        if side not in self.body.soles or frame.positions is None:
            return False
        if name not in frame.segments or "Pelvis" not in frame.segments:
            return True
        height = float(frame.positions[frame.segments.index(name)][2])
        return height - float(self._size.joints[name][2]) < LIFTED


def _shortened(way: Array, most: float) -> Array:
    length = float(np.linalg.norm(way))
    return way if length <= most else way * (most / length)


def _require_view(frame: HumanFrame) -> None:
    if frame.positions is None:
        raise BadFrame(
            f"frame {frame.sequence}: hands without places cannot be reached"
        )
    if not any(segment in frame.segments for segment in ANCHORS):
        raise BadFrame(
            f"frame {frame.sequence}: shows none of {', '.join(ANCHORS)}, from which "
            "the shoulders are found"
        )
