"""From postures to references: approach, smooth, bound; brake whenever told so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotFrame
from telexist.retarget.smoothing import MinimumJerkFilter
from telexist.retarget.so3 import Array
from telexist.robots.drives import COMMAND_SHARE, Bounds, CommandLimiter
from telexist.teleop.loop.approach import Approach
from telexist.teleop.loop.base_motion import BaseMotion
from telexist.teleop.loop.own_steps import OwnSteps
from telexist.teleop.settings import SessionSettings
from telexist.teleop.terms import RobotReference, WalkCommand

__all__ = ["ReferenceMaker"]

SLOWEST = 0.01  # of the speed limits: of any approach


class ReferenceMaker:
    """Makes what the controller is given, inside all bounds in every state.

    Attributes:
        bounds: What its references obey, with a part left for the robot's servos.
        q: Joint positions of the newest reference (n,).
        touched: How many steps of each joint were held back by a bound (n,).
    """

    def __init__(
        self,
        body: RobotBody,
        bounds: Bounds,
        smoothing_times: Array,
        settings: SessionSettings,
        *,
        first_share: float = 1.0,
        base: BaseMotion | None = None,
        steps: OwnSteps | None = None,
    ) -> None:
        """Prepare for a robot; `reset` must come before the first step.

        Args:
            body: The robot.
            bounds: Of its joints.
            smoothing_times: Of the joints (n,) [s].
            settings: Of the session.
            first_share: Share of its speed that the first approach takes.
            base: Follows the operator's own steps, for a controller that does.
            steps: Follows them as a path, for a robot that makes steps of its own.
        """
        self._share, self._base, self._steps = first_share, base, steps
        self.bounds = bounds
        usable = COMMAND_SHARE * bounds.acceleration
        self._limiter = CommandLimiter(body, replace(bounds, acceleration=usable))
        self._smoother = MinimumJerkFilter(smoothing_times)
        self._engage = settings.engage
        self._hold_braking = settings.safety.hold_braking
        self._approach: Approach | None = None
        self._neutral = body.neutral.q
        self.touched = np.zeros(len(self._neutral), dtype=np.int64)
        self.reset(self._neutral)

    def reset(self, q: Array) -> None:
        """Start at rest where the robot is (n,)."""
        self._limiter.reset(q)
        self._smoother.reset(self._limiter.q)
        if self._base is not None:
            self._base.reset()
        if self._steps is not None:
            self._steps.rest()
        self._approach, self._returning = None, False
        self.q, self._dq = self._limiter.q, self._limiter.dq
        self._ddq = np.zeros_like(self.q)

    def distance(self, target: Array) -> float:
        """Return how far the farthest joint is from a posture (n,) [rad]."""
        return float(np.abs(target - self.q).max(initial=0.0))

    def approach(self, target: Array) -> float:
        """Begin the way to a posture (n,) that may move; return its duration [s]."""
        self._returning = False
        speed = max(self._engage.approach_speed * self._share, SLOWEST)
        engage = replace(self._engage, approach_speed=speed)
        self._approach = Approach(self.q, target, self.bounds, engage)
        return self._approach.duration

    @property
    def arrived(self) -> bool:
        """Whether the way that was begun is over."""
        return self._approach is None or self._approach.over

    def follow(self, target: Array, dt: float, frame: RobotFrame | None = None) -> None:
        """Move towards a posture (n,) for `dt` [s].

        Args:
            target: The posture.
            dt: For how long.
            frame: Where the operator brings the base; None: it stands where it is.
        """
        if self._base is not None and frame is not None:
            self._base.follow(frame, dt)
        elif self._base is not None:
            self._base.home(dt)
        self._step(frame, dt)
        goal = target
        if self._approach is not None:
            goal = self._approach.step(target, dt)
            if self._approach.over:
                self._approach, self._share = None, 1.0
        self._count(self._limiter.step(self._smoother.step(goal, dt), dt), dt)

    def begin_return(self) -> bool:
        """Begin the way to neutral, unless it has begun; return whether it does now."""
        if self._returning:
            return False
        self.approach(self._neutral)
        self._returning = True
        return True

    def hold(self, dt: float) -> None:
        """Come to rest gently, then stay."""
        self._brake(dt, self._hold_braking)

    def stop(self, dt: float) -> None:
        """Come to rest as fast as the bounds allow, then stay."""
        self._brake(dt, 1.0)

    @property
    def braking_time(self) -> float:
        """How long a hold takes to come to rest [s]."""
        braking = self._hold_braking * self.bounds.acceleration
        return float((np.abs(self._dq) / braking).max(initial=0.0))

    def skip(self, dt: float) -> None:
        """Only brake in a turn that came late; the way goes on in the next."""
        self._rest(dt)
        self._count(self._limiter.brake(dt), dt)

    def _step(self, frame: RobotFrame | None, dt: float) -> None:
        """Follow the operator's steps, once the robot has the operator's posture."""
        if self._steps is None:
            return
        if frame is None or self._approach is not None:
            self._steps.rest()
        else:
            self._steps.follow(frame, dt)

    def _rest(self, dt: float) -> None:
        if self._base is not None:
            self._base.rest(dt)

    def _brake(self, dt: float, share: float) -> None:
        self._rest(dt)
        self._step(None, dt)
        self._approach, self._returning = None, False
        q = self._limiter.brake(dt, share)
        self._smoother.reset(q)
        self._count(q, dt)

    def _count(self, q: Array, dt: float) -> None:
        self.touched += self._limiter.touched
        self.q = q
        self._ddq = (self._limiter.dq - self._dq) / dt
        self._dq = self._limiter.dq

    def at(
        self, stamp: float, planted: tuple[bool, bool], walk: WalkCommand
    ) -> RobotReference:
        """Return the newest reference, with where the operator stands and walks."""
        return RobotReference(
            stamp=stamp,
            q=self.q,
            dq=self._dq,
            ddq=self._ddq,
            planted=planted if self._steps is None else self._steps.planted,
            walk=walk,
            base=None if self._base is None else self._base.value,
            path=None if self._steps is None else self._steps.value,
        )
