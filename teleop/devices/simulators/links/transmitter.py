"""Sends what a simulator plays at the right times, through a line with faults."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from telexist.teleop import clock
from telexist.teleop.devices.base import Worker
from telexist.teleop.devices.simulators.faults import FaultLine
from telexist.teleop.devices.simulators.links.links import SenderLink
from telexist.teleop.devices.simulators.senders import TimedPackets

__all__ = ["Transmitter"]


class Transmitter:
    """Plays in real time; in a thread of its own by `start` and `stop`."""

    def __init__(
        self, packets: Iterable[TimedPackets], link: SenderLink, line: FaultLine
    ) -> None:
        """Take what is played, where it goes and what goes wrong on the way."""
        self._packets, self._link, self._line = packets, link, line
        self._worker = Worker("simulator", self.run)
        self.sent = 0
        """How many samples were played."""

    @property
    def running(self) -> bool:
        """Whether the thread still plays."""
        return self._worker.running

    def start(self) -> None:
        """Begin to play."""
        self._worker.start()

    def stop(self) -> None:
        """Stop to play and close the link."""
        self._worker.stop()
        self._link.close()

    def run(self, stop: threading.Event, duration: float | None = None) -> None:
        """Play until the end, until told to stop, or for a time.

        Args:
            stop: Set to stop.
            duration: For how long [s]; None for ever.
        """
        begin = clock.now()
        for timed in self._packets:
            if duration is not None and timed.time > duration:
                break
            if not self._wait(begin + timed.time, stop):
                return
            now = clock.now()
            for packet in timed.packets:
                self._line.push(packet, now)
            self._deliver(clock.now())
            self.sent += 1
        while (last := self._line.next_arrival()) is not None:
            if not self._wait(last, stop):
                return

    def _wait(self, time: float, stop: threading.Event) -> bool:
        """Deliver what arrives until `time` [s]; return whether to go on."""
        while not stop.is_set():
            self._deliver(clock.now())
            arrival = self._line.next_arrival()
            target = time if arrival is None else min(time, arrival)
            left = target - clock.now()
            if left > 0.0:
                stop.wait(left)
            elif target >= time:
                self._deliver(clock.now())
                return True
        return False

    def _deliver(self, now: float) -> None:
        for packet in self._line.due(now):
            self._link.send(packet)
