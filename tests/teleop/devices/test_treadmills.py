"""Treadmills: their bytes, over real sockets and pseudo-terminals."""

from __future__ import annotations

import json
import math
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from launch_scripts import cyberith_sender
from retarget.errors import DeviceLost, MissingDependency
from teleop import clock
from teleop.devices.crc16 import CRC16S, crc16, crc16_reflected
from teleop.devices.interface import Device, DeviceSample, Provides, Treadmill
from teleop.devices.refused import Refused
from teleop.devices.simulators.treadmill import (
    CableTreadmill,
    CyberithSender,
    kat_simulator,
    omni_simulator,
)
from teleop.devices.simulators.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
    walker,
)
from teleop.devices.treadmill_cyberith import CyberithTreadmill, parse_virtualizer
from teleop.devices.treadmill_kat import HEADER, LIFTED, KatDecoder
from teleop.devices.treadmill_kat_port import KatTreadmill, find_hidraw
from teleop.devices.treadmill_omni import OmniDecoder
from teleop.devices.treadmill_omni_port import OmniTreadmill, find_omni
from teleop.devices.treadmill_port import FrameDecoder
from teleop.devices.treadmill_sample import MAX_HEIGHT, MAX_SPEED

posix = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
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
        except Refused:
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
    with pytest.raises(Refused) as caught:
        parse_virtualizer(json.dumps({**message, **change}).encode())
    assert caught.value.reason == reason


def read_until(
    device: Device, wanted: Callable[[DeviceSample], bool], dropped: dict[str, int]
) -> DeviceSample:
    end = clock.now() + 5.0
    while clock.now() < end:
        sample = device.read()
        if sample is not None:
            for reason, count in sample.dropped:
                dropped[reason] = dropped.get(reason, 0) + count
            if wanted(sample):
                return sample
        clock.sleep(0.002)
    raise AssertionError(f"no such sample in 5 s; dropped {dropped}")


def has_treadmill(sample: DeviceSample) -> bool:
    return sample.treadmill is not None


def test_cyberith_over_a_socket() -> None:
    device = CyberithTreadmill(port=0)
    assert device.provides == {Provides.TREADMILL}
    woken = threading.Event()
    device.open(woken.set)
    sender = CyberithSender(device.port, motion=lambda t: SAMPLES[20])
    sender.start()
    sample = read_until(device, has_treadmill, {})
    assert sample.treadmill is not None and woken.is_set()
    assert_same(sample.treadmill, SAMPLES[20], speed=1e-6)
    sender.stop()
    device.close()


def test_cyberith_counts_duplicates_late_and_lost() -> None:
    device = CyberithTreadmill(port=0)
    device.open(lambda: None)
    dropped: dict[str, int] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in (5, 6, 6, 4, 9):
            data = cyberith_datagram(number, SAMPLES[10])
            sender.sendto(data, ("127.0.0.1", device.port))
        read_until(device, lambda s: s.sequence == 9, dropped)
    device.close()
    assert dropped == {"duplicate": 1, "late": 1, "lost": 2}


@pytest.fixture(params=["kat", "omni"])
def cable(request: pytest.FixtureRequest) -> Iterator[tuple[CableTreadmill, Device]]:
    if sys.platform == "win32":
        pytest.skip("pseudo-terminals")
    still = {"kat": kat_simulator, "omni": omni_simulator}[request.param](
        lambda t: SAMPLES[20]
    )
    make = {"kat": KatTreadmill, "omni": OmniTreadmill}[request.param]
    device: Device = make(still.path)
    yield still, device
    device.close()
    still.unplug()


def test_cables_from_byte_to_sample(cable: tuple[CableTreadmill, Device]) -> None:
    simulator, device = cable
    simulator.start()
    woken = threading.Event()
    device.open(woken.set)
    sample = read_until(device, has_treadmill, {})
    assert sample.treadmill is not None and woken.is_set()
    assert_same(sample.treadmill, SAMPLES[20], speed=0.02)
    if isinstance(device, KatTreadmill):
        read_until(device, lambda _: len(simulator.received) >= 4 * 33, {})
        assert simulator.received.startswith(b"\0" + HEADER + bytes((0, 0, 0x31)))


