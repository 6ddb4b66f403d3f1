"""A session run again through the same loop gives the same references."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from telexist.calibration.capture import Capture
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import profile_text
from telexist.calibration.source_traits import ALIGNED
from telexist.launch_scripts.telexist import main
from telexist.retarget.errors import BadRecording
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.reach.choose import choose_retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.retarget.so3 import exp_so3, rotation_z
from telexist.robots.base.interface import (
    JointCommand,
    Robot,
    RobotFeedback,
    RobotState,
)
from telexist.robots.description.robot_model import load_robot
from telexist.robots.mujoco.drive_accelerations import drive_bounds
from telexist.teleop.controllers.base.interface import Controller
from telexist.teleop.loop.background_follower import BackgroundFollower
from telexist.teleop.loop.operator_input import OperatorInput
from telexist.teleop.loop.operator_motion import Follower, OperatorMotion
from telexist.teleop.loop.reference_maker import ReferenceMaker
from telexist.teleop.loop.teleop_loop import TeleopLoop
from telexist.teleop.recording.replay.recompute import RecordedParts, recompute
from telexist.teleop.recording.replay.recompute_session import check_session
from telexist.teleop.recording.session_header import start_header
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.settings.settings import EngageSettings, SessionSettings
from telexist.teleop.settings.settings_text import settings_from_text, settings_text
from telexist.teleop.settings.smoothing_times import smoothing_times
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import DeviceSample, Provides
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference

SETTINGS = SessionSettings(engage=EngageSettings(approach=0.3))
ASKED = {
    40: Request.ENGAGE,
    300: Request.HOLD,
    340: Request.ENGAGE,
    500: Request.STOP,
    540: Request.RESET,
    580: Request.ENGAGE,
}
TURNS = 700


class Person:
    """The built-in operator at 60 Hz, in the test's own time."""

    name, deadline = "the test's person", 0.1
    provides = frozenset({Provides.HUMAN, Provides.REQUESTS})

    def __init__(self, clip: HumanClip) -> None:
        self.now, self.turn, self._clip, self._sent = 0.0, 0, clip, -1

    def open(self, wake: Callable[[], None]) -> None: ...

    def read(self) -> DeviceSample | None:
        asked = (ASKED[self.turn],) if self.turn in ASKED else ()
        index = int(self.now * 60.0)
        frame = None
        if index != self._sent and not 420 <= self.turn < 450:  # a gap: stale
            self._sent = index
            frame = self._clip.frame(index % len(self._clip))
            frame = dataclasses.replace(frame, stamp=self.now - 1e-3, sequence=index)
        if frame is None and not asked:
            return None
        return DeviceSample(
            stamp=self.now - 1e-3, sequence=index, human=frame, requests=asked
        )

    def show(self, feedback: RobotFeedback) -> None: ...

    def close(self) -> None: ...


class Servo:
    """Robot and controller in one: joints go where they are sent, with a lag."""

    base, period, fallen = "fixed", 0.005, None

    def __init__(self, body: RobotBody) -> None:
        self.body, self.now = body, 0.0
        self._q = np.array(body.neutral.q) + 0.05
        self._goal = self._q

    def connect(self) -> None: ...

    def read_state(self) -> RobotState | None:
        if self.now < 0.02:
            return None
        self._q = self._q + 0.3 * (self._goal - self._q)
        zeros = np.zeros(len(self._q))
        return RobotState(
            stamp=self.now,
            q=self._q,
            dq=zeros,
            tau=zeros,
            imu_acceleration=np.zeros(3),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=np.eye(3),
            foot_wrenches=np.zeros((2, 6)),
        )

    def send(self, command: JointCommand) -> JointCommand:
        self._goal = command.q
        return command

    def read_feedback(self) -> RobotFeedback | None:
        return None

    def disconnect(self) -> None: ...

    def reset(self, state: RobotState) -> None: ...

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        return JointCommand(stamp=reference.stamp, q=reference.q, dq=reference.dq)

    def report(self) -> ControllerReport:
        return ControllerReport(values={})


def make_loop(
    devices: OperatorInput,
    robot: Robot,
    controller: Controller,
    settings: SessionSettings,
) -> TeleopLoop:
    body = robot.body

    def follower(profile: OperatorProfile, frame: HumanFrame) -> Follower:
        return Retargeter(body, profile.size)

    def capture() -> Capture:
        raise AssertionError("nobody asked for a calibration")

    icub = load_robot("icub")
    times = smoothing_times(icub, settings.smoothing)
    return TeleopLoop(
        devices=devices,
        robot=robot,
        controller=controller,
        motion=OperatorMotion(follower, settings.safety),
        reference=ReferenceMaker(body, drive_bounds(icub), times, settings),
        settings=settings,
        make_capture=capture,
    )


