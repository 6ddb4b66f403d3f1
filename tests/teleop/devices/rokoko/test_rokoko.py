"""Rokoko Studio: LZ4, both versions of its JSON, its axes and its gloves.

`PACKED` was written by lz4 4.4.5; 300 further frames of it, of all its options, came
out the same when this was written.
"""

from __future__ import annotations

import base64
import itertools
import json
from collections import Counter

import numpy as np
import pytest
from telexist.retarget.errors import UnknownName
from telexist.retarget.hands import OPEN_HAND, standard_hand
from telexist.retarget.segments import SEGMENTS, SIDES
from telexist.retarget.signals import HumanClip
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.devices.person.simulated_operator import (
    OperatorPose,
    SimulatedOperator,
)
from telexist.teleop.devices.rokoko.lz4_frame import is_lz4, lz4_unpack, lz4_wrap
from telexist.teleop.devices.rokoko.rokoko_stream import RokokoStream
from telexist.teleop.devices.rokoko.studio_json import (
    StudioFrame,
    build_studio,
    parse_studio,
)
from telexist.teleop.devices.rokoko.studio_person import FINGER_BONES, T_POSE_QUATS
from telexist.teleop.devices.simulators.senders.studio_senders import studio_actor

PACKED = base64.b64decode(
    "BCJNGGhAkgAAAAAAAABCOQAAAPEYeyJib25lIjp7IngiOjEuMCwieSI6LTAuNX0sImFnYWluIjoi"
    "YWJjAwARZAYADwkASFBhYmQifQAAAAA="
)
FIST = OPEN_HAND + np.array([0.1, 0.6, 0.8, 0.5])
TEXT = b'{"bone":{"x":1.0,"y":-0.5},"again":"' + b"abcabcabd" * 12 + b'"}'


class Ear:
    """A device that is fed without a socket."""

    def __init__(self, **options: object) -> None:
        self.device = RokokoStream(port=0, **options)
        self.refused: Counter[str] = Counter()

    def feed(self, data: bytes, stamp: float = 0.0) -> object:
        try:
            self.device.handle(data, stamp)
        except RefusedMessage as refusal:
            self.refused[refusal.reason] += 1
        return self.device.read()


@pytest.fixture
def poses(performance: HumanClip) -> list[OperatorPose]:
    return list(SimulatedOperator(performance, loop=False).poses())[:20]


def test_a_frame_of_another_packer_is_unpacked() -> None:
    assert is_lz4(PACKED)
    assert lz4_unpack(PACKED, 1000) == TEXT
    assert lz4_unpack(lz4_wrap(TEXT), 1000) == TEXT


def test_frames_of_lz4_itself_are_unpacked() -> None:
    frame = pytest.importorskip("lz4.frame", reason="pip install lz4")
    random = np.random.default_rng(0)
    for size in (0, 1, 20, 300, 5000, 100_000):
        data = bytes(random.integers(97, 100, size, dtype=np.uint8))
        for level in (0, 9):
            packed = frame.compress(data, compression_level=level, block_linked=True)
            assert lz4_unpack(packed, 1 << 20) == data


@pytest.mark.parametrize("cut", range(4, len(PACKED) - 1, 5))
def test_damaged_frames_are_refused(cut: int) -> None:
    with pytest.raises(RefusedMessage):
        lz4_unpack(PACKED[:cut], 1000)


def test_a_bomb_is_refused_before_it_unfolds() -> None:
    # One literal, then a match of a million bytes in 4 kB.
    block = b"\x1fa\x01\x00" + b"\xff" * 4000 + b"\x00" + b"\x50aaaaa"
    bomb = PACKED[:4] + b"\x60\x70\x73" + len(block).to_bytes(4, "little") + block
    with pytest.raises(RefusedMessage):
        lz4_unpack(bomb + bytes(4), 100_000)


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("packed", [True, False])
def test_both_versions_come_back(
    poses: list[OperatorPose], version: int, packed: bool
) -> None:
    frame = StudioFrame(time=3.5, actors=(studio_actor(poses[0], "Ann"),))
    data = build_studio(frame, version=version, packed=packed)
    assert is_lz4(data) is packed
    again = parse_studio(data)
    assert again.time == 3.5 and again.actors[0].name == "Ann"
    for bone, pose in frame.actors[0].bones.items():
        np.testing.assert_array_equal(again.actors[0].bones[bone], pose)


