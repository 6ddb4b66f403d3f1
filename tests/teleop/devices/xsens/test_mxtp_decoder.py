"""From MVN's messages to frames: order, velocities, units, people."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from telexist.retarget.signals import HumanClip
from telexist.teleop.devices.base.mailbox import Mailbox
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.sample_counter import RESTART_AFTER
from telexist.teleop.devices.person.simulated_operator import (
    OperatorPose,
    SimulatedOperator,
)
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender
from telexist.teleop.devices.xsens.mxtp_decoder import MxtpDecoder
from telexist.teleop.devices.xsens.mxtp_sample import PATIENCE
from telexist.teleop.terms.device_sample import DeviceSample

FLOAT32 = 2e-6  # rotations and metres after float32 on the wire


class Wire:
    """Feeds a decoder with the messages of a performance."""

    def __init__(self, clip: HumanClip, sender: MvnSender, **options: int) -> None:
        operator = SimulatedOperator(clip, loop=False)
        self.poses: list[OperatorPose] = list(operator.poses())
        self.sender, self.size = sender, operator.size
        self.mailbox = Mailbox()
        self.decoder = MxtpDecoder(self.mailbox, **options)
        self.refused: Counter[str] = Counter()

    def messages(self, k: int, sample: int | None = None) -> tuple[bytes, ...]:
        number = k if sample is None else sample
        return self.sender.messages(self.poses[k], number, self.size)

    def feed(self, *messages: bytes, stamp: float = 0.0) -> DeviceSample | None:
        for message in messages:
            try:
                self.decoder.handle(message, stamp)
            except RefusedMessage as refusal:
                self.refused[refusal.reason] += 1
        return self.mailbox.take()


@pytest.fixture
def wire(performance: HumanClip) -> Wire:
    return Wire(performance, MvnSender(kinds=("02",)))


def test_late_samples_are_dropped_and_repeated_ones_too(wire: Wire) -> None:
    assert wire.feed(*wire.messages(5)).sequence == 5
    assert wire.feed(*wire.messages(4)) is None
    assert wire.feed(*wire.messages(5)) is None
    assert wire.feed(*wire.messages(6)).sequence == 6
    assert wire.refused == {"late": 1, "duplicate": 1}


def test_a_restarted_source_is_taken_after_a_silence(wire: Wire) -> None:
    wire.feed(*wire.messages(5, sample=5000), stamp=1.0)
    assert wire.feed(*wire.messages(6, sample=0), stamp=1.1) is None
    sample = wire.feed(*wire.messages(7, sample=1), stamp=1.1 + RESTART_AFTER)
    assert sample is not None and sample.sequence == 1
    assert not sample.human.angular_velocities.any()  # no difference over a restart


def test_lost_samples_are_counted(wire: Wire) -> None:
    for k in (0, 1, 2, 6):
        sample = wire.feed(*wire.messages(k), stamp=k / 60)
    assert dict(sample.dropped) == {"lost": 3}


def test_velocities_are_differences_where_none_are_sent(wire: Wire) -> None:
    for k in range(3):
        sample = wire.feed(*wire.messages(k), stamp=k / 60)
    period = round(1000 * wire.poses[2].time) - round(1000 * wire.poses[1].time)
    turned = wire.poses[2].rotations[:, :, 0]
    before = wire.poses[1].rotations[:, :, 0]
    moved = np.cross(sample.human.angular_velocities * period / 1000.0, before)
    # to first order the difference turns each axis as it really turned
    np.testing.assert_allclose(before + moved, turned, atol=2e-3)
    true = wire.poses[2].linear_velocities
    np.testing.assert_allclose(sample.human.linear_velocities, true, atol=0.1)
    assert np.abs(true).max() > 0.3


def test_sent_velocities_are_used(performance: HumanClip) -> None:
    wire = Wire(performance, MvnSender(kinds=("02", "21", "22")))
    wire.feed(*wire.messages(0))
    sample = wire.feed(*wire.messages(1), stamp=1 / 60)
    pose = wire.poses[1]
    for name in ("angular_velocities", "linear_velocities"):
        value = getattr(sample.human, name)
        np.testing.assert_allclose(value, getattr(pose, name), rtol=1e-6, atol=1e-6)


def test_a_pose_is_made_of_21_and_22_alone(performance: HumanClip) -> None:
    wire = Wire(performance, MvnSender(kinds=("22", "21")))
    sample = wire.feed(*wire.messages(3))
    np.testing.assert_allclose(
        sample.human.rotations, wire.poses[3].rotations, atol=FLOAT32
    )
    np.testing.assert_allclose(
        sample.human.positions, wire.poses[3].positions, atol=FLOAT32
    )


def test_a_sample_waits_for_its_usual_messages_but_not_for_ever(
    performance: HumanClip,
) -> None:
    wire = Wire(performance, MvnSender(kinds=("02", "22")))
    wire.feed(*wire.messages(0))
    pose, turning = wire.messages(1)
    assert wire.feed(pose) is None
    assert wire.feed(turning).sequence == 1
    pose, _ = wire.messages(2)  # the rest is lost
    assert wire.feed(pose) is None
    assert wire.feed(wire.messages(3)[0]).sequence == 3  # and 2 just before it
    assert wire.feed(wire.messages(4)[0]).sequence == 4  # no longer waited for


def test_another_kind_of_pose_does_not_stand_in_for_a_lost_one(
    performance: HumanClip,
) -> None:
    wire = Wire(performance, MvnSender(kinds=("02", "21")))
    other = MvnSender(kinds=("01",))
    wire.feed(*wire.messages(0))
    assert wire.feed(*wire.messages(1)).sequence == 1
    for k in range(2, 2 + PATIENCE - 1):
        assert wire.feed(*other.messages(wire.poses[k], k, wire.size)) is None
    for k in range(2 + PATIENCE - 1, 2 + PATIENCE + 2):
        sample = wire.feed(*other.messages(wire.poses[k], k, wire.size))
    assert sample is not None  # the source has really changed


@pytest.mark.parametrize("kind", ["01", "02", "05", "21"])
@pytest.mark.parametrize("unit", ["m", "cm"])
def test_units_are_found_from_the_bones(
    performance: HumanClip, kind: str, unit: str
) -> None:
    kinds = (kind,) if kind != "21" else ("22", "21")
    wire = Wire(performance, MvnSender(kinds=kinds, unit=unit))
    sample = wire.feed(*wire.messages(3))
    assert wire.decoder.scale == {"m": 1.0, "cm": 0.01}[unit]
    np.testing.assert_allclose(
        sample.human.positions, wire.poses[3].positions, atol=FLOAT32
    )


def test_a_person_lying_on_the_floor_is_still_in_centimetres(wire: Wire) -> None:
    wire.sender = dataclasses.replace(wire.sender, unit="cm")
    pose = wire.poses[0]
    low = pose.positions - [0.0, 0.0, pose.positions[0, 2] - 0.05]
    wire.poses[0] = dataclasses.replace(pose, positions=low)
    sample = wire.feed(*wire.messages(0))
    np.testing.assert_allclose(sample.human.positions, low, atol=FLOAT32)


def test_one_of_several_people_is_followed(performance: HumanClip) -> None:
    first = Wire(performance, MvnSender(kinds=("02",), character=1))
    second = MvnSender(kinds=("02",), character=2)
    assert first.feed(*first.messages(0)) is not None
    other = second.messages(first.poses[9], 1, first.size)
    assert first.feed(*other) is None
    assert first.feed(*first.messages(1)).sequence == 1
    chosen = Wire(performance, second, character=2)
    assert chosen.feed(*first.messages(0)) is None
    assert chosen.feed(*chosen.messages(0)) is not None


def test_size_name_and_centre_of_mass_are_kept(performance: HumanClip) -> None:
    wire = Wire(performance, MvnSender(kinds=("12", "13", "02", "24"), name="Ana"))
    wire.feed(*wire.messages(0))
    assert wire.decoder.names == {0: "Ana"}
    size = wire.decoder.people[0].size()
    for name, joint in performance.size.joints.items():
        np.testing.assert_allclose(size.joints[name], joint, atol=1e-6)
    for name, tip in performance.size.tips.items():
        np.testing.assert_allclose(size.tips[name], tip, atol=1e-6)
    com = wire.poses[0].positions.mean(axis=0)
    np.testing.assert_allclose(wire.decoder.com, com, atol=1e-6)


def test_parts_that_never_come_give_no_pose(performance: HumanClip) -> None:
    wire = Wire(performance, MvnSender(kinds=("02",), parts=3))
    assert wire.feed(*wire.messages(0)).sequence == 0
    a, _, c = wire.messages(1)
    assert wire.feed(a, c) is None
    sample = wire.feed(*wire.messages(2))
    assert sample.sequence == 2 and dict(sample.dropped) == {"unfinished": 1}
    np.testing.assert_allclose(
        sample.human.rotations, wire.poses[2].rotations, atol=FLOAT32
    )


@pytest.mark.parametrize(
    ("shift", "reason"), [(2000.0, "malformed"), (np.nan, "nan"), (0.9, "malformed")]
)
def test_absurd_positions_are_refused(wire: Wire, shift: float, reason: str) -> None:
    positions = wire.poses[0].positions.copy()
    positions[[14] if shift < 1 else slice(None)] += shift  # one hand, or everything
    wire.poses[0] = dataclasses.replace(wire.poses[0], positions=positions)
    assert wire.feed(*wire.messages(0)) is None
    assert wire.refused == {reason: 1}
