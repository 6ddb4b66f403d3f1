"""What the tests of devices share: a short performance, and waiting for a device."""

from __future__ import annotations

import dataclasses
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.signals import HumanClip
from telexist.teleop import clock
from telexist.teleop.devices.base.interface import Device
from telexist.teleop.devices.network.network_device import NetworkDevice
from telexist.teleop.devices.simulators.links.links import UdpLink
from telexist.teleop.terms.device_sample import DeviceSample

PATIENCE = 60.0  # [s] after which a device that says nothing has failed


@dataclass
class Listener:
    """Opens a device, waits for its samples and adds up its drops."""

    device: Device
    woken: threading.Event = field(default_factory=threading.Event)
    dropped: Counter[str] = field(default_factory=Counter)

    def open(self) -> None:
        self.device.open(self.woken.set)

    def read(self) -> DeviceSample | None:
        sample = self.device.read()
        if sample is not None:
            self.dropped.update(dict(sample.dropped))
        return sample

    def wait(self, wanted: Callable[[DeviceSample], bool]) -> DeviceSample:
        """Return the first sample that is wanted."""
        end = clock.now() + PATIENCE
        while clock.now() < end:
            sample = self.read()
            if sample is not None and wanted(sample):
                return sample
            self.woken.wait(0.02)
            self.woken.clear()
        raise AssertionError(f"nothing came; dropped: {dict(self.dropped)}")

    def wait_for_person(self) -> DeviceSample:
        return self.wait(lambda sample: sample.human is not None)

    def wait_for_drop(self, reason: str, count: int = 1) -> None:
        """Wait until so many samples were dropped for a reason."""
        end = clock.now() + PATIENCE
        while self.dropped[reason] < count:
            self.read()
            assert clock.now() < end, f"dropped: {dict(self.dropped)}"
            clock.sleep(0.002)


@pytest.fixture
def listen() -> Callable[[Device], Listener]:
    """Return a function that opens a device; it is closed after the test."""
    opened: list[Device] = []

    def start(device: Device) -> Listener:
        listener = Listener(device)
        opened.append(device)
        listener.open()
        return listener

    yield start
    for device in opened:
        device.close()


@pytest.fixture
def udp_to() -> Callable[[Device], UdpLink]:
    """Return a function that makes a sender to an open device."""
    links: list[UdpLink] = []

    def make(device: NetworkDevice) -> UdpLink:
        links.append(UdpLink(("127.0.0.1", device.port)))
        return links[-1]

    yield make
    for link in links:
        link.close()


@pytest.fixture(scope="session")
def performance() -> HumanClip:
    """Return a second of arms and legs in motion."""
    clip = read_clip("builtin")
    rows = slice(600, 660)
    return dataclasses.replace(
        clip,
        time=clip.time[rows] - clip.time[rows][0],
        rotations=clip.rotations[rows],
        angular_velocities=clip.angular_velocities[rows],
        positions=clip.positions[rows],
        linear_velocities=clip.linear_velocities[rows],
    )
