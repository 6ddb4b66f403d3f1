"""Noise and spoilt messages over real sockets: no pose, no traceback, no dead thread.

What still gets through must be a valid message by the checks of this file, which know
the formats on their own (`struct` for MVN, python-osc for VMC).
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import logging
import math
import socket
import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pythonosc.osc_bundle import OscBundle
from telexist.retarget.recordings.npz.clip_file import save_clip
from telexist.retarget.signals import HumanClip, HumanFrame
from telexist.teleop import clock
from telexist.teleop.devices.base.sample_counter import RESTART_AFTER
from telexist.teleop.devices.isaac.isaac_stream import IsaacStream
from telexist.teleop.devices.optitrack.optitrack_stream import OptitrackStream
from telexist.teleop.devices.person.simulated_operator import SimulatedOperator
from telexist.teleop.devices.pico.pico_stream import PicoStream
from telexist.teleop.devices.rokoko.lz4_frame import lz4_wrap
from telexist.teleop.devices.rokoko.rokoko_stream import RokokoStream
from telexist.teleop.devices.simulators.links.links import TcpLink, UdpLink
from telexist.teleop.devices.simulators.senders.body24_senders import (
    simulate_isaac,
    simulate_pico,
)
from telexist.teleop.devices.simulators.senders.mvn_sender import MvnSender
from telexist.teleop.devices.simulators.senders.options import SimulatorOptions
from telexist.teleop.devices.simulators.senders.studio_senders import (
    MotiveSender,
    simulate_optitrack,
    simulate_rokoko,
)
from telexist.teleop.devices.simulators.senders.vmc_sender import VmcSender
from telexist.teleop.devices.vmc.vmc_stream import VmcStream
from telexist.teleop.devices.xsens.xsens_stream import XsensStream
from telexist.teleop.terms.device_sample import DeviceSample

COUNTS = [1_000, pytest.param(10_000, marks=pytest.mark.slow)]  # datagrams
BATCH = 16  # on the way at the same time: the kernel must not lose any
QUATERNION_TOLERANCE = 1.01e-2

Listen = Callable[..., object]


class Watched:
    """Notes for every frame which datagram completed it."""

    def __init__(self, device: XsensStream | VmcStream) -> None:
        self.handled = 0
        self.frames: list[tuple[HumanFrame, bytes]] = []
        self.datagrams: list[bytes] = []
        self._data = b""
        handle, put = device.handle, device.mailbox.put

        def watched_handle(data: bytes, stamp: float) -> None:
            self._data = data
            self.datagrams.append(data)
            try:
                handle(data, stamp)
            finally:
                self.handled += 1

        def watched_put(sample: DeviceSample) -> None:
            if sample.human is not None:
                self.frames.append((sample.human, self._data))
            put(sample)

        device.handle, device.mailbox.put = watched_handle, watched_put

    def send(self, link: UdpLink, datagrams: Iterator[bytes]) -> None:
        """Send all, never more at once than the kernel keeps."""
        sent = self.handled
        for data in datagrams:
            link.send(data)
            sent += 1
            end = clock.now() + 60.0
            while sent - self.handled >= BATCH:
                assert clock.now() < end, "the device's thread has stopped"
                clock.sleep(0.0002)
        end = clock.now() + 60.0
        while self.handled < sent:
            assert clock.now() < end, "the device's thread has stopped"
            clock.sleep(0.001)


def noise(
    random: np.random.Generator, starts: Iterator[bytes], count: int
) -> Iterator[bytes]:
    """Yield random bytes; half of them begin as real messages do."""
    for k in range(count):
        length = int(random.integers(0, 1500))
        start = next(starts)[: int(random.integers(0, 40))] if k % 2 else b""
        yield start + random.bytes(length)


def mutated(
    random: np.random.Generator, real: Iterator[bytes], count: int
) -> Iterator[bytes]:
    """Yield real messages with flipped bits, other bytes, cuts and additions."""
    for _ in range(count):
        data, other = bytearray(next(real)), next(real)
        for _ in range(int(random.integers(1, 5))):
            way, at = int(random.integers(5)), int(random.integers(len(data)))
            if way == 0:
                data[at] ^= 1 << int(random.integers(8))
            elif way == 1:
                data[at : at + 4] = random.bytes(4)
            elif way == 2:
                data = data[: at + 1]
            elif way == 3:
                data[at:at] = random.bytes(int(random.integers(1, 9)))
            else:
                data[at:] = other[at:] or b"\0"
        yield bytes(data)


def segments_of_mvn(data: bytes) -> set[tuple[bytes, int, int]]:
    """Return kind, sample and segment of all items of a valid message."""
    if len(data) < 24 or data[:4] != b"MXTP":
        return set()
    kind, items, size = data[4:6], data[11], struct.unpack(">H", data[22:24])[0]
    (sample,) = struct.unpack(">I", data[6:10])
    if kind not in (b"01", b"02", b"05", b"21", b"22") or size not in (
        0,
        len(data) - 24,
    ):
        return set()
    if not items or (len(data) - 24) % items:
        return set()
    stride, found = (len(data) - 24) // items, set()
    if stride < 28:
        return set()
    for at in range(24, len(data), stride):
        identity, *numbers = struct.unpack(">I6f", data[at : at + 28])
        if not 1 <= identity <= 23:
            continue
        if not all(math.isfinite(number) for number in numbers[:6]):
            return set()
        if kind == b"01" and max(abs(number) for number in numbers[3:]) > 360.0:
            return set()
        if kind in (b"02", b"05", b"22"):
            start = at + (4 if kind == b"22" else 16)
            length = math.hypot(*struct.unpack(">4f", data[start : start + 16]))
            if not abs(length - 1.0) <= QUATERNION_TOLERANCE:
                return set()
        if kind != b"22" and max(abs(number) for number in numbers[:3]) > 1e5:
            return set()
        found.add((kind, sample, identity))
    return found


def check_mvn(watched: Watched) -> None:
    """Every frame must stand in whole in valid messages of its sample."""
    said = set().union(*(segments_of_mvn(data) for data in watched.datagrams))
    for frame, _ in watched.frames:
        wholes = [
            {identity for k, s, identity in said if k == kind and s == frame.sequence}
            for kind in (b"01", b"02", b"05", b"22")
        ]
        assert set(range(1, 24)) in wholes


def check_vmc(watched: Watched) -> None:
    """The datagram that completed a frame is valid for python-osc too."""
    for _, data in watched.frames[:: max(1, len(watched.frames) // 300)]:
        messages = OscBundle(data) if data.startswith(b"#bundle") else ()
        for message in messages:
            if not message.address.endswith("/Pos"):
                continue
            numbers = message.params[1:8]
            assert all(math.isfinite(number) for number in numbers)
            length = math.hypot(*numbers[3:])
            assert abs(length - 1.0) <= QUATERNION_TOLERANCE


def mvn_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield MVN's messages for ever, whole and in parts; samples count up."""
    operator = SimulatedOperator(clip, loop=False)
    senders = (
        MvnSender(kinds=("02", "21", "22", "12", "13")),
        MvnSender(kinds=("02",), parts=3),
    )
    poses = list(operator.poses())
    templates = [
        senders[k % 2].messages(pose, 0, operator.size) for k, pose in enumerate(poses)
    ]
    for sample in itertools.count(1):
        for data in templates[sample % len(templates)]:
            yield data[:6] + struct.pack(">I", sample) + data[10:]


