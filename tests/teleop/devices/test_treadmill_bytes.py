"""The bytes of treadmills, there and back, broken and random."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.simulators.senders.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
    walker,
)
from telexist.teleop.devices.treadmill.crc16 import CRC16S, crc16, crc16_reflected
from telexist.teleop.devices.treadmill.cyberith import parse_virtualizer
from telexist.teleop.devices.treadmill.kat import HEADER, LIFTED, KatDecoder
from telexist.teleop.devices.treadmill.omni import OmniDecoder
from telexist.teleop.devices.treadmill.port import FrameDecoder
from telexist.teleop.devices.treadmill.sample import MAX_HEIGHT, MAX_SPEED
from telexist.teleop.terms.device_sample import Treadmill

SAMPLES = [walker(0.37 * k) for k in range(60)]


def assert_same(have: Treadmill, want: Treadmill, *, speed: float) -> None:
    assert math.remainder(have.yaw - want.yaw, math.tau) == pytest.approx(0, abs=2e-4)
    assert have.speed == pytest.approx(want.speed, abs=speed)
    if want.speed > 0.1:
        assert math.remainder(have.direction - want.direction, math.tau) == (
            pytest.approx(0.0, abs=0.02)
        )


def assert_sane(sample: Treadmill) -> None:
    values = (sample.yaw, sample.speed, sample.direction, sample.height)
    assert all(math.isfinite(value) for value in values)
    assert abs(sample.yaw) <= math.pi and abs(sample.direction) <= math.pi
    assert 0.0 <= sample.speed <= MAX_SPEED and abs(sample.height) <= MAX_HEIGHT


@pytest.mark.parametrize("sample", SAMPLES)
def test_cyberith_bytes_and_back(sample: Treadmill) -> None:
    sequence, have = parse_virtualizer(cyberith_datagram(7, sample))
    assert sequence == 7
    assert_same(have, sample, speed=1e-9)
    assert have.height == pytest.approx(sample.height)


def test_cyberith_turns_clockwise_to_counter_clockwise() -> None:
    message = {
        "virtualizer": 1,
        "sequence": 0,
        "orientation": 0.25,  # a quarter to the right
        "speed": 1.0,
        "direction": 0.5,  # to the right
        "height_cm": -10.0,
    }
    _, sample = parse_virtualizer(json.dumps(message).encode())
    assert sample.yaw == pytest.approx(-math.pi / 2)
    assert sample.direction == pytest.approx(-math.pi / 2)
    assert sample.height == pytest.approx(-0.1)


def test_kat_bytes_and_back() -> None:
    decoder = KatDecoder()
    for k, sample in enumerate(SAMPLES):
        (have,) = decoder.feed(kat_frames(sample), 0.02 * k)
        if sample.speed > 0.06:
            assert_same(have, sample, speed=2e-3)
        else:
            assert have.speed == 0.0
    assert decoder.take_dropped() == ()


def test_kat_forgets_a_lifted_and_a_silent_shoe() -> None:
    decoder = KatDecoder()
    walking = kat_frames(Treadmill(yaw=0.0, speed=1.0, direction=0.0, height=0.0))
    body = walking[64:]
    assert decoder.feed(walking, 0.0)[0].speed == pytest.approx(1.0)
    assert decoder.feed(body, 0.1)[0].speed == pytest.approx(1.0)
    assert decoder.feed(body, 0.2)[0].speed == 0.0  # nothing of the shoes for long
    decoder.feed(walking, 0.3)
    for part in (1, 2):
        lifted = HEADER + bytes((0, 0, 0x30, part, 1, 0)) + LIFTED
        assert decoder.feed(lifted.ljust(32, b"\0"), 0.31) == []
    assert decoder.feed(body, 0.32)[0].speed == 0.0


def test_kat_greets_waits_and_polls() -> None:
    decoder = KatDecoder()
    kinds = [frame[5] for frame in decoder.due(10.0)]
    assert kinds == [0x31, 0x05, 0x21, 0x31]
    assert decoder.due(12.0) == []
    assert [frame[5] for frame in decoder.due(13.6)] == [0x30]
    assert decoder.due(13.7) == []
    assert len(decoder.due(14.0)[0]) == 32


@pytest.mark.parametrize("crc", sorted(CRC16S))
def test_omni_learns_its_crc_from_the_stream(crc: str) -> None:
    decoder = OmniDecoder()
    have = [
        decoder.feed(omni_frame(k, sample, crc=crc), 0.0)
        for k, sample in enumerate(SAMPLES)
    ]
    assert [len(samples) for samples in have] == [0] * 3 + [1] * (len(SAMPLES) - 3)
    assert decoder.take_dropped() == (("unproven", 3),)
    for samples, want in zip(have[3:], SAMPLES[3:], strict=True):
        assert_same(samples[0], want, speed=0.01)


def test_omni_skips_frames_with_one_wrong_bit() -> None:
    decoder = OmniDecoder()
    for k in range(4):
        decoder.feed(omni_frame(k, SAMPLES[k]), 0.0)
    good = omni_frame(9, SAMPLES[9])
    for bit in range(8 * len(good)):
        broken = bytearray(good)
        broken[bit // 8] ^= 1 << bit % 8
        assert decoder.feed(bytes(broken) + bytes(256), 0.0) == []
    assert len(decoder.feed(good, 0.0)) == 1


def test_crcs_match_their_published_check_values() -> None:
    text = b"123456789"
    assert crc16(text, 0x1021, 0xFFFF) == 0x29B1
    assert crc16(text, 0x1021, 0) == 0x31C3
    assert crc16_reflected(text, 0x8408, 0) == 0x2189
    assert crc16_reflected(text, 0x8408, 0xFFFF) == 0x6F91
    assert crc16_reflected(text, 0xA001, 0) == 0xBB3D
    assert crc16_reflected(text, 0xA001, 0xFFFF) == 0x4B37


@pytest.mark.parametrize("make", [KatDecoder, OmniDecoder])
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_frames_may_arrive_in_any_pieces(
    make: Callable[[], FrameDecoder], piece: int
) -> None:
    stream = _stream(make())[:4000]
    decoder = make()
    whole = make().feed(stream, 0.0)
    parts = [
        sample
        for k in range(0, len(stream), piece)
        for sample in decoder.feed(stream[k : k + piece], 0.0)
    ]
    assert parts == whole
    assert len(whole) > 30


def _stream(decoder: FrameDecoder) -> bytes:
    if isinstance(decoder, KatDecoder):
        return b"".join(kat_frames(sample) for sample in SAMPLES * 4)
    return b"".join(omni_frame(k, sample) for k, sample in enumerate(SAMPLES * 4))


@pytest.mark.parametrize("make", [KatDecoder, OmniDecoder])
def test_random_and_mutated_bytes_give_nothing_absurd(
    make: Callable[[], FrameDecoder],
) -> None:
    rng = np.random.default_rng(11)
    decoder = make()
    found = 0
    for k in range(10_000):
        found += len(decoder.feed(rng.bytes(int(rng.integers(1, 64))), 0.01 * k))
    assert found == 0
    frames = _stream(make())[:4800]
    for k in range(200):
        data = bytearray(frames)
        for _ in range(50):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        del data[int(rng.integers(len(data))) :]
        for sample in decoder.feed(bytes(data), 0.02 * k):
            assert_sane(sample)
    assert dict(decoder.take_dropped())["malformed"] > 0


def test_ten_thousand_random_and_mutated_datagrams_are_refused_or_sane() -> None:
    rng = np.random.default_rng(12)
    refused = 0
    for k in range(20_000):
        data = bytearray(cyberith_datagram(k, SAMPLES[k % len(SAMPLES)]))
        if k % 2:
            data = bytearray(rng.bytes(int(rng.integers(0, 600))))
        else:
            for _ in range(int(rng.integers(1, 6))):
                data[int(rng.integers(len(data)))] = int(rng.integers(32, 127))
        try:
            _, sample = parse_virtualizer(bytes(data))
        except RefusedMessage:
            refused += 1
        else:
            assert_sane(sample)
    assert refused > 15_000


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"speed": None}, "nan"),
        ({"speed": 1e9}, "malformed"),
        ({"speed": -1.0}, "malformed"),
        ({"speed": True}, "malformed"),
        ({"orientation": 40.0}, "malformed"),
        ({"height_cm": 500.0}, "malformed"),
        ({"sequence": -1}, "malformed"),
        ({"sequence": 1.5}, "malformed"),
        ({"virtualizer": 2}, "malformed"),
    ],
)
def test_cyberith_refuses_what_nobody_can_do(
    change: dict[str, object], reason: str
) -> None:
    message = json.loads(cyberith_datagram(3, SAMPLES[9]))
    parse_virtualizer(json.dumps(message).encode())
    with pytest.raises(RefusedMessage) as caught:
        parse_virtualizer(json.dumps({**message, **change}).encode())
    assert caught.value.reason == reason
