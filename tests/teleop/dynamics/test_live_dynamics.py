"""The estimate beside a session: its process, its messages, its death."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from telexist.calibration import OperatorProfile
from telexist.retarget.ergonomics import ErgonomicSettings
from telexist.retarget.errors import BadFrame
from telexist.retarget.person_dynamics import SCORES, GroundForces, PersonDynamics
from telexist.retarget.recordings.builtin import builtin_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanFrame
from telexist.teleop.dynamics import DynamicsNote, LiveDynamics
from telexist.teleop.dynamics.completed_person import CompletedPerson
from telexist.teleop.dynamics.dynamics_messages import (
    decode_forces,
    decode_frame,
    decode_person,
    encode_forces,
    encode_frame,
    encode_person,
)
from telexist.teleop.settings import DynamicsSettings
from telexist.teleop.terms import DeviceSample, Fault, State, Tick

CLIP = builtin_clip()
PROFILE = OperatorProfile.identity(CLIP.size)
HEADSET = ("Pelvis", "Head", "LeftHand", "RightHand")


def forces(stamp: float) -> GroundForces:
    wrench = np.zeros((2, 6))
    wrench[:, 2] = 343.0 + np.random.default_rng(int(1e4 * stamp)).normal(size=2)
    return GroundForces(
        stamp=stamp,
        wrench=wrench,
        deviation=np.tile([np.inf, np.inf, 5.0, np.inf, np.inf, np.inf], (2, 1)),
    )


def tick(k: int) -> Tick:
    frame = CLIP.frame(k)
    return Tick(
        number=k,
        stamp=frame.stamp,
        period=0.0167,
        state=State.CALIBRATED,
        human=frame,
        samples=(DeviceSample(stamp=frame.stamp, forces=forces(frame.stamp)),),
    )


def shown(segments: tuple[str, ...], k: int) -> HumanFrame:
    frame = CLIP.frame(k)
    rows = [SEGMENTS.index(name) for name in segments]
    assert frame.positions is not None
    return replace(
        frame,
        segments=segments,
        rotations=frame.rotations[rows],
        angular_velocities=frame.angular_velocities[rows],
        positions=frame.positions[rows],
        linear_velocities=None,
    )


@pytest.fixture
def live() -> Iterator[LiveDynamics]:
    live = LiveDynamics(DynamicsSettings(mass=70.0), lambda: PROFILE)
    live.open()
    yield live
    live.close()
    live.close()


def until(found: Callable[[], bool], seconds: float = 180.0) -> None:
    """Wait; a busy machine compiles slowly."""
    pause, waited = threading.Event(), 0.0
    while not found():
        assert waited < seconds
        pause.wait(0.02)
        waited += 0.02


@pytest.mark.slow
def test_estimates_come_back_and_say_of_when_they_are(live: LiveDynamics) -> None:
    got: list[PersonDynamics] = []
    notes: list[DynamicsNote] = []
    began: list[int] = []

    def begins() -> bool:
        notes.extend(live.take_notes())
        return any("begins" in note.text for note in notes)

    def enough() -> bool:
        began.append(1)
        live.put(tick(len(began)))
        got.extend(live.take())
        return len(got) > 20

    until(begins)
    until(enough)
    newest = got[-1]
    assert newest.mass == 70.0
    assert 0.05 < newest.lag < 0.08
    assert newest.measured.all()
    assert newest.foot_wrenches[:, 2].sum() == pytest.approx(70.0 * 9.81, abs=40.0)
    assert np.isfinite(newest.torques_sd).all()
    scores = dict(zip(SCORES, newest.scores, strict=True))
    assert scores["rula"] in range(1, 8) and scores["reba"] in range(1, 16)
    assert 100.0 < scores["lumbar_compression"] < 3000.0
    assert scores["lumbar_compression_sd"] > 0.0
    assert scores["lifts"] == 0.0 and np.isnan(scores["lifting_index"])


@pytest.mark.slow
def test_its_death_is_told_and_nothing_else_happens(live: LiveDynamics) -> None:
    assert live.process_id is not None
    os.kill(live.process_id, signal.SIGKILL)
    notes: list[DynamicsNote] = []

    def told() -> bool:
        live.put(tick(1))
        notes.extend(live.take_notes())
        return bool(notes)

    until(told)
    assert notes[0].kind is Fault.DYNAMICS_LOST
    assert "goes on without" in notes[0].text
    live.put(tick(2))
    assert live.take() == ()


def test_messages_say_what_was_put_into_them() -> None:
    frame = CLIP.frame(100)
    again = decode_frame(encode_frame(frame))
    assert again.stamp == frame.stamp and again.sequence == frame.sequence
    assert again.segments == frame.segments
    assert np.array_equal(again.rotations, frame.rotations)
    assert again.positions is not None and frame.positions is not None
    assert np.array_equal(again.positions, frame.positions)
    bare = replace(frame, positions=None, linear_velocities=None)
    assert decode_frame(encode_frame(bare)).positions is None
    felt = forces(1.0)
    back = decode_forces(encode_forces(felt))
    assert np.array_equal(back.wrench, felt.wrench)
    assert np.array_equal(back.deviation, felt.deviation)
    assert math.isnan(back.source_time) and not back.in_world
    judged = ErgonomicSettings(lever=0.05, strength={"hip extension": 180.0})
    asked = decode_person(encode_person(CLIP.size, DynamicsSettings(mass=61.0), judged))
    assert asked.settings == DynamicsSettings(mass=61.0)
    assert asked.ergonomics == judged
    assert np.array_equal(asked.size.joints["Head"], CLIP.size.joints["Head"])


def test_a_headset_s_person_is_completed_by_the_inverse_kinematics() -> None:
    body = CompletedPerson(CLIP.size)
    whole = CLIP.frame(400)
    assert body.complete(whole) is whole
    for k in range(400, 404):
        found = body.complete(shown(HEADSET, k))
    assert found.segments == SEGMENTS
    head, pelvis = SEGMENTS.index("Head"), SEGMENTS.index("Pelvis")
    for link in (head, pelvis):
        turn = found.rotations[link].T @ CLIP.frame(403).rotations[link]
        assert np.degrees(np.arccos((np.trace(turn) - 1.0) / 2.0)) < 15.0
    with pytest.raises(BadFrame, match="nobody can be placed"):
        body.complete(shown(("LeftHand",), 400))