def vmc_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield VMC bundles for ever; the sender's time goes on."""
    sender = VmcSender(max_bytes=8192)
    poses = SimulatedOperator(clip, loop=False).poses()
    templates = [sender.messages(pose)[0] for pose in poses]
    mark = b"/VMC/Ext/T\0\0,f\0\0"
    for k in itertools.count(1):
        data = templates[k % len(templates)]
        at = data.index(mark) + len(mark)
        yield data[:at] + struct.pack(">f", k / 60) + data[at + 4 :]


def isaac_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield frames of the preset Isaac Teleop for ever; their numbers count up."""
    templates = [timed.packets[0] for timed in simulate_isaac(_options(clip))]
    for k in itertools.count(1):
        data = templates[k % len(templates)]
        yield data[:8] + struct.pack("<Q", k) + data[16:]


def check_isaac(watched: Watched) -> None:
    """A frame stands in a datagram of 24 joints, each a rotation (by `struct`)."""
    for frame, data in watched.frames:
        magic, version, _, number, _, _, size = struct.unpack("<4sHHQqqI", data[:36])
        assert (magic, version, size) == (b"XTLP", 1, len(data) - 36)
        assert frame.sequence == number
        table = 36 + struct.unpack("<I", data[36:40])[0]
        vtable = table - struct.unpack("<i", data[table : table + 4])[0]
        begin = table + struct.unpack("<H", data[vtable + 4 : vtable + 6])[0]
        for k in range(22):
            joint = struct.unpack_from("<7fB", data, begin + 32 * k)
            assert abs(math.hypot(*joint[3:7]) - 1.0) <= QUATERNION_TOLERANCE
            assert joint[7] == 1


def rokoko_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield JSON for ever, every second one in an LZ4 frame; its time goes on."""
    templates = []
    for settings in ({"pack": "none"}, {"version": "2", "pack": "none"}):
        options = dataclasses.replace(_options(clip), settings=settings)
        templates += [timed.packets[0] for timed in simulate_rokoko(options)]
    for k in itertools.count(1):
        data = templates[7 * k % len(templates)]
        head, _, rest = data.partition(b'"timestamp":')
        tail = rest[rest.index(b",") :]
        data = head + b'"timestamp":' + str(k / 60).encode() + tail
        yield lz4_wrap(data) if k % 2 else data


