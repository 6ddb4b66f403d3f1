"""Two sides that know each other, and a net between them that delays and loses."""

from __future__ import annotations

import contextlib
import heapq
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceTraits, Mailbox
from telexist.teleop.devices.remote import (
    Identity,
    OperatorSide,
    RemoteSource,
    pair_with,
)
from telexist.teleop.terms import DeviceSample, Provides, Request


class Hands(Device):
    """A device whose samples the test gives."""

    name, deadline, provides = "test", 0.1, frozenset(Provides)  # type: ignore[assignment]

    def __init__(self) -> None:
        self.mailbox = Mailbox()
        self.sequence, self.shows = 0, False

    @property
    def traits(self) -> DeviceTraits:
        return DeviceTraits(worn=True, shows=self.shows)

    def open(self, wake: Callable[[], None]) -> None:
        self.mailbox.open(wake)

    def read(self) -> DeviceSample | None:
        return self.mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        pass

    def close(self) -> None:
        self.mailbox.close()

    def show_person(self, age: float = 0.0) -> None:
        """Show somebody who was seen `age` ago [s]."""
        self.sequence += 1
        stamp = clock.now() - age
        human = HumanFrame(
            stamp=stamp,
            segments=("Head", "RightHand", "LeftHand"),
            rotations=np.tile(np.eye(3), (3, 1, 1)),
            angular_velocities=np.zeros((3, 3)),
            positions=np.array([[0, 0, 1.7], [0, -0.3, 1.0], [0, 0.3, 1.0]]),
            sequence=self.sequence,
        )
        self.mailbox.put(DeviceSample(stamp=stamp, sequence=self.sequence, human=human))

    def ask(self, *requests: Request) -> None:
        """Press buttons."""
        self.mailbox.put(DeviceSample(stamp=clock.now(), requests=requests))


class Net:
    """A place between the sides: TCP bytes late in order, datagrams late, lost, mixed.

    Attributes:
        delay: One way [s].
        loss: Share of the datagrams, each way.
        jitter: Standard deviation of a datagram's delay [s].
        slow_tcp: What TCP needs more [s].
        cut: Whether nothing goes through any more.
        held: While true datagrams are kept, and come all at once afterwards.
        seen: Datagrams of the operator's side.
    """

    def __init__(self, port: int) -> None:
        self.delay, self.loss, self.jitter = 0.0, 0.0, 0.0
        self.cut = self.held = False
        self.slow_tcp = 0.0
        self.seen: list[bytes] = []
        self._robot, self._rng = ("127.0.0.1", port), np.random.default_rng(7)
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._out.bind(("127.0.0.1", 0))
        self._heap: list[tuple[float, int, bytes, bool]] = []
        self._count, self._operator = 0, None
        self._lines: list[socket.socket] = []
        self._ready, self._ended = threading.Condition(), False
        for work in (self._accept, self._deliver):
            threading.Thread(target=work, daemon=True).start()
        for there in (True, False):
            threading.Thread(target=self._take, args=(there,), daemon=True).start()

    def send(self, data: bytes) -> None:
        """Send a datagram to the robot's side, from the address that it knows."""
        self._out.sendto(data, self._robot)

    def close(self) -> None:
        self._ended, self.cut, self.held = True, False, False
        for end in self._lines:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for end in (self._tcp, self._udp, self._out, *self._lines):
            end.close()
        time.sleep(0.1)  # both sides see it

    def _take(self, there: bool) -> None:
        end = self._udp if there else self._out
        with contextlib.suppress(OSError):
            while not self._ended:
                data, address = end.recvfrom(2048)
                if there:
                    self._operator = address
                    self.seen.append(data)
                if self.cut or self._rng.random() < self.loss:
                    continue
                late = max(self.delay + self.jitter * self._rng.standard_normal(), 0.0)
                with self._ready:
                    self._count += 1
                    due = time.perf_counter() + late
                    heapq.heappush(self._heap, (due, self._count, data, there))
                    self._ready.notify()

    def _deliver(self) -> None:
        with contextlib.suppress(OSError):
            while not self._ended:
                with self._ready:
                    now = time.perf_counter()
                    if self.held or not self._heap or self._heap[0][0] > now:
                        wait = self._heap[0][0] - now if self._heap else 0.05
                        self._ready.wait(min(max(wait, 1e-4), 0.05))
                        continue
                    _, _, data, there = heapq.heappop(self._heap)
                if there:
                    self._out.sendto(data, self._robot)
                elif self._operator is not None:
                    self._udp.sendto(data, self._operator)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while not self._ended:
                here, _ = self._tcp.accept()
                there = socket.create_connection(self._robot)
                self._lines += [here, there]
                for a, b in ((here, there), (there, here)):
                    threading.Thread(
                        target=self._relay, args=(a, b), daemon=True
                    ).start()

    def _relay(self, a: socket.socket, b: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := a.recv(65536):
                begin = time.perf_counter()
                while self.cut or self.held:
                    time.sleep(0.01)
                late = self.delay + self.slow_tcp
                time.sleep(max(begin + late - time.perf_counter(), 0.0))
                b.sendall(data)
        for end in (a, b):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Sides:
    """Both sides, the robot's one open.

    Attributes:
        source: The robot's side.
        device: What the operator's side reads.
        lines: What the operator was told.
    """

    def __init__(self, folder: Path) -> None:
        self.robot, self.operator = Identity(folder / "r"), Identity(folder / "o")
        self.source = RemoteSource(
            self.robot, host="127.0.0.1", port=0, pair=True, still=False
        )
        self.source.open(lambda: None)
        self.lines: list[str] = []
        self.device = Hands()
        self._running: list[tuple[OperatorSide, threading.Thread]] = []

    def pair(self) -> None:
        assert self.source.code is not None
        pair_with(self.operator, ("127.0.0.1", self.source.port), self.source.code.text)

    def connect(self, port: int | None = None) -> OperatorSide:
        """Begin the operator's side."""
        place = ("127.0.0.1", port or self.source.port)
        side = OperatorSide(self.operator, place, [self.device], self.lines.append)
        thread = threading.Thread(target=side.run, daemon=True)
        thread.start()
        self._running.append((side, thread))
        until(lambda: side.connected and self.source.connected)
        until(lambda: self.source.peer.clock.known)
        return side

    def close(self) -> None:
        for side, thread in self._running:
            side.stop()
            thread.join(10.0)
        self.source.close()


def until(true: Callable[[], object], patience: float = 20.0) -> None:
    """Wait for something that must come."""
    end = clock.now() + patience
    while not true():
        assert clock.now() < end, "it did not come"
        clock.sleep(0.005)


@pytest.fixture
def sides(tmp_path: Path) -> Iterator[Sides]:
    """Two sides that know each other."""
    both = Sides(tmp_path)
    both.pair()
    yield both
    both.close()


@pytest.fixture
def net(sides: Sides) -> Iterator[Net]:
    """A net in front of the robot's side."""
    between = Net(sides.source.port)
    yield between
    between.close()


@pytest.fixture(name="until")
def _until() -> Callable[..., None]:
    return until


@pytest.fixture
def make_net() -> Callable[[int], Net]:
    """Return a maker of nets in front of a port."""
    return Net
