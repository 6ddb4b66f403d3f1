"""From raw frames to postures of the robot: calibration, guard, retargeting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Protocol

from telexist.calibration import Capture, CapturePhase, CaptureStatus, OperatorProfile
from telexist.retarget.errors import BadFrame, QpFailed
from telexist.retarget.follow import TremorFilter
from telexist.retarget.human_size import HumanSize
from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.teleop.loop.shown_segments import ShownSegments
from telexist.teleop.safety import FrameVerdict, InputGuard
from telexist.teleop.settings import SafetySettings
from telexist.teleop.terms import Fault

__all__ = ["Follower", "OperatorMotion"]

GAP = 0.5  # [s] after such a gap the posture is found anew
SETTLING = 0.5  # [s] after which the first frames' noise is known and averaged


class Follower(Protocol):
    """What turns a person's frames into postures of the robot."""

    def reset(self) -> None:
        """Forget the motion so far."""

    def step(self, frame: HumanFrame) -> RobotFrame | None:
        """Follow one frame; None while there is no posture yet."""


MakeFollower = Callable[[OperatorProfile, HumanFrame], Follower]
"""Builds what follows an operator, for a source whose frames are like this one."""


class OperatorMotion:
    """The operator as the robot should see it.

    Attributes:
        profile: Of the operator, once there is one.
        human: The newest good frame after calibration, without tremor, or None.
        targets: The robot's posture for it, or None.
        refusal: Why the newest frame was not followed, or "".
        capture: Status of a calibration that is going on, or of the last one.
    """

    def __init__(
        self,
        make_follower: MakeFollower,
        settings: SafetySettings,
        executor: Executor | None = None,
        *,
        known_size: Callable[[], HumanSize | None] | None = None,
    ) -> None:
        """Start without an operator.

        Args:
            make_follower: Builds what follows an operator.
            settings: Of the guard.
            executor: One thread in which calibrations are computed, so that the loop
                need not wait; without it they are computed at once.
            known_size: Tells the operator's size, where the source knows it.
        """
        self._make_follower = make_follower
        self._executor = executor
        self._known_size = known_size or (lambda: None)
        self._updates: deque[Future[CaptureStatus]] = deque()
        self._guard = InputGuard(settings)
        self._filter = TremorFilter()
        self._patience = settings.missing_after
        self._incomplete_before = False
        self._capture: Capture | None = None
        self._follower: Follower | None = None
        self._shown: ShownSegments | None = None
        self.profile: OperatorProfile | None = None
        self.human: HumanFrame | None = None
        self.targets: RobotFrame | None = None
        self.refusal = ""
        self.capture: CaptureStatus | None = None

    def take_profile(self, profile: OperatorProfile) -> None:
        """Follow this operator from now on."""
        self.profile = profile
        self._follower = None
        self.human, self.targets = None, None
        self._incomplete_before, self.refusal = False, ""
        self._guard.reset()
        self._filter.reset()

    def start_capture(self, capture: Capture) -> None:
        """Calibrate with the frames to come."""
        self._capture, self.capture = capture, None
        self._updates.clear()

    def update_capture(
        self, raw: HumanFrame | None, now: float
    ) -> CaptureStatus | None:
        """Feed a calibration that is going on; return its status when it is over."""
        if self._capture is None:
            return None
        self._feed(self._capture, raw, now)
        if self.capture is None or not self.capture.over:
            return None
        self._capture = None
        self._updates.clear()
        if self.capture.phase is CapturePhase.DONE and self.capture.profile:
            self.take_profile(self.capture.profile)
        return self.capture

    def _feed(self, capture: Capture, raw: HumanFrame | None, now: float) -> None:
        if self._executor is None:
            self.capture = capture.update(raw, now, size=self._known_size())
            return

        def update() -> CaptureStatus:
            return capture.update(raw, now, size=self._known_size())

        self._updates.append(self._executor.submit(update))
        while self._updates and self._updates[0].done():
            self.capture = self._updates.popleft().result()
            if self.capture.over:
                return

    @property
    def notice(self) -> str:
        """What the operator should read while a calibration goes on, or ""."""
        if self._capture is None or self.capture is None:
            return ""
        if self.capture.phase is CapturePhase.COUNTING:
            return f"calibration: stand still in {self.capture.remaining:.0f} s"
        return f"calibration: stand still, {100.0 * self.capture.progress:.0f} %"

    @property
    def calibrating(self) -> bool:
        """Whether a calibration is going on."""
        return self._capture is not None

    def follow(self, raw: HumanFrame, *, moving: bool = False) -> FrameVerdict | None:
        """Follow a raw frame; `human` and `targets` are new if it was good.

        Args:
            raw: What the device said.
            moving: Whether the robot moves: then it goes on with the segments with
                which it was engaged, and a frame that lacks one is incomplete.

        Returns:
            None, or what is wrong; the frame was followed all the same if it is usable.
        """
        verdict = self._follow(raw, moving=moving)
        self.refusal = "" if verdict is None else verdict.reason
        return verdict

    def _follow(self, raw: HumanFrame, *, moving: bool) -> FrameVerdict | None:
        profile = self.profile
        if profile is None:
            return None
        try:
            frame = profile.apply(raw)
        except BadFrame as error:
            return self._incomplete(str(error), raw.stamp)
        verdict = self._guard.check(frame)
        if verdict is not None and not verdict.usable:
            return verdict
        shown = self._shown
        if moving and shown is not None and shown != ShownSegments.of(frame):
            return self._retarget_part(profile, frame, shown) or verdict
        return self._retarget(profile, frame) or verdict

    def _retarget_part(
        self, profile: OperatorProfile, frame: HumanFrame, shown: ShownSegments
    ) -> FrameVerdict | None:
        """Go on with what was shown when the robot was engaged."""
        missing = shown.missing_in(frame)
        if missing:
            return self._incomplete(f"not shown any more: {missing}", frame.stamp)
        return self._retarget(profile, shown.of_this_in(frame))

    def _incomplete(self, reason: str, stamp: float) -> FrameVerdict:
        """Pass a frame over; a second one is a fault if the last good one is old."""
        again, self._incomplete_before = self._incomplete_before, True
        last = stamp if self.human is None else self.human.stamp
        grave = again and stamp - last >= self._patience
        return FrameVerdict(kind=Fault.INCOMPLETE, reason=reason, grave=grave)

    def _retarget(
        self, profile: OperatorProfile, frame: HumanFrame
    ) -> FrameVerdict | None:
        shown = ShownSegments.of(frame)
        if self._follower is None or self._shown != shown:
            self._follower = self._make_follower(profile, frame)
            self._shown = shown
        elif self.human is not None and frame.stamp - self.human.stamp > GAP:
            self._follower.reset()
            self._filter.reset()
        frame = self._without_tremor(self._follower, frame)
        try:
            found = self._follower.step(frame)
        except BadFrame as error:
            return self._incomplete(str(error), frame.stamp)
        except QpFailed as error:
            self._follower.reset()
            return FrameVerdict(kind=Fault.SOLVER, reason=str(error), grave=True)
        self._incomplete_before = False
        if found is not None:
            self.human, self.targets = frame, found
        return None

    def _without_tremor(self, follower: Follower, frame: HumanFrame) -> HumanFrame:
        """Return a frame without tremor.

        Feet are planted where the first frame puts them. If that one trembled, they are
        planted anew as soon as a better one is there.
        """
        before = self._filter.age
        frame = self._filter.step(frame)
        if before <= SETTLING < self._filter.age and self._filter.trembles:
            follower.reset()
        return frame