def test_pulled_cable_is_said_and_silent(
    cable: tuple[CableTreadmill, Device], caplog: pytest.LogCaptureFixture
) -> None:
    simulator, device = cable
    simulator.start()
    device.open(lambda: None)
    read_until(device, has_treadmill, {})
    simulator.unplug()
    dropped: dict[str, int] = {}
    read_until(device, lambda s: "unplugged" in dict(s.dropped), dropped)
    assert "was unplugged" in caplog.text
    clock.sleep(0.05)
    after = device.read()
    assert after is None or after.treadmill is None


def test_absent_treadmills_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DeviceLost, match="no KAT Walk receiver found: plug in"):
        KatTreadmill(classes=tmp_path).open(lambda: None)
    with pytest.raises(DeviceLost, match="check the cable"):
        KatTreadmill(tmp_path / "hidraw9").open(lambda: None)
    with pytest.raises(DeviceLost, match="check the cable"):
        OmniTreadmill(str(tmp_path / "ttyUSB9")).open(lambda: None)


def test_kat_is_found_by_maker_and_role(tmp_path: Path) -> None:
    for number, name in (
        (0, "mouse"),
        (1, "walk c2 position"),
        (2, "walk c2 receiver"),
    ):
        folder = tmp_path / f"hidraw{number}" / "device"
        folder.mkdir(parents=True)
        maker = "0000C4F4" if number else "0000046D"
        (folder / "uevent").write_text(f"HID_ID=0003:{maker}:1\nHID_NAME={name}\n")
    assert find_hidraw("receiver", tmp_path) == Path("/dev/hidraw2")
    assert find_hidraw("position", tmp_path) == Path("/dev/hidraw1")
    assert find_hidraw("armband", tmp_path) is None


def test_omni_without_pyserial_names_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "serial.tools.list_ports", None)
    with pytest.raises(MissingDependency, match="pip install pyserial"):
        find_omni()


class FakeLibrary:
    """Cyberith's library: C functions that take the device."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        for name, value in (
            ("Virt_FindDevice", 77),
            ("VirtDevice_Open", True),
            ("VirtDevice_ResetPlayerOrientation", None),
            ("VirtDevice_GetPlayerOrientation", 0.25),
            ("VirtDevice_GetMovementSpeed", 0.5),
            ("VirtDevice_GetMovementDirection", 0.0),
            ("VirtDevice_GetPlayerHeight", float("nan")),
        ):
            setattr(self, f"CybSDK_{name}", self._function(name, value))

    def _function(self, name: str, value: object) -> Callable[..., object]:
        def call(*device: int) -> object:
            self.calls.append(name)
            return value

        return call


def test_windows_sender_reads_the_library_and_sends() -> None:
    library = FakeLibrary()
    device = cyberith_sender.find_device(library)
    assert device == 77
    assert "VirtDevice_ResetPlayerOrientation" in library.calls
    with pytest.raises(Refused, match="nan"):  # NaN arrives as such
        parse_virtualizer(cyberith_sender.datagram(library, device, 1))
    library.CybSDK_VirtDevice_GetPlayerHeight = lambda device: 3.0  # type: ignore[attr-defined]
    receiver = CyberithTreadmill(port=0)
    receiver.open(lambda: None)
    stop = threading.Event()
    thread = threading.Thread(
        target=cyberith_sender.send_for_ever,
        args=(library, device, ("127.0.0.1", receiver.port), stop),
    )
    thread.start()
    sample = read_until(receiver, has_treadmill, {}).treadmill
    stop.set()
    thread.join()
    receiver.close()
    assert sample is not None
    assert sample.yaw == pytest.approx(-math.pi / 2) and sample.speed == 0.5


def test_windows_sender_without_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    code = cyberith_sender.main(["--to", "127.0.0.1", "--dll", "/none/CybSDK.dll"])
    assert code == 1
    assert "give --dll PATH" in capsys.readouterr().err
