"""Treadmills without a treadmill: they send what a real one would send.

The Virtualizer's sender speaks UDP. The KAT Walk and the Omni are on a cable: a
pseudo-terminal stands for it, and its name is what the device is opened with.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Callable

from retarget.errors import DeviceLost
from teleop import clock
from teleop.devices.interface import Treadmill
from teleop.devices.simulators.treadmill_bytes import (
    cyberith_datagram,
    kat_frames,
    omni_frame,
    walker,
)
from teleop.devices.worker import Worker

__all__ = ["CableTreadmill", "CyberithSender", "kat_simulator", "omni_simulator"]

_RATE = 50.0  # [Hz]; the KAT Walk sends 48 frames of each kind in a second
Motion = Callable[[float], Treadmill]


class CyberithSender:
    """Sends the datagrams of a Virtualizer to a port."""

    def __init__(
        self, port: int, *, host: str = "127.0.0.1", motion: Motion = walker
    ) -> None:
        """Take where to send and what the person does at a time [s]."""
        self._address = (host, port)
        self._motion = motion
        self._worker = Worker(f"virtualizer to {host}:{port}", self._work)

    def start(self) -> None:
        """Begin to send."""
        self._worker.start()

    def stop(self) -> None:
        """Stop to send."""
        self._worker.stop()

    def _work(self, stop: threading.Event) -> None:
        begin, sequence = clock.now(), 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            while not stop.wait(1.0 / _RATE):
                data = cyberith_datagram(sequence, self._motion(clock.now() - begin))
                with contextlib.suppress(OSError):  # nobody listens yet
                    sender.sendto(data, self._address)
                sequence += 1


class CableTreadmill:
    """Writes frames to a pseudo-terminal; POSIX only."""

    def __init__(
        self, encode: Callable[[int, Treadmill], bytes], *, motion: Motion = walker
    ) -> None:
        """Take what is sent for a sample and what the person does at a time [s].

        Raises:
            DeviceLost: On a system without pseudo-terminals.
        """
        if sys.platform == "win32":
            raise DeviceLost("no simulated cable on Windows: simulate on Linux")
        import pty
        import tty

        self._encode, self._motion = encode, motion
        self._hand, self._cable = pty.openpty()
        tty.setraw(self._cable)
        os.set_blocking(self._hand, False)
        self.path = os.ttyname(self._cable)
        self.received = b""  # the last bytes that the reader sent
        self._worker = Worker(f"treadmill on {self.path}", self._work)

    def start(self) -> None:
        """Begin to send."""
        self._worker.start()

    def write(self, data: bytes) -> None:
        """Send any bytes; those that do not fit are lost, as on a real cable."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._hand, data)

    def stop(self) -> None:
        """Stop to send; the cable stays plugged in."""
        self._worker.stop()

    def unplug(self) -> None:
        """Pull the cable; may be called twice."""
        self.stop()
        if self._hand >= 0:
            os.close(self._hand)
            os.close(self._cable)
            self._hand = -1

    def _work(self, stop: threading.Event) -> None:
        begin, number = clock.now(), 0
        while not stop.wait(1.0 / _RATE):
            self.write(self._encode(number, self._motion(clock.now() - begin)))
            with contextlib.suppress(BlockingIOError):
                self.received = (self.received + os.read(self._hand, 4096))[-4096:]
            number += 1


def kat_simulator(motion: Motion = walker) -> CableTreadmill:
    """Return a KAT Walk C2+ on a cable, not yet started."""
    return CableTreadmill(lambda _, sample: kat_frames(sample), motion=motion)


def omni_simulator(motion: Motion = walker) -> CableTreadmill:
    """Return a Virtuix Omni on a cable, not yet started."""
    return CableTreadmill(omni_frame, motion=motion)
