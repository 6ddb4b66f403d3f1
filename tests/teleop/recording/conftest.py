"""Turns of a real session: the built-in motion on the iCub, and a recording of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.robots.base.interface import (
    HandCommand,
    JointCommand,
    RobotFeedback,
    RobotState,
)
from telexist.teleop.recording.session_header import SessionHeader, start_header
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.controller_report import ControllerReport
from telexist.teleop.terms.device_sample import DeviceSample, Treadmill
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import Event, State, Tick
from telexist.teleop.terms.walk_command import WalkCommand

TURNS = 200
FINGERS = {"l_thumb": "rad", "l_index": "rad", "r_jaw": "m"}
RATE = 200.0  # [Hz] of the loop; frames come at a third of it


@pytest.fixture(scope="session")
def body(body_of: Callable[[str], RobotBody]) -> RobotBody:
    return body_of("icub")


@pytest.fixture(scope="session")
def clip() -> HumanClip:
    return builtin_clip(rate=RATE / 3)


@pytest.fixture(scope="session")
def ticks(body: RobotBody, clip: HumanClip) -> tuple[Tick, ...]:
    """Return a second of turns with everything in them."""
    retargeter = Retargeter(body, clip.size)
    return tuple(_ticks(retargeter, clip))


def _ticks(retargeter: Retargeter, clip: HumanClip) -> list[Tick]:
    rng = np.random.default_rng(4)
    n = retargeter.body.kinematics.n
    ticks, q = [], np.array(retargeter.body.neutral.q)
    for number in range(TURNS):
        stamp = 1000.0 + number / RATE + rng.uniform(0.0, 1e-4)
        frame = _frame(clip, number, stamp) if number % 3 == 0 else None
        targets = retargeter.step(frame) if frame is not None else None
        before, q = q, q if targets is None else 0.5 * (q + targets.q)
        dq = (q - before) * RATE
        ticks.append(
            Tick(
                number=number,
                stamp=stamp,
                period=1.0 / RATE + rng.normal() * 1e-5,
                state=State.ACTIVE,
                samples=_samples(number, stamp, frame),
                raw=frame,
                human=frame,
                targets=targets,
                reference=RobotReference(
                    stamp=stamp, q=q, dq=dq, ddq=dq * RATE, walk=WalkCommand(vx=0.25)
                ),
                command=JointCommand(
                    stamp=stamp, q=q, dq=dq, hands=_hands(rng, number)
                ),
                robot=_state(rng, n, stamp, q),
                report=ControllerReport(
                    values={
                        "com": rng.normal(size=3),
                        "footsteps": rng.normal(size=(number % 4, 4)),
                    }
                ),
                feedback=_feedback(rng, number, stamp),
                events=_events(number, stamp),
                stages=tuple(rng.uniform(0.0, 1e-3, size=6).tolist()),
                age=float("nan") if number == 0 else 0.01,
            )
        )
    return ticks


def _hands(rng: np.random.Generator, number: int) -> HandCommand:
    fingers = rng.normal(size=3) if number >= 30 else None
    return HandCommand(left=0.5, right=1.0, fingers=fingers)


def _frame(clip: HumanClip, number: int, stamp: float) -> HumanFrame:
    frame = clip.frame(60 + number // 3)
    return HumanFrame(
        stamp=stamp - 1e-3,
        segments=frame.segments,
        rotations=frame.rotations,
        angular_velocities=frame.angular_velocities,
        positions=frame.positions,
        linear_velocities=frame.linear_velocities,
        sequence=number,
        hand_points=_hand_points(number) if number % 2 else None,
    )


def _hand_points(number: int) -> np.ndarray:
    points = np.random.default_rng(number).normal(size=(2, 25, 3))
    points[0, :, 1] = np.nan if number % 5 == 0 else points[0, :, 1]
    return points


def _samples(
    number: int, stamp: float, frame: HumanFrame | None
) -> tuple[DeviceSample, ...]:
    samples = []
    if frame is not None:
        samples.append(DeviceSample(stamp=stamp - 1e-3, sequence=number, human=frame))
    if number % 50 == 10:
        samples.append(
            DeviceSample(
                stamp=stamp - 2e-3,
                walk=WalkCommand(vx=0.1, vy=-0.2, wz=number / 100),
                hands=HandCommand(left=0.25),
                treadmill=Treadmill(yaw=1.0, speed=0.5, direction=0.1, height=0.0),
                requests=(Request.HOLD, Request.ENGAGE),
                dead_man=True,
                dropped=(("late", 3),),
            )
        )
    return tuple(samples)


def _state(rng: np.random.Generator, n: int, stamp: float, q: np.ndarray) -> RobotState:
    return RobotState(
        stamp=stamp - 5e-4,
        q=q + rng.normal(size=n) * 1e-3,
        dq=rng.normal(size=n),
        tau=rng.normal(size=n),
        imu_acceleration=np.array([0.0, 0.0, 9.81]),
        imu_angular_velocity=rng.normal(size=3),
        imu_world_R_base=np.eye(3),
        foot_wrenches=rng.normal(size=(2, 6)),
        world_p_base=np.array([0.0, 0.0, 0.6]),
        world_R_base=np.eye(3),
    )


def _feedback(
    rng: np.random.Generator, number: int, stamp: float
) -> RobotFeedback | None:
    if number % 40 != 5:
        return None
    image = np.zeros((48, 64, 3), dtype=np.uint8)
    image[:, : number % 64] = (200, 30, 10)
    return RobotFeedback(stamp=stamp, image=image, hand_forces=rng.normal(size=2))


def _events(number: int, stamp: float) -> tuple[Event, ...]:
    if number % 70 != 20:
        return ()
    reason = 'joint "neck" – limit'
    return (Event(stamp=stamp, kind="limit", reason=reason, state=State.ACTIVE),)


@pytest.fixture(scope="session")
def header(body: RobotBody) -> SessionHeader:
    return replace(start_header(body, "Ada", fingers=FINGERS), stamp=1000.0)


@pytest.fixture(scope="session")
def session(
    ticks: tuple[Tick, ...],
    header: SessionHeader,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return a finished recording of all `ticks`, in many chunks."""
    path = tmp_path_factory.mktemp("session") / "session.mcap"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telexist.teleop.recording.session_recorder.MAX_CHUNK", 100_000)
        recorder = SessionRecorder(
            path, header, configuration="rate = 200\n", calibration="height = 1.7\n"
        )
        for tick in ticks:
            recorder.put(tick)
        recorder.close()
    assert recorder.problem is None
    return path
