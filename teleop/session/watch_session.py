"""A session without a robot: a person is watched, estimated, shown and recorded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from telexist.calibration import OperatorProfile, profile_text
from telexist.retarget.errors import TelexistError
from telexist.retarget.signals import HumanFrame, RobotFrame
from telexist.robots.base import Check
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, make_device
from telexist.teleop.dynamics import LiveDynamics
from telexist.teleop.loop import OperatorInput, OperatorMotion, WatchLoop
from telexist.teleop.recording import (
    RecorderEvents,
    SessionRecorder,
    session_path,
    start_header,
)
from telexist.teleop.session.arm_robot import all_well
from telexist.teleop.session.operator import SessionOperator
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.settings import settings_text
from telexist.teleop.sinks import ProfileKeeper, SourceEnd, Summary, SummarySink
from telexist.teleop.terms import Request, TickSink
from telexist.teleop.viewers.live import LivePage, PageDevice

__all__ = ["WatchSession"]

_log = logging.getLogger(__name__)


class _Nobody:
    """What follows the person where there is no robot: every frame is good."""

    def reset(self) -> None:
        """Have nothing to forget."""

    def step(self, frame: HumanFrame) -> RobotFrame:
        """Return a posture of no joints."""
        none = np.zeros(0)
        return RobotFrame(
            stamp=frame.stamp,
            q=none,
            dq=none,
            world_p_base=np.zeros(3),
            world_R_base=np.eye(3),
            planted=(True, True),
        )


class WatchSession:
    """Runs a plan without its robot; `open`, `run`, `close`.

    Attributes:
        loop: The loop.
        page: The page, or None.
        recorder: The recording, or None.
        dynamics: Estimates the person's torques.
        title: Of the summary.
        touched: Joints at limits: there are none.
    """

    title = "a person"
    touched = ""

    def __init__(self, plan: SessionPlan, extra: Sequence[TickSink] = ()) -> None:
        """Make all parts; nothing is opened yet.

        Raises:
            TelexistError: If the plan cannot be carried out; with what to do.
        """
        self.plan, self._extra = plan, tuple(extra)
        self._caller = PageDevice("caller")
        self._source = make_device(plan.source, plan.devices)
        others = [make_device(text, plan.devices) for text in plan.inputs]
        self._devices: list[Device] = [self._source, *others, self._caller]
        self._operator = SessionOperator(plan, self._source)
        self.page = self._make_page() if plan.page else None
        if self.page is not None:
            self._devices.append(self.page.device)
        settings = plan.settings
        if self._source.traits.still:
            settings = settings.never_frozen()
        self._settings = settings
        self._calibrator = ThreadPoolExecutor(1, thread_name_prefix="calibration")
        self._waker = clock.Waker()
        self._summary = SummarySink()
        self.recorder: SessionRecorder | None = None
        self.loop = WatchLoop(
            devices=OperatorInput(self._devices),
            motion=OperatorMotion(
                lambda profile, frame: _Nobody(),
                settings.safety,
                self._calibrator,
                known_size=self._operator.known_size,
            ),
            settings=settings,
            make_capture=self._operator.capture,
        )
        self.dynamics = LiveDynamics(
            settings.dynamics, lambda: self.loop.motion.profile, settings.ergonomics
        )
        self.loop.dynamics = self.dynamics

    def request(self, request: Request) -> None:
        """Ask for something, as a button would; any thread may call this."""
        self._caller.push(request)

    def open(self, confirm: Callable[[list[Check]], bool] = all_well) -> list[str]:
        """Open everything; return lines that a user should read.

        Raises:
            TelexistError: If a part cannot be opened; the others are closed then.
        """
        try:
            return self._open()
        except BaseException:
            self.close()
            raise

    def run(self, duration: float = float("inf")) -> Summary:
        """Run until the plan's end, `duration` [s] or `loop.stop_soon`; sum it up."""
        try:
            self.loop.run(self._waker, min(duration, self.plan.duration))
        finally:
            self.close()
        return self.summary()

    def summary(self) -> Summary:
        """Return the figures so far."""
        return self._summary.summary()

    def close(self) -> None:
        """Close everything; may be called twice."""
        self._calibrator.shutdown(wait=False, cancel_futures=True)
        parts = [device.close for device in self._devices]
        parts += [sink.close for sink in self.loop.sinks]
        parts.append(self.dynamics.close)
        if self.page is not None:
            parts.append(self.page.close)
        for close in parts:
            try:
                close()
            except TelexistError:
                _log.exception("could not close a part of the session")

    def _open(self) -> list[str]:
        lines, known = list(self._operator.lines), self._operator.profile
        if self.page is not None:
            self.page.open()
            lines.append(f"page: {self.page.url}")
            if self.page.remote_url not in ("", self.page.url):
                lines.append(f"page, from another machine: {self.page.remote_url}")
        self.dynamics.open()
        sinks: list[TickSink] = [self._summary, *self._extra, self.dynamics]
        if self.plan.record is not None:
            told = RecorderEvents(self.loop.supervisor.note)
            self.recorder = self._make_recorder(self.plan.record, told)
            lines.append(f"recording: {self.recorder.path}")
            sinks += [self.recorder, told]
        if self.page is not None:
            sinks.append(self.page.sink)
        if self._operator.keep_as:
            sinks.append(self._make_keeper(known))
        end = self.loop.stop_soon if self.plan.end else None
        sinks.append(SourceEnd(self._source, self.request, end))
        self.loop.sinks = tuple(sinks)
        for device in self._devices:
            device.open(self._waker.wake)
            if manual := device.manual:
                lines.append(f"{device.name}: {manual}")
        if known is not None:
            name = known.operator or self._source.name
            self.loop.take_profile(known, f"person: {name}")
        elif self.plan.engage:
            self.request(Request.CALIBRATE)
        else:
            lines.append("nobody is calibrated: press Calibrate on the page")
        return lines

    def _make_page(self) -> LivePage:
        return LivePage(
            None,
            host=self.plan.host,
            port=self.plan.port,
            size=self._operator.size,
        )

    def _make_keeper(self, known: OperatorProfile | None) -> ProfileKeeper:
        return ProfileKeeper(
            self._operator.keep_as,
            lambda: self.loop.motion.profile,
            self.loop.supervisor.note,
            known=known,
        )

    def _make_recorder(self, folder: Path, told: RecorderEvents) -> SessionRecorder:
        known = self._operator.profile
        header = start_header(
            None,
            operator=known.operator if known else "",
            source=self.plan.source,
            deadline=self._source.deadline,
            still=self._source.traits.still,
            worn=self._source.traits.worn,
        )
        return SessionRecorder(
            session_path(folder, header),
            header,
            configuration=settings_text(self._settings),
            calibration=profile_text(known) if known else "",
            profile=self._profile_in_use,
            report=told.report,
        )

    def _profile_in_use(self) -> str:
        profile = self.loop.motion.profile
        return profile_text(profile) if profile else ""
