"""A live session: all parts made, wired, opened and closed in order."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

from calibration.operator_profile import OperatorProfile
from calibration.profile_file import profile_text
from retarget.errors import TelexistError
from retarget.reach.choose import choose_retargeter
from retarget.recordings.builtin import builtin_clip
from retarget.signals import HumanFrame
from robots.body import load_robot
from robots.drive_accelerations import drive_bounds
from robots.head_camera import HeadCamera
from robots.interface import Robot
from robots.mujoco_model import Mount
from robots.sensors import SensorNoise
from robots.table import backend_class
from teleop import clock
from teleop.auto_engage import AutoEngage
from teleop.background_follower import BackgroundFollower
from teleop.controllers.interface import Controller
from teleop.controllers.table import make_controller
from teleop.devices.interface import Device, Provides, Request, manual_of
from teleop.devices.only_kinds import whole_device
from teleop.devices.table import make_device
from teleop.loop import TeleopLoop
from teleop.operator_input import OperatorInput
from teleop.operator_motion import Follower, OperatorMotion
from teleop.profile_keeper import ProfileKeeper
from teleop.real_time import prefer_this_thread, treat_as_others
from teleop.recording.recorder_events import RecorderEvents
from teleop.recording.session_header import start_header
from teleop.recording.session_recorder import SessionRecorder, session_path
from teleop.reference_maker import ReferenceMaker
from teleop.script_start import ScriptStart
from teleop.session_operator import SessionOperator
from teleop.session_plan import SessionPlan
from teleop.settings_text import settings_text
from teleop.smoothing_times import smoothing_times
from teleop.source_end import SourceEnd
from teleop.summary import Summary, SummarySink
from teleop.tick import TickSink
from teleop.time_end import TimeEnd
from teleop.viewers.live_page import LivePage
from teleop.viewers.page_device import PageDevice
from teleop.warm_up import warm_up

__all__ = ["Session", "SessionPlan"]

_log = logging.getLogger(__name__)


class Session:
    """Runs a plan; `open`, `run`, `close`.

    Attributes:
        loaded: The robot's description.
        loop: The loop.
        page: The page, or None.
        recorder: The recording, or None.
    """

    def __init__(self, plan: SessionPlan, extra: Sequence[TickSink] = ()) -> None:
        """Make all parts; nothing is opened yet.

        Raises:
            TelexistError: If the plan cannot be carried out; with what to do.
        """
        self.plan = plan
        self._caller = PageDevice("caller")
        self._source = make_device(plan.source, plan.devices)
        others = [make_device(text, plan.devices) for text in plan.inputs]
        self._devices: list[Device] = [self._source, *others, self._caller]
        self.loaded = load_robot(plan.robot, plan.folders)
        self._operator = SessionOperator(plan, self._source)
        self.page = self._make_page() if plan.page else None
        if self.page is not None:
            self._devices.append(self.page.device)
        self._input = OperatorInput(self._devices)
        self._controller = make_controller(
            plan.controller, self.loaded, plan.settings.posture
        )
        self._settings = plan.settings
        if self._operator.recorded:  # standing still is no fault there
            self._settings = plan.settings.never_frozen()
        self._waker = clock.Waker()
        self._calibrator = ThreadPoolExecutor(1, thread_name_prefix="calibration")
        safety = plan.settings.safety
        self._bounds = drive_bounds(
            self.loaded, speed=safety.speed, acceleration=safety.acceleration
        )
        self._robot = self._make_robot(self._controller)
        self._summary = SummarySink(
            self._bounds if self._controller.base == "fixed" else None
        )
        self.recorder: SessionRecorder | None = None
        self._extra = list(extra)
        self.loop = self._make_loop()

    def request(self, request: Request) -> None:
        """Ask for something, as a button would; any thread may call this."""
        self._caller.push(request)

    def open(self) -> list[str]:
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
            self.loop.run(self._waker, duration)
        finally:
            self.close()
        return self._summary.summary()

    def close(self) -> None:
        """Let the robot go, then everything else; may be called twice."""
        self._calibrator.shutdown(wait=False, cancel_futures=True)
        parts = [self._robot.disconnect, *(d.close for d in self._devices)]
        parts += [sink.close for sink in self.loop.sinks]
        if self.page is not None:
            parts.append(self.page.close)
        for close in parts:
            try:
                close()
            except TelexistError:
                _log.exception("could not close a part of the session")
        treat_as_others()

    def _open(self) -> list[str]:
        lines, known = list(self._operator.lines), self._operator.profile
        profile = known or OperatorProfile.identity(builtin_clip().size)
        warm_up(lambda frame: self._retargeter(profile, frame))
        if self.page is not None:
            self.page.open()
            lines.append(f"page: {self.page.url}")
            if self.page.remote_url not in ("", self.page.url):
                lines.append(f"page, from another machine: {self.page.remote_url}")
        # Before any thread is begun: they inherit it, so that none that holds the
        # interpreter can be put aside while the loop waits.
        said = prefer_this_thread(real_time=self.plan.settings.loop.real_time)
        self.loop.supervisor.note("scheduling", said, clock.now())
        for reason in self._unused():
            self.loop.supervisor.note("walk_unused", reason, clock.now())
        self._robot.connect()
        sinks: list[TickSink] = [self._summary, *self._extra]
        if self.plan.record is not None:
            told = RecorderEvents(self.loop.supervisor.note)
            self.recorder = self._make_recorder(self.plan.record, told)
            lines.append(f"recording: {self.recorder.path}")
            sinks += [self.recorder, told]
        if self.page is not None:
            sinks.append(self.page.sink)
        if self._operator.keep_as:
            sinks.append(self._make_keeper(self._operator.keep_as))
        if self.plan.engage:
            sinks.append(self._make_auto_engage())
        end = self.loop.stop_soon if self.plan.end else None
        sinks.append(SourceEnd(whole_device(self._source), self.request, end))
        sinks.append(TimeEnd(self.plan.duration, self.request, self.loop.stop_soon))
        sinks.append(ScriptStart(self._devices))
        self.loop.sinks = tuple(sinks)
        for device in self._devices:
            device.open(self._waker.wake)
            if manual := manual_of(device):
                lines.append(f"{device.name}: {manual}")
        if known is not None:
            name = known.operator or self._source.name
            self.loop.take_profile(known, f"operator: {name}")
        return lines

    def _make_keeper(self, operator: str) -> ProfileKeeper:
        return ProfileKeeper(
            operator,
            lambda: self.loop.motion.profile,
            self.loop.supervisor.note,
            known=self._operator.profile,
        )

    def _make_auto_engage(self) -> AutoEngage:
        others = [device for device in self._devices if device is not self._caller]
        asks = self._operator.asks
        return AutoEngage(
            self.request,
            calibrate=self._operator.profile is None and Request.CALIBRATE not in asks,
            begin=Request.ENGAGE not in asks,
            again=self._operator.only_one(others),
            why_not=lambda: self.loop.why_not_engage(clock.now()),
        )

    def _unused(self) -> list[str]:
        """Say which devices give walking commands that nobody follows."""
        if self._controller.walks:
            return []
        names = [d.name for d in self._devices if Provides.WALK in d.provides]
        no_use = f"the {self.plan.controller} controller does not walk"
        return [f"{name}: {no_use}; use --controller walk" for name in names]

    def _make_robot(self, controller: Controller) -> Robot:
        make = backend_class(self.plan.backend)
        if self.plan.backend != "mujoco":
            return cast(Robot, make(self.loaded, now=clock.now))
        held: Mount = "fixed" if self.loaded.body.fixed_base else "pole"
        free = controller.base == "free"
        mount: Mount = "free" if free else held
        camera = None
        if self.plan.camera:
            camera = HeadCamera(self.loaded, now=clock.now, mount=mount)
        robot = make(
            self.loaded,
            now=clock.now,
            sleep=clock.sleep,
            mount=mount,
            noise=SensorNoise() if free else None,
            camera=camera,
            bounds=self._bounds,
            period=1.0 / self.plan.settings.loop.rate,
        )
        return cast(Robot, robot)

    def _make_page(self) -> LivePage:
        return LivePage(
            self.loaded,
            host=self.plan.host,
            port=self.plan.port,
            size=self._operator.size,
        )

    def _make_loop(self) -> TeleopLoop:
        settings = self._settings
        body = self.loaded.body
        times = smoothing_times(self.loaded, settings.smoothing)
        return TeleopLoop(
            devices=self._input,
            robot=self._robot,
            controller=self._controller,
            motion=OperatorMotion(
                self._follower,
                settings.safety,
                self._calibrator,
                known_size=self._operator.known_size,
            ),
            reference=ReferenceMaker(body, self._bounds, times, settings),
            settings=settings,
            make_capture=self._operator.capture,
        )

    def _follower(self, profile: OperatorProfile, frame: HumanFrame) -> Follower:
        follower = self._retargeter(profile, frame)
        if self._controller.base == "free":  # the robot balances meanwhile
            return BackgroundFollower(follower, self._calibrator)
        return follower

    def _retargeter(self, profile: OperatorProfile, frame: HumanFrame) -> Follower:
        return choose_retargeter(
            self.loaded.body,
            profile.size,
            frame.segments,
            placed=frame.positions is not None,
        )

    def _make_recorder(self, folder: Path, told: RecorderEvents) -> SessionRecorder:
        known = self._operator.profile
        header = start_header(
            self.loaded.body,
            operator=known.operator if known else "",
            source=self.plan.source,
            deadline=self._source.deadline,
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