def check_rokoko(watched: Watched) -> None:
    """The text of a frame is JSON for another reader, and so is its LZ4."""
    for _, data in watched.frames[:: max(1, len(watched.frames) // 300)]:
        text = data[11:-4] if data.startswith(b"\x04\x22\x4d\x18") else data
        with contextlib.suppress(ValueError):  # blocks whose sizes were rewritten
            assert "actors" in str(json.loads(text))


def optitrack_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield NatNet's frames for ever, and who sends them now and then."""
    templates = [timed.packets[-1] for timed in simulate_optitrack(_options(clip))]
    introduction = MotiveSender().introduction()
    for k in itertools.count(1):
        if k % 10 == 1:
            yield from introduction
        data = templates[k % len(templates)]
        yield data[:4] + struct.pack("<i", k) + data[8:]


def check_nothing_more(watched: Watched) -> None:
    """All that can be said is checked for every protocol."""


def pico_messages(clip: HumanClip) -> Iterator[bytes]:
    """Yield packets of a PICO for ever; its time goes on."""
    templates = [timed.packets[-1] for timed in simulate_pico(_options(clip))]
    mark = b"timeStampNs"
    for k in itertools.count(1):
        data = templates[k % len(templates)]
        at = data.index(mark) + len(mark) + 3
        end = data.index(b",", at)
        time = str(1_000_000_000_000 + 10_000_000 * k).encode()
        body = data[6:at] + time + data[end:-9]
        yield data[:2] + struct.pack("<I", len(body)) + body + data[-9:]


def _options(clip: HumanClip) -> SimulatorOptions:
    path = Path(tempfile.mkdtemp()) / "clip.npz"
    save_clip(path, clip)
    return SimulatorOptions(clip=str(path), loop=False)


class InPlace:
    """Hands messages to a device as its thread would, without a socket."""

    def __init__(self, device: PicoStream) -> None:
        self._take = device.source._take

    def send(self, data: bytes) -> None:
        self._take(data, clock.now())


PROTOCOLS = {
    "xsens": (XsensStream, mvn_messages, check_mvn),
    "vmc": (VmcStream, vmc_messages, check_vmc),
    "isaac": (IsaacStream, isaac_messages, check_isaac),
    "rokoko": (RokokoStream, rokoko_messages, check_rokoko),
    "optitrack": (OptitrackStream, optitrack_messages, check_nothing_more),
    "pico": (PicoStream, pico_messages, check_nothing_more),
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_noise_gives_no_pose(
    protocol: str,
    count: int,
    performance: HumanClip,
    listen: Listen,
    udp_to: Listen,
    caplog: pytest.LogCaptureFixture,
) -> None:
    make, messages, _ = PROTOCOLS[protocol]
    device = make(port=0)
    watched, listener = Watched(device), listen(device)
    link = InPlace(device) if protocol == "pico" else udp_to(device)
    random = np.random.default_rng(1)
    with caplog.at_level(logging.WARNING):
        watched.send(link, noise(random, messages(performance), count))
    assert not watched.frames
    assert not caplog.records
    listener.read()
    assert set(listener.dropped) <= {"malformed", "nan"}
    assert listener.dropped["malformed"] > 0.9 * count
    still_works(watched, link, messages(performance))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_spoilt_messages_give_no_pose_unless_they_are_still_valid(
    protocol: str,
    count: int,
    performance: HumanClip,
    listen: Listen,
    udp_to: Listen,
    caplog: pytest.LogCaptureFixture,
) -> None:
    make, messages, check = PROTOCOLS[protocol]
    device = make(port=0)
    watched, listener = Watched(device), listen(device)
    link = InPlace(device) if protocol == "pico" else udp_to(device)
    random = np.random.default_rng(2)
    with caplog.at_level(logging.WARNING):
        watched.send(link, mutated(random, messages(performance), count))
    assert not caplog.records
    for frame, _ in watched.frames:
        frame.require_finite()
        assert frame.positions is None or np.abs(frame.positions).max() <= 1000.0
    check(watched)
    listener.read()
    known = {"malformed", "nan", "late", "duplicate", "lost", "unfinished"}
    known |= {"untracked"}
    assert set(listener.dropped) <= known
    assert listener.dropped["malformed"] > 0.3 * count
    clock.sleep(RESTART_AFTER + 0.1)
    still_works(watched, link, messages(performance))


def still_works(watched: Watched, link: UdpLink, real: Iterator[bytes]) -> None:
    """The thread lives, and a real stream gets through at once."""
    before = len(watched.frames)
    watched.send(link, itertools.islice(real, 100))
    assert len(watched.frames) - before >= 20


def test_spoilt_streams_end_their_connection_only(
    performance: HumanClip, listen: Listen, caplog: pytest.LogCaptureFixture
) -> None:
    device = XsensStream(port=0, protocol="tcp")
    watched, listener = Watched(device), listen(device)
    address = ("127.0.0.1", device.port)
    random = np.random.default_rng(3)
    real = list(itertools.islice(mvn_messages(performance), 300))
    with caplog.at_level(logging.WARNING):
        for k in range(60):
            stream = bytearray(b"".join(real[5 * k : 5 * k + 5]))
            at = int(random.integers(len(stream)))
            stream[at : at + 8] = random.bytes(8)
            with (
                contextlib.suppress(OSError),
                socket.create_connection(address, 60.0) as connection,
            ):
                connection.sendall(stream if k % 2 else random.bytes(500))
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1):  # until the device has closed it too
                    pass
    assert not caplog.records
    check_mvn(watched)
    link = TcpLink(address)
    for data in itertools.islice(mvn_messages(performance), 20):
        link.send(data)
    listener.wait(lambda sample: sample.human is not None)
    link.close()
