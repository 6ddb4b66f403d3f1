"""The operator's side as a device of the robot's session: whoever is there, over a net.

Everything that moves the robot stays here; the other side only tells what its devices
say. A sample is as old as it was measured, by the other side's clock, however it came:
what is older than the deadline moves nothing. All that ends the connection is a device
that is lost, and the session holds.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from telexist.retarget.errors import BadInput, DeviceLost
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceTraits, Mailbox, Worker
from telexist.teleop.devices.remote.control_line import (
    MOST_LINE,
    VERSION,
    ControlLine,
)
from telexist.teleop.devices.remote.identity import Identity, certificate_der
from telexist.teleop.devices.remote.pairing import PairingCode, pairing_proof
from telexist.teleop.devices.remote.peer_input import DEADLINE, PeerInput
from telexist.teleop.devices.remote.picture_sender import PictureSender
from telexist.teleop.terms import DeviceSample, Provides, SessionNews

__all__ = ["RemoteSource"]

SILENCE = 3.0  # [s] without a word over TLS ends a connection
HANDSHAKE = 4.0  # [s]
MOST_CONNECTIONS = 8  # of whomever, at the same time
PING = 0.1  # [s] between two
TOLD = 0.2  # [s] between two words on the session's state
MOST_EVENTS = 20  # that are told at once


class RemoteSource(Device):
    """Listens for one operator's side.

    Attributes:
        code: For pairing; None if nobody can be paired.
        peer: What the operator's side says; None while nobody is there.
    """

    def __init__(
        self, identity: Identity, *, host: str, port: int, pair: bool, still: bool
    ) -> None:
        """Take where to listen; nothing is opened yet.

        Args:
            identity: This side.
            host: Address of this machine; 127.0.0.1 lets nobody else in.
            port: Of TCP and UDP alike; 0 takes any.
            pair: Whether an operator's side may be paired now.
            still: Whether its source may stand still for long.
        """
        self._identity, self._host, self._port = identity, host, port
        self._still = still
        self.code = PairingCode(clock.now()) if pair or not identity.peers else None
        self.peer: PeerInput | None = None
        self._mailbox = Mailbox()
        self._worker: Worker | None = None
        self._tls: ssl.SSLContext | None = None
        self._line: ControlLine | None = None
        self._connections = 0
        self._pictures: PictureSender | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._send: Callable[[bytes, Any], None] = _nowhere
        self._news = SessionNews(state="")
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"operator's side on {self._host}:{self._port}"

    @property
    def provides(self) -> frozenset[Provides]:
        """Whatever the devices there give."""
        return frozenset(Provides)

    @property
    def traits(self) -> DeviceTraits:
        """It is worn: nobody knows here what shows the person there."""
        return DeviceTraits(worn=True, still=self._still, shows=True)

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return DEADLINE

    @property
    def port(self) -> int:
        """The port; the real one once the device is open."""
        return self._port

    @property
    def connected(self) -> bool:
        """Whether an operator's side is there."""
        return self.peer is not None

    @property
    def manual(self) -> str:
        """What to start on the operator's side."""
        word = f"telexist teleoperate --robot remote:HOST:{self._port} --source SOURCE"
        if self.code is None:
            return f"on the operator's side: {word}"
        return (
            f"on the operator's side, within 10 minutes: {word} --pair {self.code.text}"
        )

    def open(self, wake: Callable[[], None]) -> None:
        """Listen.

        Raises:
            DeviceLost: If the port cannot be had.
        """
        if self._worker is not None and self._worker.running:
            return
        self.close()
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        try:
            tcp = socket.create_server((self._host, self._port), family=family)
            self._port = tcp.getsockname()[1]
            udp = socket.socket(family, socket.SOCK_DGRAM)
            udp.bind((self._host, self._port))
            udp.setblocking(False)
        except (OSError, UnicodeError) as error:
            raise DeviceLost(
                f"{self.name}: {error}: choose another place: --listen HOST:PORT"
            ) from error
        self._tls = self._identity.server_context()
        self._mailbox.open(wake)
        self._worker = Worker(
            "remote",
            lambda stop: asyncio.run(self._serve(tcp, udp, stop)),
            self._mailbox.lose,
        )
        self._worker.start()

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self._mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Let the operator's side see and feel what the robot does."""
        if self._loop is not None and self.peer is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._show, feedback)

    def tell(self, news: SessionNews) -> None:
        """Let the operator's side know of the session; any thread may call this."""
        with self._lock:
            events = (*self._news.events, *news.events)[-MOST_EVENTS:]
            fault = news.fault or self._news.fault
            self._news = replace(news, events=events, fault=fault)

    def close(self) -> None:
        """Stop to listen."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
        self._mailbox.close()

    # the thread of the net ------------------------------------------------------------

    async def _serve(
        self, tcp: socket.socket, udp: socket.socket, stop: threading.Event
    ) -> None:
        loop = self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(
            self._meet,
            sock=tcp,
            ssl=self._tls,
            ssl_handshake_timeout=HANDSHAKE,
            limit=MOST_LINE,
        )
        loop.set_exception_handler(lambda *_: None)  # strangers' handshakes
        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Datagrams(self._take_datagram), sock=udp
        )
        self._send = transport.sendto
        try:
            told = clock.now()
            while not stop.is_set():
                await asyncio.sleep(PING)
                self._ping()
                if clock.now() - told >= TOLD:
                    told = clock.now()
                    self._report()
        finally:
            self._send = _nowhere
            transport.close()
            server.close()
            if self._line is not None:
                self._line.close()

    async def _meet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        line = ControlLine(reader, writer)
        self._connections += 1
        try:
            if self._connections > MOST_CONNECTIONS:
                return
            if line.certificate() is None:
                await self._pair(line)
            elif self.peer is not None:
                line.say({"refused": "another operator is connected"})
                await writer.drain()
            else:
                await self._attend(line)
        except ConnectionError:
            pass  # it is gone: `_attend` has said why
        finally:
            self._connections -= 1
            with contextlib.suppress(OSError):
                writer.close()

    async def _pair(self, line: ControlLine) -> None:
        """Let a stranger become a peer who knows the code."""
        asked = await line.hear(HANDSHAKE)
        theirs, proof = asked.get("certificate"), asked.get("proof")
        code, now = self.code, clock.now()
        if code is None or not code.valid(now):
            line.say({"refused": "pairing is over: start telexist robot with --pair"})
            return
        try:
            operator = certificate_der(str(theirs))
        except BadInput:
            line.say({"refused": "no certificate"})
            return
        robot = certificate_der(self._identity.certificate)
        if not code.accepts(str(proof), robot, operator, now):
            line.say({"refused": "the code is wrong, or somebody is in between"})
            return
        self._identity.add_peer(str(theirs))
        if self._tls is not None:
            self._tls.load_verify_locations(cadata=str(theirs))
        back = pairing_proof(code.text, "robot", robot, operator)
        line.say({"proof": back})

    async def _attend(self, line: ControlLine) -> None:
        """Listen to a peer until it is gone."""
        self._line, self.peer = line, PeerInput(self._mailbox)
        peer, reason = self.peer, "it has gone"
        self._pictures = PictureSender(self._send_piece, peer.clock)
        try:
            line.say({"hello": VERSION, "keys": [key.hex() for key in peer.keys]})
            while True:
                message = await line.hear(SILENCE)
                if "requests" in message:
                    peer.take_requests(message)
                self._pictures.hear(message)
        except ConnectionError as error:
            reason = str(error)
        finally:
            self.peer = self._line = self._pictures = None
            self._mailbox.lose(f"the operator's side is gone: {reason}")

    def _take_datagram(self, data: bytes, address: Any) -> None:
        if self.peer is not None:
            self.peer.take_datagram(data, address)
        else:
            detail = "a datagram of nobody we know"
            self._mailbox.drop(clock.now(), "stranger", detail=detail)

    def _show(self, feedback: RobotFeedback) -> None:
        peer, pictures = self.peer, self._pictures
        if peer is None or peer.address is None or pictures is None:
            return
        if feedback.image is not None:
            pictures.offer(feedback)
        if feedback.hand_forces is not None:
            self._send(peer.seal_touch(feedback.hand_forces), peer.address)

    def _send_piece(self, content: bytes) -> None:
        if self.peer is not None and self.peer.address is not None:
            self._send(self.peer.seal_picture(content), self.peer.address)

    def _ping(self) -> None:
        if self.peer is not None and self.peer.address is not None:
            self._send(self.peer.ping(), self.peer.address)

    def _report(self) -> None:
        peer, line = self.peer, self._line
        if peer is None or line is None:
            return
        with self._lock:
            news = self._news
            self._news = replace(news, events=(), fault=False)
        said: dict[str, Any] = {**news.message(), "counts": peer.counts}
        if peer.clock.known and not math.isnan(peer.age):
            said |= {"age": peer.age, "round_trip": peer.clock.round_trip}
        try:
            line.say(said)
        except ConnectionError:
            line.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, take: Callable[[bytes, Any], None]) -> None:
        self._take = take

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self._take(data, addr)


def _nowhere(data: bytes, address: Any) -> None:
    """Send nothing: nobody is connected."""
