"""The programs on the two machines, and the relay's: started by `two_machines.py`.

    python -m telexist.benchmarks.network.sides ADDRESS DOOR ROLE FOLDER SECONDS PLACE

Both run our real two sides: mutual TLS, sealed datagrams, pictures. Namespaces share
one monotonic clock, so the ages that are measured are the true ones.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from telexist.benchmarks.network.tun_line import enter_machine
from telexist.retarget.errors import DeviceLost
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import Device, DeviceTraits, Mailbox
from telexist.teleop.devices.remote import (
    Identity,
    OperatorSide,
    RemoteSource,
)
from telexist.teleop.terms import DeviceSample, Provides

__all__ = ["main"]

PORT = 7788
RATE, LOOP, PICTURES = 90.0, 0.01, 1.0 / 30.0  # [Hz], [s], [s]
SETTLE = 3.0  # [s] for clock and pictures
_PDEATHSIG = 1  # of prctl
VPN = {"hub": "10.9.0.1", "robot": "10.9.0.2", "operator": "10.9.0.3"}


class _Operator(Device):
    """A person who is there, and eyes that note when a picture came."""

    name, deadline, provides = "bench", 0.1, frozenset(Provides)

    def __init__(self) -> None:
        self.mailbox, self.number = Mailbox(), 0
        self.pictures: list[tuple[float, float]] = []

    @property
    def traits(self) -> DeviceTraits:
        return DeviceTraits(worn=True, shows=True)

    def open(self, wake: Callable[[], None]) -> None:
        self.mailbox.open(wake)

    def read(self) -> DeviceSample | None:
        return self.mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        if feedback.jpeg is not None:
            self.pictures.append((time.monotonic(), feedback.stamp))

    def close(self) -> None:
        self.mailbox.close()

    def appear(self) -> None:
        """Leave one sample; it moves a little, as people do."""
        self.number += 1
        now = time.monotonic()
        sway = 0.01 * np.sin(3.0 * now)
        human = HumanFrame(
            stamp=now,
            segments=("Head", "RightHand", "LeftHand"),
            rotations=np.tile(np.eye(3), (3, 1, 1)),
            angular_velocities=np.zeros((3, 3)),
            positions=np.array([[sway, 0, 1.7], [0, -0.3, 1.0], [0, 0.3, 1.0]]),
            sequence=self.number,
        )
        self.mailbox.put(DeviceSample(stamp=now, sequence=self.number, human=human))


def main() -> None:
    """Become the machine and play the role; print what was measured as JSON."""
    address, door, role, folder, seconds, place = sys.argv[1:7]
    enter_machine(address, int(door))
    vpn = None
    if place.startswith("vpn:"):
        vpn = _join_vpn(role, Path(folder), place.removeprefix("vpn:"))
        place = VPN["robot"]
    try:
        if role == "robot":
            _robot(Path(folder), float(seconds))
        elif role == "operator":
            _operator(Path(folder), float(seconds), place)
        else:
            sys.stdin.read()  # until the program that plays the line has ended
    finally:
        if vpn is not None:
            vpn.terminate()
            vpn.wait(10.0)


def _robot(folder: Path, seconds: float) -> None:
    identity = Identity(folder / "robot")
    source = RemoteSource(identity, host="0.0.0.0", port=PORT, pair=False, still=False)
    source.open(lambda: None)
    random = np.random.default_rng(0)
    image = np.zeros((480, 640, 3), np.uint8)
    image[:] = np.linspace(0, 255, 640)[None, :, None]
    grain = random.integers(0, 60, (480, 640, 3), dtype=np.uint8)
    stop = threading.Event()

    def show() -> None:
        due, k = time.monotonic(), 0
        while not stop.is_set():
            k, due = k + 1, due + PICTURES
            picture = image + np.roll(grain, 7 * k, axis=1)
            source.show(RobotFeedback(stamp=time.monotonic(), image=picture))
            time.sleep(max(due - time.monotonic(), 0.0))

    eyes = threading.Thread(target=show)
    eyes.start()
    ages, newest, lost, come = [], None, 0.0, None
    shown: list[float] = []
    while come is None or time.monotonic() - come < seconds + SETTLE:
        try:
            sample = source.read()
        except DeviceLost:
            sample = None
        now = time.monotonic()
        if sample is not None and sample.human is not None:
            newest = sample.human
            come = come or now
            if source.peer is not None:
                shown.append(source.peer.age)
        if come is not None and now - come > SETTLE and newest is not None:
            ages.append(now - newest.stamp)
        time.sleep(LOOP)
    clock = source.peer.clock if source.peer is not None else None
    offset = None if clock is None else clock.ours(0.0)
    stop.set()
    eyes.join()
    source.close()
    _say({"ages": ages, "offset": offset, "shown": shown, "lost": lost})


def _operator(folder: Path, seconds: float, place: str) -> None:
    device = _Operator()
    side = OperatorSide(
        Identity(folder / "operator"), (place, PORT), [device], lambda line: None
    )
    thread = threading.Thread(target=side.run)
    thread.start()
    due = begin = time.monotonic()
    while not side.connected and time.monotonic() - begin < 60.0:
        time.sleep(0.05)
    begin = due = time.monotonic()
    while time.monotonic() - begin < seconds + SETTLE + 1.0:
        device.appear()
        due += 1.0 / RATE
        time.sleep(max(due - time.monotonic(), 0.0))
    side.stop()
    thread.join(10.0)
    end = begin + SETTLE
    _say({"pictures": [p for p in device.pictures if end < p[0] < end + seconds]})


def _join_vpn(role: str, folder: Path, hub: str) -> subprocess.Popen[bytes]:
    """Join a net by OpenVPN's hub, which everybody only ever calls; wait for it."""
    keys = ["--cert", str(folder / f"{role}.crt"), "--key", str(folder / f"{role}.key")]
    words = ["--dev", "tun", "--topology", "subnet", "--proto", "udp", "--port", "1194"]
    if role == "hub":
        prints = (folder / "prints").read_text().split()
        words += ["--server", "10.9.0.0", "255.255.255.0", "--client-to-client"]
        for known in prints:
            words += ["--peer-fingerprint", known]
        words += ["--dh", "none"]
        words += ["--client-config-dir", str(folder / "ccd"), "--keepalive", "2", "20"]
    else:
        words += ["--client", "--nobind", "--remote", hub]
        words += ["--peer-fingerprint", (folder / "hubprint").read_text().strip()]
    vpn = subprocess.Popen(
        ["openvpn", *words, *keys, "--verb", "1"],
        stdout=subprocess.DEVNULL,
        preexec_fn=_die_with_parent,
    )
    for _ in range(200):
        out = subprocess.run(["ip", "addr"], capture_output=True, text=True, check=True)
        if VPN[role] in out.stdout:
            return vpn
        time.sleep(0.1)
    raise OSError("OpenVPN did not come up")


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGKILL)


def _say(said: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(said))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
    os._exit(0)
