"""Treadmills over real sockets and pseudo-terminals, and the Windows sender."""

from __future__ import annotations

import math
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from telexist.launch_scripts import cyberith_sender, simulate
from telexist.retarget.errors import DeviceLost, MissingDependency
from telexist.teleop import clock
from telexist.teleop.devices.base import sample_counter
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.simulators.faults.faults import FaultLine, FaultPlan
from telexist.teleop.devices.simulators.links.cable_link import CableLink
from telexist.teleop.devices.simulators.links.links import SenderLink, UdpLink
from telexist.teleop.devices.simulators.links.transmitter import Transmitter
from telexist.teleop.devices.simulators.senders.options import TimedPackets
from telexist.teleop.devices.simulators.senders.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
)
from telexist.teleop.devices.treadmill.cyberith import (
    CyberithTreadmill,
    parse_virtualizer,
)
from telexist.teleop.devices.treadmill.kat import HEADER
from telexist.teleop.devices.treadmill.kat_port import KatTreadmill, find_hidraw
from telexist.teleop.devices.treadmill.omni_port import OmniTreadmill, find_omni
from telexist.teleop.terms.device_sample import DeviceSample, Provides, Treadmill

PATIENCE = 60.0  # [s] after which a treadmill that says nothing has failed
SAMPLE = Treadmill(yaw=0.9, speed=0.8, direction=-0.5, height=0.0)


def assert_near(have: Treadmill) -> None:
    assert have.yaw == pytest.approx(SAMPLE.yaw, abs=1e-3)
    assert have.speed == pytest.approx(SAMPLE.speed, abs=0.02)
    assert have.direction == pytest.approx(SAMPLE.direction, abs=0.02)


def read_until(
    device: Device, wanted: Callable[[DeviceSample], bool], dropped: dict[str, int]
) -> DeviceSample:
    end = clock.now() + PATIENCE
    while clock.now() < end:
        sample = device.read()
        if sample is not None:
            for reason, count in sample.dropped:
                dropped[reason] = dropped.get(reason, 0) + count
            if wanted(sample):
                return sample
        clock.sleep(0.002)
    raise AssertionError(f"no such sample in {PATIENCE:g} s; dropped {dropped}")


def has_treadmill(sample: DeviceSample) -> bool:
    return sample.treadmill is not None


def send_for_ever(
    encode: Callable[[int, Treadmill], bytes], link: SenderLink
) -> Transmitter:
    """Send the same sample 100 times a second."""
    packets = (
        TimedPackets(time=0.01 * k, packets=(encode(k, SAMPLE),)) for k in count()
    )
    sender = Transmitter(packets, link, FaultLine(FaultPlan()))
    sender.start()
    return sender


def test_cyberith_over_a_socket() -> None:
    device = CyberithTreadmill(port=0)
    assert device.provides == {Provides.TREADMILL}
    woken = threading.Event()
    device.open(woken.set)
    sender = send_for_ever(cyberith_datagram, UdpLink(("127.0.0.1", device.port)))
    sample = read_until(device, has_treadmill, {})
    assert sample.treadmill is not None and woken.is_set()
    assert_near(sample.treadmill)
    sender.stop()
    device.close()


def test_cyberith_counts_duplicates_late_and_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sample_counter, "RESTART_AFTER", 3600.0)  # no pause is one
    device = CyberithTreadmill(port=0)
    device.open(lambda: None)
    dropped: dict[str, int] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in (5, 6, 6, 4, 9):
            data = cyberith_datagram(number, SAMPLE)
            sender.sendto(data, ("127.0.0.1", device.port))
        read_until(device, lambda s: s.sequence == 9, dropped)
    device.close()
    assert dropped == {"duplicate": 1, "late": 1, "lost": 2}


@pytest.fixture(params=["kat", "omni"])
def cable(request: pytest.FixtureRequest) -> Iterator[tuple[CableLink, Device]]:
    if sys.platform == "win32":
        pytest.skip("pseudo-terminals")
    link = CableLink()
    device: Device
    if request.param == "kat":
        device = KatTreadmill(link.path)
        sender = send_for_ever(lambda _, sample: kat_frames(sample), link)
    else:
        device = OmniTreadmill(link.path)
        sender = send_for_ever(omni_frame, link)
    yield link, device
    device.close()
    sender.stop()


def test_cables_from_byte_to_sample(cable: tuple[CableLink, Device]) -> None:
    link, device = cable
    woken = threading.Event()
    device.open(woken.set)
    sample = read_until(device, has_treadmill, {})
    assert sample.treadmill is not None and woken.is_set()
    assert_near(sample.treadmill)
    if isinstance(device, KatTreadmill):
        read_until(device, lambda _: len(link.received) >= 4 * 33, {})
        assert link.received.startswith(b"\0" + HEADER + bytes((0, 0, 0x31)))
        device.close()
        end = clock.now() + PATIENCE
        while b"\0" + HEADER + bytes((0, 0, 0xA0)) not in link.received:
            assert clock.now() < end, "it was not sent to sleep"
            clock.sleep(0.002)


def test_pulled_cable_is_said_and_silent(
    cable: tuple[CableLink, Device], caplog: pytest.LogCaptureFixture
) -> None:
    link, device = cable
    device.open(lambda: None)
    read_until(device, has_treadmill, {})
    link.close()
    with pytest.raises(DeviceLost, match="was unplugged .*: plug it in again"):
        read_until(device, lambda s: False, {})
    assert "was unplugged" in caplog.text
    clock.sleep(0.05)
    with pytest.raises(DeviceLost):  # for as long as it is gone
        device.read()


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("make", [KatTreadmill, OmniTreadmill])
def test_what_came_before_it_was_opened_is_forgotten(make: type[KatTreadmill]) -> None:
    link = CableLink()
    old = Treadmill(yaw=-2.0, speed=0.0, direction=0.0, height=0.0)
    for k in range(20):
        link.send(kat_frames(old) if make is KatTreadmill else omni_frame(k, old))
    device = make(link.path)
    device.open(lambda: None)
    for k in range(5):
        link.send(kat_frames(SAMPLE) if make is KatTreadmill else omni_frame(k, SAMPLE))
    sample = read_until(device, has_treadmill, {}).treadmill
    device.close()
    link.close()
    assert sample is not None
    assert_near(sample)


@pytest.mark.parametrize("make", ["kat", "omni", "cyberith"])
def test_treadmills_are_simulated_from_the_command_line(
    make: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if sys.platform == "win32" and make != "cyberith":
        pytest.skip("pseudo-terminals")
    assert simulate.main([make, "--rate", "100", "--duration", "0.1"]) == 0
    said = capsys.readouterr().out
    assert ("127.0.0.1:9770" if make == "cyberith" else "/dev/") in said
    assert "11 samples sent" in said


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
    with pytest.raises(RefusedMessage, match="nan"):  # NaN arrives as such
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


def test_windows_sender_without_the_library() -> None:
    with pytest.raises(SystemExit, match="give --dll PATH"):
        cyberith_sender.main(["--to", "127.0.0.1", "--dll", "/none/CybSDK.dll"])
