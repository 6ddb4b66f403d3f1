"""A live session: all parts made, wired, opened and closed in order."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from telexist.calibration import OperatorProfile, profile_text
from telexist.retarget.errors import TelexistError
from telexist.retarget.reach import choose_retargeter
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.signals import HumanFrame
from telexist.robots.backends import RobotOptions, make_robot
from telexist.robots.base import BeginsEarly, Check, NeedsArming, Robot
from telexist.robots.description import load_robot, robot_files
from telexist.robots.mujoco import drive_bounds
from telexist.robots.touch import HandEstimate
from telexist.teleop import clock
from telexist.teleop.controllers.base import Controller, Several
from telexist.teleop.controllers.hand_over import make_controllers, policies_of_words
from telexist.teleop.controllers.policy import policy_robot
from telexist.teleop.devices.base import Device, make_device
from telexist.teleop.dynamics import LiveDynamics
from telexist.teleop.loop import (
    BackgroundFollower,
    BaseMotion,
    Follower,
    HandMotion,
    OperatorInput,
    OperatorMotion,
    OwnSteps,
    ReferenceMaker,
    TeleopLoop,
    prefer_this_thread,
    treat_as_others,
)
from telexist.teleop.recording import (
    RecorderEvents,
    SessionRecorder,
    session_path,
    start_header,
)
from telexist.teleop.session.arm_robot import all_well, arm_if_confirmed
from telexist.teleop.session.operator import SessionOperator
from telexist.teleop.session.plan import SessionPlan
from telexist.teleop.session.walk_inputs import follows_own_steps, input_devices
from telexist.teleop.session.warm_up import warm_up
from telexist.teleop.settings import settings_text, smoothing_times
from telexist.teleop.sinks import (
    AutoEngage,
    DeviceTeller,
    ProfileKeeper,
    ScriptStart,
    SourceEnd,
    Summary,
    SummarySink,
    TimeEnd,
)
from telexist.teleop.terms import Provides, Request, TickSink
from telexist.teleop.viewers.live import LivePage, PageDevice
from telexist.teleop.watchdog import Watchdog

__all__ = ["Session", "SessionPlan"]

FREE_SHARE = 0.25  # of the time after which a loop is dead, if the robot may fall

_log = logging.getLogger(__name__)


class Session:
    """Runs a plan; `open`, `run`, `close`.

    Attributes:
        loaded: The robot's description.
        loop: The loop.
        page: The page, or None.
        recorder: The recording, or None.
        dynamics: Estimates the operator's torques, or None.
    """

    def __init__(self, plan: SessionPlan, extra: Sequence[TickSink] = ()) -> None:
        """Make all parts; nothing is opened yet.

        Raises:
            TelexistError: If the plan cannot be carried out; with what to do.
        """
        self.plan = plan
        self._caller = PageDevice("caller", program=True)
        self._source = make_device(plan.source, plan.devices)
        others = input_devices(plan)
        self._devices: list[Device] = [self._source, *others, self._caller]
        policies = policies_of_words(plan.controller)
        if policies:
            self.loaded = policy_robot(policies[0], plan.robot, plan.folders)
        else:
            self.loaded = load_robot(plan.robot, plan.folders)
        self._tracks = any(policy.tracks for policy in policies)
        self._operator = SessionOperator(plan, self._source)
        self._controller = make_controllers(
            plan.controller, self.loaded, plan.settings.posture
        )
        self.page = self._make_page() if plan.page else None
        if self.page is not None:
            self._devices.append(self.page.device)
        self._input = OperatorInput(self._devices)
        self._settings = plan.settings
        if self._source.traits.still:  # standing still is no fault there
            self._settings = plan.settings.never_frozen()
        self._waker = clock.Waker()
        self._calibrator = ThreadPoolExecutor(1, thread_name_prefix="calibration")
        safety = plan.settings.safety
        self._bounds = drive_bounds(
            self.loaded, speed=safety.speed, acceleration=safety.acceleration
        )
        self._robot = self._make_robot(self._controller)
        if isinstance(self._robot, NeedsArming):
            slow = np.minimum(self._bounds.velocity, self._robot.top_speed)
            self._bounds = replace(self._bounds, velocity=slow)
        self._summary = SummarySink(
            self._bounds if self._controller.base == "fixed" else None
        )
        self._hands = HandMotion(self.loaded)
        self.recorder: SessionRecorder | None = None
        self._extra = list(extra)
        self.loop = self._make_loop()
        self.dynamics = self._make_dynamics() if plan.dynamics else None
        self.loop.dynamics = self.dynamics
        self._watchdog = self._make_watchdog()
        self.loop.link.watchdog = self._watchdog

    @property
    def title(self) -> str:
        """Of the summary: what the robot is called."""
        return self.loaded.spec.title

    @property
    def touched(self) -> str:
        """Which joints met their limits, and in how many turns."""
        touched = self.loop.reference.touched
        joints = self.loaded.body.kinematics.joints
        order = sorted(range(len(joints)), key=lambda i: -int(touched[i]))
        found = [f"{joints[i]} ({touched[i]} turns)" for i in order[:8] if touched[i]]
        return ", ".join(found) or "none"

    @property
    def source(self) -> Device:
        """What shows the operator."""
        return self._source

    def request(self, request: Request) -> None:
        """Ask for something, as a button would; any thread may call this."""
        self._caller.push(request)

    def open(self, confirm: Callable[[list[Check]], bool] = all_well) -> list[str]:
        """Open everything; return lines that a user should read.

        Args:
            confirm: Asked before a robot that needs arming may move; sees what was
                found, and says whether it may.

        Raises:
            TelexistError: If a part cannot be opened; the others are closed then.
            RobotLost: If the robot is not ready, or nobody confirmed.
        """
        try:
            return self._open(confirm)
        except BaseException:
            self.close()
            raise

    def run(self, duration: float = float("inf")) -> Summary:
        """Run until the plan's end, `duration` [s] or `loop.stop_soon`; sum it up."""
        try:
            self.loop.run(self._waker, duration)
        finally:
            self.close()
        return self.summary()

    def summary(self) -> Summary:
        """Return the figures so far."""
        return self._summary.summary()

    def close(self) -> None:
        """Let the robot go, then everything else; may be called twice."""
        self._calibrator.shutdown(wait=False, cancel_futures=True)
        parts = [
            self._watchdog.stop,
            self._robot.disconnect,
            *(d.close for d in self._devices),
        ]
        parts += [sink.close for sink in self.loop.sinks]
        if self.page is not None:
            parts.append(self.page.close)
        for close in parts:
            try:
                close()
            except TelexistError:
                _log.exception("could not close a part of the session")
        treat_as_others()

    def _open(self, confirm: Callable[[list[Check]], bool]) -> list[str]:
        lines, known = list(self._operator.lines), self._operator.profile
        profile = known or OperatorProfile.identity(builtin_clip().size)
        if isinstance(self._robot, BeginsEarly):
            self._robot.begin()
        warm_up(lambda frame: self._retargeter(profile, frame))
        if self.page is not None:
            self.page.open()
            lines.append(f"page: {self.page.url}")
            if self.page.remote_url not in ("", self.page.url):
                lines.append(f"page, from another machine: {self.page.remote_url}")
        if self.dynamics is not None:
            self.dynamics.open()
        # Before any thread is begun: they inherit it, so that none that holds the
        # interpreter can be put aside while the loop waits.
        said = prefer_this_thread(real_time=self.plan.settings.loop.real_time)
        self.loop.supervisor.note("scheduling", said, clock.now())
        for reason in self._unused():
            self.loop.supervisor.note("walk_unused", reason, clock.now())
        self._robot.connect()
        if isinstance(self._robot, NeedsArming):
            arm_if_confirmed(self._robot, confirm)
        self._watchdog.start()
        sinks: list[TickSink] = [
            self._summary,
            DeviceTeller(self._devices),
            *self._extra,
        ]
        if self.dynamics is not None:
            sinks.append(self.dynamics)
        if self.plan.record is not None:
            told = RecorderEvents(self.loop.supervisor.note)
            self.recorder = self._make_recorder(self.plan.record, told)
            lines.append(f"recording: {self.recorder.path}")
            sinks += [self.recorder, told]
        if self.page is not None:
            sinks.append(self.page.sink)
        if self._operator.keep_as:
            sinks.append(self._make_keeper(self._operator.keep_as))
        if self.plan.engage or self._source.traits.played:
            sinks.append(self._make_auto_engage())
        end = self.loop.stop_soon if self.plan.end else None
        sinks.append(SourceEnd(self._source, self.request, end))
        sinks.append(TimeEnd(self.plan.duration, self.request, self.loop.stop_soon))
        sinks.append(ScriptStart(self._devices))
        self.loop.sinks = tuple(sinks)
        for device in self._devices:
            device.open(self._waker.wake)
            if manual := device.manual:
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
            obstacle=lambda: self.loop.engage_conditions(clock.now()).obstacle(),
        )

    def _unused(self) -> list[str]:
        """Say which devices give walking commands that nobody follows."""
        if self._controller.walks:
            return []
        names = [d.name for d in self._devices if Provides.WALK in d.provides]
        no_use = f"the {self.plan.controller} controller does not walk"
        return [f"{name}: {no_use}; use --controller walk" for name in names]

    def _make_robot(self, controller: Controller) -> Robot:
        options = RobotOptions(
            now=clock.now,
            sleep=clock.sleep,
            balances=controller.base == "free",
            camera=self.plan.camera or any(d.traits.shows for d in self._devices),
            wishes=self.plan.settings.camera,
            bounds=self._bounds,
            period=1.0 / self.plan.settings.loop.rate,
            real_time=self.plan.settings.loop.real_time,
        )
        return make_robot(self.plan.backend, self.loaded, options)

    def _make_watchdog(self) -> Watchdog:
        stalled = self.plan.settings.safety.stalled
        free = self._controller.base == "free"
        return Watchdog(
            self._robot,
            deadline=stalled * (FREE_SHARE if free else 1.0),
            stands=robot_files(self.loaded) if free else None,
            real_time=self.plan.settings.loop.real_time,
        )

    def _make_dynamics(self) -> LiveDynamics:
        settings = self.plan.settings
        return LiveDynamics(
            settings.dynamics, lambda: self.loop.motion.profile, settings.ergonomics
        )

    def _make_page(self) -> LivePage:
        return LivePage(
            self.loaded,
            host=self.plan.host,
            port=self.plan.port,
            size=self._operator.size,
            several=isinstance(self._controller, Several),
        )

    def _make_loop(self) -> TeleopLoop:
        settings = self._settings
        body = self.loaded.body
        times = smoothing_times(self.loaded, settings.smoothing)
        steps = BaseMotion(body.neutral, float(np.median(times)))
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
            reference=ReferenceMaker(
                body,
                self._bounds,
                times,
                settings,
                first_share=self._first_share(),
                base=steps if self._tracks else None,
                steps=OwnSteps(body) if follows_own_steps(self.plan) else None,
            ),
            settings=settings,
            make_capture=self._operator.capture,
            hands=self._hands,
            touch=HandEstimate(self.loaded),
        )

    def _first_share(self) -> float:
        """Return the share of its speed that the first approach takes."""
        robot = self._robot
        return robot.first_speed if isinstance(robot, NeedsArming) else 1.0

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
            still=self._source.traits.still,
            worn=self._source.traits.worn,
            fingers=self._finger_units(),
        )
        return SessionRecorder(
            session_path(folder, header),
            header,
            configuration=settings_text(self._settings),
            calibration=profile_text(known) if known else "",
            profile=self._profile_in_use,
            report=told.report,
        )

    def _finger_units(self) -> dict[str, str]:
        kinds = {j: self.loaded.urdf.joints[j].kind for j in self._hands.joints}
        return {j: "m" if kind == "prismatic" else "rad" for j, kind in kinds.items()}

    def _profile_in_use(self) -> str:
        profile = self.loop.motion.profile
        return profile_text(profile) if profile else ""