def test_in_studios_t_pose_every_segment_is_the_identity() -> None:
    # Studio's own figure: every bone turned as its plug-ins say, facing z.
    bones = {}
    names = {"Pelvis": "hip", "L5": "spine", "T8": "chest", "Neck": "neck"}
    names |= {"Head": "head"}
    for side in ("left", "right"):
        for segment, bone in (
            ("Shoulder", "Shoulder"),
            ("UpperArm", "UpperArm"),
            ("ForeArm", "LowerArm"),
            ("Hand", "Hand"),
            ("UpperLeg", "UpLeg"),
            ("LowerLeg", "Leg"),
            ("Foot", "Foot"),
            ("Toe", "Toe"),
        ):
            names[side.capitalize() + segment] = side + bone
    places = {"hip": (0, 1, 0), "spine": (0, 1.1, 0), "chest": (0, 1.3, 0)}
    places |= {"neck": (0, 1.5, 0), "head": (0, 1.6, 0)}
    for side, x in (("left", -1), ("right", 1)):  # Unity: x to the right
        for bone, at in (
            ("Shoulder", (0.05, 1.45, 0)),
            ("UpperArm", (0.2, 1.45, 0)),
            ("LowerArm", (0.5, 1.45, 0)),
            ("Hand", (0.75, 1.45, 0)),
            ("UpLeg", (0.1, 0.95, 0)),
            ("Leg", (0.1, 0.5, 0)),
            ("Foot", (0.1, 0.1, 0)),
            ("Toe", (0.1, 0.0, 0.15)),
        ):
            places[side + bone] = (x * at[0], at[1], at[2])
    for segment, bone in names.items():
        x, y, z = places[bone]
        qx, qy, qz, qw = T_POSE_QUATS[segment]
        bones[bone] = {
            "position": {"x": x, "y": y, "z": z},
            "rotation": {"x": qx, "y": qy, "z": qz, "w": qw},
        }
    actor = {"name": "Newton", "meta": {"hasBody": True}, "body": bones}
    scene = {"timestamp": 1.0, "actors": [actor]}
    data = json.dumps({"version": "3,0", "fps": 60, "scene": scene}).encode()
    human = Ear().feed(data).human
    assert human.segments == SEGMENTS and human.hand_points is None
    np.testing.assert_allclose(
        human.rotations, np.tile(np.eye(3), (23, 1, 1)), atol=1e-9
    )
    hand = human.positions[SEGMENTS.index("LeftHand")]
    np.testing.assert_allclose(hand, (0.0, 0.75, 1.45), atol=1e-12)  # left is y
    toe = human.positions[SEGMENTS.index("RightToe")]
    np.testing.assert_allclose(toe, (0.15, -0.1, 0.0), atol=1e-12)  # ahead is x


def test_gloves_become_the_points_that_fingers_follow(
    poses: list[OperatorPose],
) -> None:
    hands = {side: standard_hand(FIST, side) for side in SIDES}
    actor = studio_actor(poses[0], "Ann", hands)
    human = Ear().feed(build_studio(StudioFrame(time=0.0, actors=(actor,)))).human
    for s, side in enumerate(SIDES):
        seen, shown = human.hand_points[s], hands[side]
        used = [0, *FINGER_BONES]
        apart = np.linalg.norm(seen[used][:, None] - seen[used][None], axis=-1)
        wanted = np.linalg.norm(shown[used][:, None] - shown[used][None], axis=-1)
        np.testing.assert_allclose(apart, wanted, atol=1e-9)
        # no mirror image: the triple product of three fingers keeps its sign
        ways = [seen[k] - seen[0] for k in (6, 11, 4)]
        own = [shown[k] - shown[0] for k in (6, 11, 4)]
        assert np.linalg.det(ways) == pytest.approx(np.linalg.det(own), rel=1e-6)


def test_the_chosen_actor_counts_and_the_time_orders(
    poses: list[OperatorPose],
) -> None:
    ear = Ear(actor="Bob")
    both = (studio_actor(poses[0], "Ann"), studio_actor(poses[9], "Bob"))
    human = ear.feed(build_studio(StudioFrame(time=1.0, actors=both))).human
    np.testing.assert_allclose(human.positions[0], poses[9].positions[0], atol=1e-9)
    ear.feed(build_studio(StudioFrame(time=1.0, actors=both)), 0.01)
    ear.feed(build_studio(StudioFrame(time=0.9, actors=both)), 0.02)
    ear.feed(build_studio(StudioFrame(time=1.1, actors=both[:1])), 0.03)
    assert ear.refused == {"duplicate": 1, "late": 1, "untracked": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"scene":{"timestamp":1,"actors":{}}}',
        b'{"scene":{"timestamp":"1","actors":[]}}',
        b'{"timestamp":1,"actors":[{"name":1}]}',
        b'{"timestamp":1,"actors":[{"name":"a","hip":{"position":1,"rotation":2}}]}',
        b'{"scene":{"timestamp":1,"actors":[{"name":"a","body":{}}]}}',
    ],
)
def test_what_makes_no_sense_is_refused(data: bytes) -> None:
    ear = Ear()
    assert ear.feed(data) is None
    assert ear.refused == {"malformed": 1}


def test_options_are_checked() -> None:
    device = make_device("rokoko:0?actor=Ann")
    assert "14043" in make_device("rokoko").manual and "rokoko" in device.name
    with pytest.raises(UnknownName):
        make_device("rokoko:0?person=Ann")
    assert len(list(itertools.islice(FINGER_BONES, 30))) == 20
