"""XTLP: what is taken, what is not, and the sender for computers with IsaacTeleop."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from telexist.launch_scripts.isaac_sender import datagram
from telexist.retarget.errors import BadInput
from telexist.retarget.recordings.isaac import JOINTS
from telexist.retarget.signals import HumanClip
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.sample_counter import RESTART_AFTER
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.isaac.isaac_stream import IsaacStream
from telexist.teleop.devices.isaac.xtlp import XtlpFrame, build_xtlp, parse_xtlp
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.senders.body24_senders import body24


@pytest.fixture
def frames(performance: HumanClip) -> list[XtlpFrame]:
    poses = itertools.islice(SimulatedOperator(performance, loop=False).poses(), 12)
    return [
        XtlpFrame(number=k, time=p.time, body=body24(p, hands=False))
        for k, p in enumerate(poses)
    ]


class Ear:
    """A device that is fed without a socket."""

    def __init__(self) -> None:
        self.device = IsaacStream(port=0)
        self.refused: Counter[str] = Counter()

    def feed(self, frame: XtlpFrame, stamp: float) -> object:
        try:
            self.device.handle(build_xtlp(frame), stamp)
        except RefusedMessage as refusal:
            self.refused[refusal.reason] += 1
        return self.device.read()


def test_a_datagram_is_820_bytes_as_mvn_sends_it(frames: list[XtlpFrame]) -> None:
    data = build_xtlp(frames[3])
    assert len(data) == 820
    again = parse_xtlp(data)
    assert again.number == 3
    assert again.time == pytest.approx(frames[3].time, abs=6e-4)  # whole milliseconds
    np.testing.assert_allclose(
        again.body.positions, frames[3].body.positions, atol=1e-6
    )
    assert again.body.unseen == ()  # hands are never needed


def test_velocities_are_differences_by_the_senders_time(
    frames: list[XtlpFrame],
) -> None:
    ear = Ear()
    for k, frame in enumerate(frames):  # arrivals tremble by 4 ms either way
        sample = ear.feed(frame, 0.02 * k + 0.004 * (-1) ** k)
    dt = round(frames[-1].time, 3) - round(frames[-2].time, 3)
    way = sample.human.positions[0] - from_positions(frames[-2])
    np.testing.assert_allclose(sample.human.linear_velocities[0], way / dt, atol=1e-3)


def from_positions(frame: XtlpFrame) -> np.ndarray:
    x, y, z = frame.body.positions[0]
    return np.array([-z, -x, y])


def test_twice_late_and_restarted_frames(frames: list[XtlpFrame]) -> None:
    ear = Ear()
    for k in (0, 1, 2):
        assert ear.feed(frames[k], 0.02 * k).human is not None
    ear.feed(frames[2], 0.05)
    ear.feed(frames[1], 0.06)
    assert ear.refused == {"duplicate": 1, "late": 1}
    ear.feed(replace(frames[0], number=0), 0.07)
    assert ear.refused["late"] == 2  # a new session is believed after a silence
    sample = ear.feed(replace(frames[0], number=0), 0.07 + RESTART_AFTER)
    assert sample.human is not None
    assert not sample.human.angular_velocities.any()


def test_a_joint_that_is_not_seen_gives_no_frame(frames: list[XtlpFrame]) -> None:
    ear = Ear()
    valid = frames[0].body.valid.copy()
    valid[JOINTS.index("left_knee")] = False
    unseen = replace(frames[0], body=replace(frames[0].body, valid=valid))
    assert ear.feed(unseen, 0.0) is None
    assert ear.refused == {"untracked": 1}


@pytest.mark.parametrize("spoil", ["nan", "far", "quat", "short", "magic", "long"])
def test_what_is_no_person_is_refused(frames: list[XtlpFrame], spoil: str) -> None:
    body = frames[0].body
    positions, quats = body.positions.copy(), body.quats_xyzw.copy()
    positions[4] = {"nan": np.nan, "far": 2000.0}.get(spoil, positions[4])
    if spoil == "quat":
        quats[4] *= 0.5
    data = build_xtlp(
        replace(frames[0], body=replace(body, positions=positions, quats_xyzw=quats))
    )
    data = {"short": data[:-1], "magic": b"XXLP" + data[4:], "long": data + b"\0"}.get(
        spoil, data
    )
    with pytest.raises(RefusedMessage):
        IsaacStream(port=0).handle(data, 0.0)


def test_the_sender_of_a_computer_with_isaacteleop_writes_the_same() -> None:
    random = np.random.default_rng(1)
    p, q = random.normal(size=(24, 3)), random.normal(size=(24, 4))

    def joint(k: int) -> SimpleNamespace:
        position = SimpleNamespace(x=p[k, 0], y=p[k, 1], z=p[k, 2])
        turned = SimpleNamespace(x=q[k, 0], y=q[k, 1], z=q[k, 2], w=q[k, 3])
        pose = SimpleNamespace(position=position, orientation=turned)
        return SimpleNamespace(pose=pose, is_valid=k < 22)

    body = SimpleNamespace(joints=SimpleNamespace(joints=joint))
    frame = parse_xtlp(datagram(body, 7, 123_456_789))
    assert frame.number == 7
    assert frame.time == pytest.approx(0.123)
    np.testing.assert_allclose(frame.body.positions, p, atol=1e-6)
    np.testing.assert_allclose(frame.body.quats_xyzw, q, atol=1e-6)
    assert frame.body.valid.sum() == 22


def test_options_are_checked_and_nobody_beyond_this_machine_is_heard() -> None:
    assert make_device("isaac:0").name == "isaac on 127.0.0.1:0"
    with pytest.raises(BadInput):
        make_device("isaac:0?sender=nobody")
    with pytest.raises(BadInput):
        make_device("isaac:99999")
