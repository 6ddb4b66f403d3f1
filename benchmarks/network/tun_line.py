"""Machines that are network namespaces, joined by lines that this program plays.

Each machine has a TUN device whose packets come here; they are delayed, lost and
limited as packets, so TCP, UDP and whatever else behave as on a real path. A machine
behind a NAT is reached only by those to whom it has spoken before. Linux, as root.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import heapq
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

__all__ = ["Line", "Machine", "enter_machine", "start_machine"]

_NEWNET, _TUNSETIFF, _TUN, _NO_INFO = 0x40000000, 0x400454CA, 0x0001, 0x1000
_MTU = 1500  # [bytes]
_QUEUE = 0.2  # [s] of a limited line, beyond which packets are lost
REALTIME = 5  # priority


@dataclass(slots=True, kw_only=True)
class Machine:
    """One machine: its address, its program, and the end of its line here."""

    address: str
    program: subprocess.Popen[str]
    tun: int


def enter_machine(address: str, door: int) -> None:
    """Become a machine: a namespace of its own with one address; for a role's begin.

    Args:
        address: IPv4, of a net 10.0.0.0/8.
        door: Socket over which the line's end goes to the program that plays it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEWNET):
        raise OSError(ctypes.get_errno(), "no namespace: run as root")
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, _TUNSETIFF, struct.pack("16sH", b"line0", _TUN | _NO_INFO))
    for words in (
        "link set lo up",
        f"addr add {address}/8 dev line0",
        f"link set line0 mtu {_MTU} up",
    ):
        subprocess.run(["ip", *words.split()], check=True)
    with socket.socket(fileno=door) as way:
        fds = array.array("i", [tun])
        way.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
    os.close(tun)
    be_on_time()


def be_on_time() -> None:
    """Ask for a real-time priority; without it a busy machine is what is measured."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(REALTIME))
    except (OSError, AttributeError):
        sys.stderr.write("no real-time priority: times are this machine's, too\n")


def start_machine(address: str, module: str, words: Sequence[str]) -> Machine:
    """Start a role's program; it calls `enter_machine` with what it is told."""
    here, there = socket.socketpair()
    program = subprocess.Popen(
        [sys.executable, "-m", module, address, str(there.fileno()), *words],
        pass_fds=[there.fileno()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    there.close()
    with here:
        _, found, _, _ = here.recvmsg(1, socket.CMSG_SPACE(4))
    if not found:
        raise OSError(f"{address} did not start: run as root, with /dev/net/tun")
    tun = array.array("i", found[0][2])[0]
    return Machine(address=address, program=program, tun=tun)


@dataclass(slots=True)
class Line:
    """Carries the packets of some machines, in a thread of its own.

    Attributes:
        machines: By address.
        delay: One way [s].
        loss: Share of the packets.
        jitter: Standard deviation of a packet's delay [s].
        rate: Of each machine's line [bit/s].
        behind_nat: Addresses of those who must speak first.
        cut: Whether nothing goes through.
    """

    machines: Mapping[str, Machine]
    delay: float = 0.0
    loss: float = 0.0
    jitter: float = 0.0
    rate: float = 20e6
    behind_nat: frozenset[str] = frozenset()
    cut: bool = False
    refused: int = 0
    _heap: list[tuple[float, int, int, bytes]] = field(default_factory=list)
    _free: dict[int, float] = field(default_factory=dict)
    _spoken: set[tuple[bytes, ...]] = field(default_factory=set)
    _count: int = 0
    _ended: bool = False

    def start(self) -> None:
        """Begin to carry."""
        threading.Thread(target=self._carry, daemon=True).start()

    def end(self) -> None:
        """Carry no more."""
        self._ended = True

    def _carry(self) -> None:
        be_on_time()
        random = np.random.default_rng(7)
        tuns = {machine.tun for machine in self.machines.values()}
        ways = {socket.inet_aton(a): m.tun for a, m in self.machines.items()}
        while not self._ended:
            now = time.monotonic()
            wait = self._heap[0][0] - now if self._heap else 0.02
            ready, _, _ = select.select(tuns, [], [], min(max(wait, 0.0), 0.02))
            for tun in ready:
                self._take(tun, os.read(tun, 65536), ways, random)
            now = time.monotonic()
            while self._heap and self._heap[0][0] <= now:
                _, _, tun, packet = heapq.heappop(self._heap)
                os.write(tun, packet)

    def _take(
        self,
        tun: int,
        packet: bytes,
        ways: Mapping[bytes, int],
        random: np.random.Generator,
    ) -> None:
        to = ways.get(packet[16:20]) if packet[0] >> 4 == 4 else None
        if to is None or self.cut or random.random() < self.loss:
            return
        if not self._passes(packet):
            self.refused += 1
            return
        now = time.monotonic()
        free = max(self._free.get(tun, now), now) + 8.0 * len(packet) / self.rate
        if free - now > _QUEUE:
            return
        self._free[tun] = free
        late = max(self.delay + self.jitter * random.standard_normal(), 0.0)
        self._count += 1
        heapq.heappush(self._heap, (free + late, self._count, to, packet))

    def _passes(self, packet: bytes) -> bool:
        """Whether a NAT lets it through; what goes out opens the way back."""
        if not self.behind_nat:
            return True
        ports = 4 * (packet[0] & 15)
        source, target = packet[12:16], packet[16:20]
        out, into = packet[ports : ports + 2], packet[ports + 2 : ports + 4]
        self._spoken.add((packet[9:10], source, out, target, into))
        if socket.inet_ntoa(target) not in self.behind_nat:
            return True
        return (packet[9:10], target, into, source, out) in self._spoken