@pytest.fixture(scope="module")
def driven(body: RobotBody, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the recording of a session with engagements, faults and a stop."""
    clip = builtin_clip(rate=60.0)
    person, servo = Person(clip), Servo(body)
    loop = make_loop(OperatorInput([person]), servo, servo, SETTINGS)
    profile = OperatorProfile.identity(clip.size)
    header = start_header(body, source="builtin", deadline=person.deadline)
    recorder = SessionRecorder(
        tmp_path_factory.mktemp("driven") / "driven.mcap",
        dataclasses.replace(header, stamp=0.0),
        configuration=settings_text(SETTINGS),
        calibration=profile_text(profile),
    )
    loop.sinks = (recorder,)
    loop.take_profile(profile, "operator")
    rng = np.random.default_rng(3)
    now, states = 0.0, set()
    for turn in range(TURNS):
        now += rng.uniform(0.004, 0.006)
        person.now = servo.now = now
        person.turn = turn
        states.add(loop.turn(now).state.value)
    recorder.close()
    assert {"calibrated", "engaging", "active", "holding", "stopped"} <= states
    return recorder.path


def recorded_loop(parts: RecordedParts) -> TeleopLoop:
    return make_loop(parts.input, parts.robot, parts.controller, SETTINGS)


def test_the_same_session_gives_the_same_references_to_the_last_bit(
    driven: Path, body: RobotBody
) -> None:
    found = recompute(SessionReader(driven), body, recorded_loop)
    assert found.turns == TURNS
    assert found.exact, found


def test_a_session_says_itself_how_it_was_made(driven: Path) -> None:
    assert check_session(SessionReader(driven), load_robot("icub")).exact


def test_another_robot_is_refused(driven: Path) -> None:
    with pytest.raises(BadRecording, match="name its robot"):
        check_session(SessionReader(driven), load_robot("human66"))


def test_the_command_says_how_equal(
    driven: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(driven), "--check"]) == 0
    said = capsys.readouterr().out
    assert f"{TURNS} turns run again, 0 missing" in said
    assert f"same references: {TURNS} turns to the last bit" in said


def test_other_settings_give_other_references_and_say_where(
    driven: Path, body: RobotBody
) -> None:
    slower = dataclasses.replace(SETTINGS, engage=EngageSettings(approach=0.5))
    found = recompute(
        SessionReader(driven),
        body,
        lambda p: make_loop(p.input, p.robot, p.controller, slower),
    )
    assert not found.exact and found.references > 1e-3
    assert found.first is not None and 40 <= found.first <= 60
    assert found.targets == 0.0


def test_a_cut_session_is_exact_as_far_as_it_goes(
    driven: Path, body: RobotBody, tmp_path: Path
) -> None:
    data = driven.read_bytes()
    path = tmp_path / "cut.mcap"
    path.write_bytes(data[: len(data) - 5000])
    found = recompute(SessionReader(path), body, recorded_loop)
    assert found.exact


class Standing(Person):
    """Somebody turned to the left who stands until calibrated, then moves."""

    def __init__(self, clip: HumanClip) -> None:
        super().__init__(clip)
        self._random = np.random.default_rng(5)

    def read(self) -> DeviceSample | None:
        index = int(self.now * 60.0)
        if index == self._sent:
            return None
        self._sent = index
        shown = max(0, index - 180) % len(self._clip)
        frame, noise = self._clip.frame(shown), self._random.normal(0.0, 1e-5, (23, 3))
        turned = rotation_z(0.7) @ frame.rotations @ exp_so3(noise)
        frame = dataclasses.replace(
            frame, stamp=self.now - 1e-3, sequence=index, rotations=turned
        )
        wanted = {60: Request.CALIBRATE, 200: Request.ENGAGE}.get(index)
        return DeviceSample(
            stamp=self.now - 1e-3,
            sequence=index,
            human=frame,
            requests=(wanted,) if wanted else (),
        )


@pytest.mark.parametrize("search", ["in the loop", "beside the loop"])
def test_a_calibration_within_a_session_is_taken_as_and_when_it_was(
    body: RobotBody, tmp_path: Path, search: str
) -> None:
    clip, icub = builtin_clip(rate=60.0), load_robot("icub")
    person, servo = Standing(clip), Servo(body)
    with ThreadPoolExecutor(1) as executor:

        def follower(profile: OperatorProfile, frame: HumanFrame) -> Follower:
            shown = frame.segments
            found = choose_retargeter(body, profile.size, shown, placed=True)
            beside = search == "beside the loop"
            return BackgroundFollower(found, executor) if beside else found

        motion = OperatorMotion(
            follower,
            SETTINGS.safety,
            executor,
            known_size=lambda: adult_size(1.6),  # which no recording tells
        )
        loop = TeleopLoop(
            devices=OperatorInput([person]),
            robot=servo,
            controller=servo,
            motion=motion,
            reference=ReferenceMaker(
                body,
                drive_bounds(icub),
                smoothing_times(icub, SETTINGS.smoothing),
                SETTINGS,
            ),
            settings=SETTINGS,
            make_capture=lambda: Capture(
                countdown=0.1, duration=1.0, source="xsens", traits=ALIGNED
            ),
        )
        header = start_header(body, source="xsens", deadline=person.deadline)
        recorder = SessionRecorder(
            tmp_path / "calibrated.mcap",
            dataclasses.replace(header, stamp=0.0),
            configuration=settings_text(SETTINGS),
            profile=lambda: profile_text(motion.profile) if motion.profile else "",
        )
        loop.sinks = (recorder,)
        states = set()
        for turn in range(1, 1000):
            person.now = servo.now = turn * 0.005
            states.add(loop.turn(person.now).state.value)
            if motion.calibrating or turn % 50 == 0:
                executor.submit(int).result()  # what was asked for is computed
        recorder.close()
    assert {"idle", "calibrated", "engaging", "active"} <= states
    found = check_session(SessionReader(recorder.path), icub)
    assert found.exact, found


def test_settings_read_back_from_their_text(driven: Path) -> None:
    assert settings_from_text(SessionReader(driven).text("configuration")) == SETTINGS
    other = dataclasses.replace(SETTINGS.never_frozen(), reactions={"jump": "stop"})
    assert settings_from_text(settings_text(other)) == other
    assert settings_from_text("") == SessionSettings()
