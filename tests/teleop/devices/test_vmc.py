"""VMC: axes, kinematics along the bones, and where a frame ends."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import rotation_z
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.senders.vmc_sender import VmcSender
from telexist.teleop.devices.vmc.osc import build_bundle, build_osc
from telexist.teleop.devices.vmc.vmc_stream import VmcStream
from telexist.teleop.terms.device_sample import DeviceSample

HALF = math.sqrt(0.5)
BODY = {  # local positions in Unity's axes: x right, y up, z ahead [m]
    "Hips": (0.0, 1.0, 0.0),
    "Spine": (0.0, 0.1, 0.0),
    "Chest": (0.0, 0.1, 0.0),
    "Neck": (0.0, 0.2, 0.0),
    "Head": (0.0, 0.1, 0.0),
    "LeftUpperArm": (-0.2, 0.15, 0.0),
    "LeftLowerArm": (-0.3, 0.0, 0.0),
    "LeftHand": (-0.25, 0.0, 0.0),
    "RightUpperArm": (0.2, 0.15, 0.0),
    "RightLowerArm": (0.3, 0.0, 0.0),
    "RightHand": (0.25, 0.0, 0.0),
}
STILL = (0.0, 0.0, 0.0, 1.0)  # quaternion x, y, z, w


class Ear:
    """A VMC device that is fed without a socket."""

    def __init__(self, **options: object) -> None:
        self.device = VmcStream(port=0, **options)
        self.refused: Counter[str] = Counter()

    def feed(self, *datagrams: bytes, stamp: float = 0.0) -> DeviceSample | None:
        for data in datagrams:
            try:
                self.device.handle(data, stamp)
            except RefusedMessage as refusal:
                self.refused[refusal.reason] += 1
        return self.device.read()


def bone(name: str, position: tuple, quat_xyzw: tuple = STILL) -> bytes:
    return build_osc("/VMC/Ext/Bone/Pos", name, *position, *quat_xyzw)


def frame(time: float | None = None, **turned: tuple) -> bytes:
    packets = [bone(n, p, turned.get(n, STILL)) for n, p in BODY.items()]
    if time is not None:
        packets.insert(0, build_osc("/VMC/Ext/T", time))
    return build_bundle(packets)


def seen(sample: DeviceSample, segment: str) -> tuple[np.ndarray, np.ndarray]:
    k = sample.human.segments.index(segment)
    return sample.human.rotations[k], sample.human.positions[k]


def test_a_left_arm_ahead_stays_a_left_arm_ahead() -> None:
    ear = Ear()
    # In Unity +90 degrees about y (up) turns -x (left) to z (ahead)
    ahead = frame(LeftUpperArm=(0.0, HALF, 0.0, HALF))
    ear.feed(ahead)
    sample = ear.feed(ahead, stamp=0.02)
    R, shoulder = seen(sample, "LeftUpperArm")
    np.testing.assert_allclose(R @ [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(shoulder, [0.0, 0.2, 1.35], atol=1e-6)
    _, wrist = seen(sample, "LeftHand")
    np.testing.assert_allclose(wrist, [0.55, 0.2, 1.35], atol=1e-6)
    _, other = seen(sample, "RightHand")
    np.testing.assert_allclose(other, [0.0, -0.75, 1.35], atol=1e-6)


def test_the_root_moves_and_turns_everything() -> None:
    ear = Ear()
    # a quarter to the left is -90 degrees about y in Unity
    root = build_osc("/VMC/Ext/Root/Pos", "root", 0.0, 0.0, 2.0, 0.0, -HALF, 0.0, HALF)
    ear.feed(build_bundle([root, frame()]))
    sample = ear.feed(build_bundle([root, frame()]))
    R, pelvis = seen(sample, "Pelvis")
    np.testing.assert_allclose(R, rotation_z(np.pi / 2), atol=1e-6)
    np.testing.assert_allclose(pelvis, [2.0, 0.0, 1.0], atol=1e-6)
    _, wrist = seen(sample, "LeftHand")  # left of a person who faces left: behind
    np.testing.assert_allclose(wrist, [2.0 - 0.75, 0.0, 1.35], atol=1e-6)


def test_missing_bones_turn_with_their_parents_and_legs_are_left_out() -> None:
    ear = Ear()
    bent = frame(Chest=(HALF, 0.0, 0.0, HALF))
    ear.feed(bent)
    sample = ear.feed(bent)
    assert not [name for name in sample.human.segments if "Leg" in name]
    chest, _ = seen(sample, "T12")
    np.testing.assert_array_equal(seen(sample, "T8")[0], chest)
    np.testing.assert_array_equal(seen(sample, "LeftShoulder")[0], chest)
    np.testing.assert_array_equal(seen(sample, "L3")[0], seen(sample, "L5")[0])
    assert not np.allclose(chest, np.eye(3), atol=0.5)


def test_bones_without_lengths_give_no_positions() -> None:
    ear = Ear()
    flat = build_bundle([bone(name, (0.0, 0.0, 0.0)) for name in BODY])
    ear.feed(flat)
    assert ear.feed(flat).human.positions is None


def test_one_message_a_datagram_works_too() -> None:
    ear = Ear()
    packets = [bone(n, p) for n, p in BODY.items()]
    ear.feed(*packets)
    assert ear.feed(packets[0]) is not None  # the first frame ends as the second begins
    assert ear.feed(*packets[1:-1]) is None
    assert ear.feed(packets[-1]) is not None  # the second with its last bone


def test_a_frame_that_lost_a_datagram_is_dropped(performance: HumanClip) -> None:
    poses = list(SimulatedOperator(performance, loop=False).poses())
    sender = VmcSender(max_bytes=700)
    ear = Ear()
    for k in range(3):
        sample = ear.feed(*sender.messages(poses[k]), stamp=k / 60)
    assert sample.human is not None
    ear.feed(*sender.messages(poses[3])[1:], stamp=3 / 60)
    sample = ear.feed(*sender.messages(poses[4]), stamp=4 / 60)
    assert dict(sample.dropped) == {"unfinished": 1}
    assert sample.human is not None


def test_a_source_that_sends_less_from_now_on_is_followed() -> None:
    ear = Ear()
    ear.feed(frame(), frame())
    shorter = build_bundle([bone(n, p) for n, p in list(BODY.items())[:8]])
    assert ear.feed(shorter) is None
    for _ in range(3):
        sample = ear.feed(shorter)
    assert sample is not None and "RightHand" not in sample.human.segments


def test_late_and_repeated_datagrams_are_dropped() -> None:
    ear = Ear()
    ear.feed(frame(1.0))
    assert ear.feed(frame(1.1), stamp=0.1) is not None
    assert ear.feed(frame(1.1), stamp=0.1) is None
    assert ear.feed(frame(1.05), stamp=0.11) is None
    assert ear.refused == {"duplicate": 1, "late": 1}
    assert ear.feed(frame(1.12), stamp=0.12) is not None


def test_devices_alone_give_head_hands_and_waist(performance: HumanClip) -> None:
    poses = list(SimulatedOperator(performance, loop=False, frames="n-pose").poses())
    sender, ear = VmcSender(send="devices"), Ear()
    ear.feed(*sender.messages(poses[0]))
    sample = ear.feed(*sender.messages(poses[1]))
    assert sample.human.segments == ("Pelvis", "Head", "RightHand", "LeftHand")
    for name in sample.human.segments:
        R, p = seen(sample, name)
        i = SEGMENT_INDEX[name]
        np.testing.assert_allclose(R, poses[1].rotations[i], atol=1e-6)
        np.testing.assert_allclose(p, poses[1].positions[i], atol=1e-6)


def device(address: str, serial: str, x: float) -> bytes:
    return build_osc(f"/VMC/Ext/{address}/Pos", serial, x, 1.2, 0.0, *STILL)


def test_two_nameless_controllers_are_told_apart_by_their_side() -> None:
    ear = Ear()
    packets = [device("Con", "LHR-1", 0.3), device("Con", "LHR-2", -0.3)]
    both = build_bundle([device("Hmd", "H", 0.0), *packets])
    ear.feed(both)
    sample = ear.feed(both)
    assert seen(sample, "RightHand")[1][1] == pytest.approx(-0.3)
    crossed = [device("Con", "LHR-1", -0.3), device("Con", "LHR-2", 0.3)]
    sample = ear.feed(build_bundle([device("Hmd", "H", 0.0), *crossed]))
    assert seen(sample, "RightHand")[1][1] == pytest.approx(0.3)  # arms crossed


def test_the_users_table_of_trackers_comes_first() -> None:
    ear = Ear(trackers={"LHR-9": "LeftFoot"})
    both = build_bundle([device("Hmd", "H", 0.0), device("Tra", "LHR-9", -0.1)])
    ear.feed(both)
    assert "LeftFoot" in ear.feed(both).human.segments
    with pytest.raises(UnknownName, match="Foot"):
        VmcStream(trackers={"a": "Fot"})


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (bone("Hips", (math.nan, 0.0, 0.0)), "nan"),
        (bone("Hips", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, math.inf)), "nan"),
        (bone("Hips", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.1)), "malformed"),
        (bone("Hips", (0.0, 2000.0, 0.0)), "malformed"),
        (build_osc("/VMC/Ext/Bone/Pos", "Hips", 0.0), "malformed"),
        (build_osc("/VMC/Ext/Bone/Pos", *[0.0] * 8), "malformed"),
        (build_osc("/VMC/Ext/T", "now"), "malformed"),
        (build_osc("/VMC/Ext/T", math.nan), "nan"),
    ],
)
def test_a_bad_message_spoils_its_datagram(packet: bytes, reason: str) -> None:
    ear = Ear()
    ear.feed(frame(), frame())
    assert ear.feed(build_bundle([frame(), packet])) is None
    assert ear.refused == {reason: 1}
    assert ear.feed(frame()) is not None


def test_all_other_messages_are_ignored() -> None:
    ear = Ear()
    others = [
        build_osc("/VMC/Ext/OK", 1, 3, 0),
        build_osc("/VMC/Ext/Blend/Val", "Joy", 0.5),
        build_osc("/VMC/Ext/Blend/Apply"),
        bone("LeftIndexProximal", (0.0, 0.0, 0.0)),
    ]
    ear.feed(build_bundle([frame(), *others]))
    sample = ear.feed(build_bundle([frame(), *others]))
    assert set(sample.human.segments) < set(SEGMENTS) and not ear.refused
