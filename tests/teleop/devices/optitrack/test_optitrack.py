"""NatNet: messages of every version, names of bones, and who is asked for what."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.teleop import clock
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.optitrack.motive_person import (
    from_motive,
    segments_of_bones,
)
from telexist.teleop.devices.optitrack.natnet import (
    Bone,
    Message,
    MocapFrame,
    Models,
    ModelSkeleton,
    ServerInfo,
    message_of,
    parse_frame,
    parse_models,
    parse_server,
)
from telexist.teleop.devices.optitrack.natnet_build import (
    build_frame,
    build_models,
    build_server,
)
from telexist.teleop.devices.optitrack.optitrack_stream import OptitrackStream
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.simulators.links.natnet_link import NatNetLink
from telexist.teleop.devices.simulators.senders.studio_senders import MotiveSender

VERSIONS = [(3, 0), (3, 1), (4, 0), (4, 1), (4, 2)]
POSE = np.array([0.25, 1.0, -0.5, 0.5, 0.5, 0.5, 0.5])


class Ear:
    """A device that is fed without a socket."""

    def __init__(self, **options: object) -> None:
        self.device = OptitrackStream(**options)
        self.refused: Counter[str] = Counter()

    def feed(self, *messages: bytes, stamp: float = 0.0) -> object:
        for data in messages:
            try:
                self.device.handle(data, stamp)
            except RefusedMessage as refusal:
                self.refused[refusal.reason] += 1
        return self.device.read()


@pytest.mark.parametrize("version", VERSIONS)
def test_frames_and_models_of_every_version_come_back(version: tuple[int, int]) -> None:
    frame = MocapFrame(
        number=7,
        time=12.5,
        changed=True,
        bodies={3: POSE},
        skeletons={1: {65537: POSE, 65538: 2.0 * POSE}},
        untracked=frozenset({65538}),
    )
    kind, payload = message_of(build_frame(frame, version))
    again = parse_frame(payload, version)
    assert kind == Message.FRAMEOFDATA
    assert (again.number, again.time, again.changed) == (7, 12.5, True)
    np.testing.assert_array_equal(again.skeletons[1][65537], POSE)
    np.testing.assert_array_equal(again.bodies[3], POSE)
    assert again.untracked == {65538}
    bones = (Bone(name="Hip", number=1), Bone(name="Ab", number=2, parent=1))
    models = Models(
        skeletons=(ModelSkeleton(name="Ann", number=4, bones=bones),),
        bodies=(Bone(name="Hat", number=9),),
    )
    _, payload = message_of(build_models(models, version))
    assert parse_models(payload, version) == models
    info = ServerInfo(name="Motive", version=version)
    assert parse_server(message_of(build_server(info))[1]) == info


@pytest.mark.parametrize("version", VERSIONS)
def test_another_reader_of_natnet_reads_the_same(version: tuple[int, int]) -> None:
    natnet = pytest.importorskip("natnet", reason="pip install natnet")
    from natnet.packet_buffer import PacketBuffer
    from natnet.version import Version

    frame = MocapFrame(number=7, time=12.5, skeletons={1: {65537: POSE}})
    data = build_frame(frame, version)
    theirs = natnet.DataFrame.read_from_buffer(
        PacketBuffer(data[4:]), Version(*version)
    )
    (bone,) = theirs.skeletons[0].rigid_bodies
    assert theirs.prefix.frame_number == 7 and theirs.suffix.timestamp == 12.5
    np.testing.assert_array_equal([*bone.pos, *bone.rot], POSE)


@pytest.mark.parametrize(
    ("names", "prefix"),
    [
        ("Hip Ab Chest LUArm LFArm LHand LThigh LShin LToe", ""),
        ("Hips Spine Spine1 *Arm *ForeArm *Hand *UpLeg *Leg *ToeBase", "Ann_"),
        ("Hips Chest Chest2 *Shoulder *Elbow *Wrist *Hip *Knee *Toe", "Ann:"),
        ("Ann Ab Chest LUArm LFArm LHand LThigh LShin LToe", ""),
    ],
)
def test_all_three_ways_to_name_bones_are_known(names: str, prefix: str) -> None:
    bones = tuple(
        Bone(name=prefix + name, number=k + 1, parent=min(k, 1))
        for k, name in enumerate(names.replace("*", "Left").split())
    )
    found = segments_of_bones(ModelSkeleton(name="Ann", number=1, bones=bones))
    wanted = "Pelvis L5 T8 *UpperArm *ForeArm *Hand *UpperLeg *LowerLeg *Toe"
    names = wanted.replace("*", "Left")
    assert [found[k + 1] for k in range(9)] == names.split()


def test_motives_axes_become_ours() -> None:
    # Facing z, with x to the left: a hand half a metre to the left and ahead.
    R, p = from_motive(np.array([0.5, 1.2, 0.3, 0.0, 0.0, 0.0, 1.0]))
    np.testing.assert_allclose(p, (0.3, 0.5, 1.2))
    np.testing.assert_allclose(R, np.eye(3), atol=1e-15)
    half = np.sin(0.2)  # turned about y up, to the left
    R, _ = from_motive(np.array([0.0, 0.0, 0.0, 0.0, half, 0.0, np.sqrt(1 - half**2)]))
    np.testing.assert_allclose(R[:, 0], (np.cos(0.4), np.sin(0.4), 0.0), atol=1e-12)


def test_it_asks_until_it_knows_and_says_that_it_is_there() -> None:
    device = OptitrackStream()
    sender = MotiveSender(version=(4, 1))
    info, models = sender.introduction()

    def kinds(now: float) -> list[int]:
        return [message_of(data)[0] for data in device.questions(now)]

    assert kinds(0.0) == [Message.CONNECT]
    assert kinds(0.1) == []
    assert kinds(0.6) == [Message.CONNECT]
    device.handle(info, 0.7)
    assert kinds(0.7) == [Message.KEEPALIVE, Message.REQUEST_MODELDEF]
    device.handle(models, 0.8)
    assert kinds(1.3) == [Message.KEEPALIVE]


def test_changed_models_are_asked_for_again(performance: HumanClip) -> None:
    ear, sender = Ear(), MotiveSender()
    poses = list(SimulatedOperator(performance, loop=False).poses())[:4]
    ear.feed(*sender.introduction())
    assert ear.feed(sender.frame(poses[0], 0)).human.segments == SEGMENTS
    kind, payload = message_of(sender.frame(poses[1], 1))
    changed = replace(parse_frame(payload, (4, 1)), changed=True)
    ear.feed(build_frame(changed, (4, 1)), stamp=0.02)
    assert ear.feed(sender.frame(poses[2], 2), stamp=0.04) is None  # not known any more
    ear.feed(*sender.introduction())
    assert ear.feed(sender.frame(poses[3], 3), stamp=0.06).human is not None
    assert kind == Message.FRAMEOFDATA


def test_a_bone_that_is_not_seen_and_an_unknown_skeleton_give_no_frame(
    performance: HumanClip,
) -> None:
    pose = next(SimulatedOperator(performance, loop=False).poses())
    ear, sender = Ear(), MotiveSender()
    ear.feed(*sender.introduction())
    _, payload = message_of(sender.frame(pose, 0))
    frame = parse_frame(payload, (4, 1))
    lost = replace(frame, untracked=frozenset({(1 << 16) | 3}))
    assert ear.feed(build_frame(lost, (4, 1))) is None
    gone = replace(frame, number=1, skeletons={})
    assert ear.feed(build_frame(gone, (4, 1)), stamp=0.02) is None
    assert ear.refused == {"untracked": 2}
    other = Ear(skeleton="Bob")
    other.feed(*sender.introduction())
    assert other.refused == {"untracked": 1}


def test_rigid_bodies_stand_for_what_they_are_worn_on() -> None:
    ear = Ear(bodies={"Hat": "Head", "L": "LeftHand", "R": "RightHand"})
    assert ear.device.traits.worn
    bodies = tuple(
        Bone(name=name, number=k) for k, name in enumerate(("Hat", "Box", "L", "R"))
    )
    ear.feed(
        build_server(ServerInfo(name="Motive", version=(3, 1))),
        build_models(Models(bodies=bodies), (3, 1)),
    )
    poses = {k: np.array([0.1 * k, 1.0, 0.0, 0, 0, 0, 1.0]) for k in range(4)}
    human = ear.feed(
        build_frame(MocapFrame(number=1, time=0.0, bodies=poses), (3, 1))
    ).human
    assert set(human.segments) == {"Head", "LeftHand", "RightHand"}
    left = human.positions[human.segments.index("LeftHand")]
    np.testing.assert_allclose(left, (0.0, 0.2, 1.0), atol=1e-6)
    with pytest.raises(UnknownName):
        OptitrackStream(bodies={"Hat": "Nose"})


def test_only_the_server_is_heard(performance: HumanClip) -> None:
    link = NatNetLink(("127.0.0.1", 0))
    device = OptitrackStream(port=link.port)
    device.open(lambda: None)
    sender, poses = MotiveSender(), SimulatedOperator(performance).poses()
    try:
        end = clock.now() + 60.0
        for k in itertools.count():
            for packet in (*sender.introduction(), sender.frame(next(poses), k)):
                link.send(packet)
            clock.sleep(0.02)
            sample = device.read()
            if sample is not None and sample.human is not None:
                break
            assert clock.now() < end
        device._server, device._address = "192.0.2.1", "192.0.2.1"
        device.source._address = "192.0.2.1"  # now this machine is a stranger
        while "stranger" not in dict((device.read() or sample).dropped):
            link.send(sender.frame(next(poses), k))
            clock.sleep(0.01)
            assert clock.now() < end
    finally:
        device.close()
        link.close()


def test_options_are_checked() -> None:
    device = make_device(
        "optitrack:192.168.0.9?multicast=&local=192.168.0.5&skeleton=Ann"
    )
    assert "multicast 239.255.42.99:1511" in device.manual
    assert "192.168.0.9:1510" in device.name
    for bad in ("multicast=10.0.0.1", "multicast=x", "colour=red", "data=x"):
        with pytest.raises((BadInput, UnknownName)):
            make_device(f"optitrack:127.0.0.1?{bad}")
