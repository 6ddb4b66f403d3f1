"""A session played as a device gives the samples of its devices again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadRecording, DeviceLost
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.robots.base.interface import HandCommand
from telexist.teleop import clock
from telexist.teleop.devices.players.session_player import (
    SessionPlayer,
    recorded_samples,
)
from telexist.teleop.recording.session_header import SessionHeader
from telexist.teleop.recording.session_reader import SessionReader
from telexist.teleop.recording.session_recorder import SessionRecorder
from telexist.teleop.terms.device_sample import DeviceSample, Provides, Treadmill
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.robot_reference import RobotReference
from telexist.teleop.terms.tick import State, Tick
from telexist.teleop.terms.walk_command import WalkCommand

PERIOD = 0.02  # [s]
COUNT = 20
HEADER = SessionHeader(robot="toy", joints=("a",), units=("rad",), stamp=500.0)


def samples_of(number: int) -> tuple[DeviceSample, ...]:
    stamp = 500.0 + number * PERIOD
    frame = replace(CLIP.frame(number), stamp=stamp, sequence=number)
    samples = [DeviceSample(stamp=stamp, sequence=number, human=frame)]
    if number == 7:
        samples.append(
            DeviceSample(
                stamp=stamp + 1e-3,
                walk=WalkCommand(vx=0.5, wz=-0.25),
                hands=HandCommand(left=1.0),
                treadmill=Treadmill(yaw=0.1, speed=0.2, direction=0.3, height=0.0),
                requests=(Request.ENGAGE, Request.HOLD),
                dead_man=True,
            )
        )
    return tuple(samples)


CLIP = builtin_clip(rate=50.0)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    def record(
        *, samples: bool = True, raw: bool = True, tail: int | None = None
    ) -> Path:
        path = tmp_path / "played.mcap"
        recorder = SessionRecorder(path, HEADER)
        q = np.zeros(1)
        for number in range(COUNT):
            said = samples_of(number)
            if number == tail:  # a segment that nobody has
                human = said[0].human
                assert human is not None
                strange = (*human.segments[:-1], "Tail")
                object.__setattr__(human, "segments", strange)
            recorder.put(
                Tick(
                    number=number,
                    stamp=said[0].stamp,
                    period=PERIOD,
                    state=State.ACTIVE,
                    samples=said if samples else (),
                    raw=said[0].human if raw else None,
                    reference=RobotReference(stamp=0.0, q=q, dq=q, ddq=q),
                )
            )
        recorder.close()
        return path

    return record


def test_samples_read_back_as_the_devices_gave_them(make: Callable[..., Path]) -> None:
    found = list(recorded_samples(SessionReader(make())))
    wanted = [sample for number in range(COUNT) for sample in samples_of(number)]
    assert len(found) == len(wanted)
    for sample, want in zip(found, wanted, strict=True):
        assert replace(sample, human=None) == replace(want, human=None)
        if want.human is None:
            assert sample.human is None
        else:
            assert sample.human is not None
            assert sample.human.stamp == want.human.stamp
            assert np.array_equal(sample.human.rotations, want.human.rotations)


def test_frames_alone_are_enough(make: Callable[..., Path]) -> None:
    player = SessionPlayer(make(samples=False))
    assert player.provides == {Provides.HUMAN}
    found = list(recorded_samples(player.reader))
    assert [sample.sequence for sample in found] == list(range(COUNT))


def test_playing_keeps_spacing_and_requests(make: Callable[..., Path]) -> None:
    player = SessionPlayer(make())
    assert player.provides == frozenset(Provides) - {Provides.FORCES}
    woken = threading.Semaphore(0)
    begin = clock.now()
    player.open(woken.release)
    player.open(woken.release)
    got: list[DeviceSample] = []
    while not got or got[-1].sequence != COUNT - 1:
        assert woken.acquire(timeout=60.0)
        sample = player.read()
        if sample is not None:
            got.append(sample)
    for _ in range(6000):
        if player.finished:
            break
        clock.sleep(0.01)
    assert player.finished
    player.close()
    player.close()
    stamps = {s.human.sequence: s.human.stamp for s in got if s.human is not None}
    numbers = np.array(list(stamps))
    offsets = np.array(list(stamps.values())) - numbers * PERIOD
    assert np.ptp(offsets) < 1e-9
    assert offsets[0] >= begin
    assert sum((s.requests for s in got), ()) == (Request.ENGAGE, Request.HOLD)
    walks = [s.walk for s in got if s.walk is not None]
    assert walks == [WalkCommand(vx=0.5, wz=-0.25)]
    assert player.read() is None


def test_requests_can_be_left_to_others(make: Callable[..., Path]) -> None:
    player = SessionPlayer(make(), requests=False)
    assert Provides.REQUESTS not in player.provides
    assert Provides.WALK in player.provides


def test_a_frame_that_is_no_persons_ends_the_playing_as_a_lost_device(
    make: Callable[..., Path], caplog: pytest.LogCaptureFixture
) -> None:
    player = SessionPlayer(make(tail=5))
    player.open(lambda: None)
    last = None
    with pytest.raises(DeviceLost, match=r"its reader has died: .*played\.mcap.*Tail"):
        for _ in range(6000):
            sample = player.read()
            last = last if sample is None else sample.sequence
            clock.sleep(0.01)
    assert last == 4
    assert player.finished
    player.close()
    assert [record.exc_info for record in caplog.records] == [None]


def test_a_session_without_input_is_refused(make: Callable[..., Path]) -> None:
    path = make(samples=False, raw=False)
    with pytest.raises(BadRecording, match="no input"):
        SessionPlayer(path)
