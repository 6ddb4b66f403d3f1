"""A port of our own: others connect to it, ask it, or are sent what it writes."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import zlib
from collections.abc import Callable

from telexist.retarget.errors import BadMessage, DeviceLost, RobotLost
from telexist.robots.yarp.network.name_client import NameClient
from telexist.robots.yarp.network.output import Output
from telexist.robots.yarp.network.port_session import PortSession
from telexist.robots.yarp.wire import (
    FAIL,
    Bottle,
    Dialect,
    Envelope,
    FrameReader,
    Item,
    Vocab,
    decode_bottle,
    encode_bottle,
)

__all__ = ["Port"]

MOST_CONNECTIONS = 64
GREETING = 10.0  # [s] until a connection must have said who it is
OUTPUTS = ("tcp", "fast_tcp")

OnMessage = Callable[[bytes, Envelope | None, str], None]
OnQuestion = Callable[[Bottle, str], Bottle]

_log = logging.getLogger(__name__)


class Port:
    """Listens under a name; one thread a connection."""

    def __init__(
        self,
        name: str,
        names: NameClient,
        *,
        dialect: Dialect,
        host: str = "127.0.0.1",
        port: int = 0,
        on_message: OnMessage | None = None,
        on_question: OnQuestion | None = None,
    ) -> None:
        """Describe the port; `open` makes it known.

        Args:
            name: Beginning with "/".
            names: The name server.
            dialect: Of its messages.
            host: Address to listen on; the default is this machine only.
            port: Number; 0 takes any.
            on_message: Called with payload, stamp and source, in threads of ours.
            on_question: Called with a question and its source; returns the reply.
        """
        self.name, self.dialect, self.host, self.port = name, dialect, host, port
        self._names = names
        self._on_message, self._on_question = on_message, on_question
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self._acceptor = threading.current_thread()
        self._inputs: dict[socket.socket, PortSession] = {}
        self._datagrams: dict[str, socket.socket] = {}
        self.outputs: dict[str, Output] = {}

    def open(self) -> None:
        """Listen, and register; may be called twice.

        Raises:
            DeviceLost: If the address is taken or not ours.
            RobotLost: If there is no name server.
        """
        if self._listener is not None:
            return
        try:
            listener = socket.create_server((self.host, self.port), backlog=32)
        except OSError as error:
            raise DeviceLost(
                f"cannot listen on {self.host}:{self.port} for {self.name}: {error}"
            ) from error
        self.port = int(listener.getsockname()[1])
        self._listener = listener
        self._acceptor = threading.Thread(
            target=self._accept, args=(listener,), name=f"yarp {self.name}", daemon=True
        )
        self._acceptor.start()
        try:
            self._names.register(self.name, self.host, self.port)
        except BaseException:
            self.close()
            raise

    def connect(self, name: str, carrier: str = "tcp") -> None:
        """Send all that is written from now on to another port, too.

        Raises:
            RobotLost: If there is no such port.
        """
        contact = self._names.query(name)
        if contact is None:
            raise RobotLost(f"there is no YARP port called {name}")
        output = Output(
            contact, self.name, carrier, find=lambda: self._names.query(name)
        )
        self.disconnect(name)
        with self._lock:
            self.outputs[name] = output

    def disconnect(self, name: str) -> bool:
        """Send nothing to another port any more; return whether anything was sent."""
        with self._lock:
            output = self.outputs.pop(name, None)
        if output is not None:
            output.close()
        return output is not None

    def write(self, items: list[Item], envelope: Envelope | None = None) -> None:
        """Send values to every port that is connected; never blocks."""
        with self._lock:
            outputs = tuple(self.outputs.values())
        if outputs:
            payload = encode_bottle(items, self.dialect)
            for output in outputs:
                output.put(payload, envelope)

    def input_names(self) -> list[str]:
        """Return the names of the ports that are connected to this one."""
        with self._lock:
            sessions = tuple(self._inputs.values())
        names = [s.source for s in sessions if s.carrier and s.carrier != "udp"]
        return [*names, *self._datagrams]

    def close(self) -> None:
        """Take the port away; may be called twice."""
        if self._listener is not None:
            self.abandon()
            with contextlib.suppress(RobotLost):
                self._names.unregister(self.name)

    def abandon(self) -> None:
        """End everything without a word, as a process that was killed."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
            if threading.current_thread() is not self._acceptor:
                self._acceptor.join()
        self.drop_inputs()
        for name in tuple(self.outputs):
            self.disconnect(name)

    def drop_inputs(self) -> None:
        """End every connection to this port."""
        with self._lock:
            links = (*self._inputs, *self._datagrams.values())
            self._inputs.clear()
            self._datagrams.clear()
        for link in links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()

    # ---- what a session asks of its owner ------------------------------

    def take_message(
        self, payload: bytes, envelope: Envelope | None, source: str, *, reply: bool
    ) -> Bottle | None:
        """Hand a message to whoever made this port; return the reply, if any."""
        if self._on_question is not None and reply:
            try:
                return self._on_question(decode_bottle(payload, self.dialect), source)
            except BadMessage as error:
                _log.debug("%s: %s", self.name, error)
                return None
        if self._on_message is not None and payload:
            self._on_message(payload, envelope, source)
        return None

    def take_admin(self, command: Bottle) -> Bottle:
        """Obey a command to the port itself."""
        words: Bottle = [w.word if isinstance(w, Vocab) else w for w in command]
        if words[:1] in (["ver"], ["help"]):
            return self._about(str(words[0]))
        if words[:2] == ["list", "in"]:
            return self._list_in(words[2:])
        if words[:2] == ["list", "out"]:
            return self._list_out(words[2:])
        if words[:1] == ["add"] and len(words) > 1:
            return self._add([str(word) for word in words[1:]])
        if words[:1] == ["del"] and len(words) == 2:
            return self._delete(str(words[1]))
        return [FAIL, "send [help] for list of valid commands"]

    def describe(self) -> list[str]:
        """Return lines about the port and its connections."""
        outputs = [
            f"There is an output connection from {self.name} to {name} "
            f"using {o.carrier}"
            for name, o in tuple(self.outputs.items())
        ]
        with self._lock:
            sessions = tuple(self._inputs.values())
        inputs = [
            f"There is an input connection from {s.source} to {self.name} "
            f"using {s.carrier}"
            for s in sessions
            if s.carrier
        ]
        return [
            f"This is {self.name} at tcp://{self.host}:{self.port}/",
            *(outputs or ["There are no outgoing connections"]),
            *(inputs or ["There are no incoming connections"]),
        ]

    def remove_input(self, source: str) -> str:
        """End the connections from a port."""
        with self._lock:
            links = [k for k, s in self._inputs.items() if s.source == source]
            datagrams = self._datagrams.pop(source, None)
        for link in (*links, *([datagrams] if datagrams else [])):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()
        return f"Removing connection from {source} to {self.name}"

    def answer_handshake(self, carrier: str, source: str) -> int:
        """Return our number, or for udp that of a socket made for this source."""
        return self._open_datagrams(source) if carrier == "udp" else self.port

    # ---- commands to the port ------------------------------

    @staticmethod
    def _about(word: str) -> Bottle:
        if word == "ver":
            return [Vocab("ver"), 1, 2, 3]
        lines = (
            "[ver]",
            "[list] [in]",
            "[list] [out]",
            "[add] $portname",
            "[del] $portname",
        )
        return [Vocab("many"), *lines]

    def _list_in(self, names: list[Item]) -> Bottle:
        inputs = self.input_names()
        if not names:
            return list(inputs)
        name = str(names[0]).strip('"')
        return self._link_words(name, self.name, "tcp") if name in inputs else []

    def _list_out(self, names: list[Item]) -> Bottle:
        if not names:
            return list(self.outputs)
        output = self.outputs.get(str(names[0]))
        if output is None:
            return []
        return self._link_words(self.name, str(names[0]), output.carrier)

    @staticmethod
    def _link_words(source: str, to: str, carrier: str) -> Bottle:
        return [["from", source], ["to", to], ["carrier", carrier]]

    def _add(self, words: list[str]) -> Bottle:
        carrier, _, rest = words[0].rpartition("://")
        name = words[0] if not carrier else "/" + rest.lstrip("/")
        carrier = carrier or (words[1] if len(words) > 1 else "tcp")
        if carrier not in OUTPUTS:
            return [
                1,
                f"No way to connect by {carrier}: only by {' or '.join(OUTPUTS)}\r\n",
            ]
        try:
            self.connect(name, carrier)
        except RobotLost as error:
            return [1, f"Cannot make connection to '{name}': {error}\r\n"]
        return [
            0,
            f"Added connection from {self.name} to {carrier}://{name.lstrip('/')}\r\n",
        ]

    def _delete(self, name: str) -> Bottle:
        if self.disconnect(name):
            return [0, f"Removed connection from {self.name} to {name}\r\n"]
        if name in self.input_names():
            self.remove_input(name)
            return [0, f"Removing connection from {name} to {self.name}\r\n"]
        return [1, f"Could not find an outgoing connection to {name}\r\n"]

    # ---- sockets ------------------------------

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                return
            session = PortSession(self)
            with self._lock:
                crowded = len(self._inputs) >= MOST_CONNECTIONS
                if not crowded:
                    self._inputs[link] = session
            if crowded:
                _log.warning("%s has too many connections: one is refused", self.name)
                link.close()
                continue
            threading.Thread(
                target=self._serve,
                args=(link, session),
                name=f"yarp {self.name} in",
                daemon=True,
            ).start()

    def _serve(self, link: socket.socket, session: PortSession) -> None:
        try:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.settimeout(GREETING)
            while not session.over:
                data = link.recv(65536)
                if not data:
                    break
                answer = session.feed(data)
                if answer:
                    link.sendall(answer)
                if session.carrier:
                    link.settimeout(None)
        except (BadMessage, OSError) as error:
            _log.debug("%s: %s: %s", self.name, session.source, error)
        finally:
            with self._lock:
                self._inputs.pop(link, None)
            link.close()

    def _open_datagrams(self, source: str) -> int:
        if source in self._datagrams:
            self.remove_input(source)
        taker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        taker.bind((self.host, 0))
        with self._lock:
            self._datagrams[source] = taker
        threading.Thread(
            target=self._take_datagrams,
            args=(taker, source),
            name=f"yarp {self.name} udp",
            daemon=True,
        ).start()
        return int(taker.getsockname()[1])

    def _take_datagrams(self, taker: socket.socket, source: str) -> None:
        """Read frames from datagrams: int32 checksum of the rest, int32 part, bytes."""
        reader = FrameReader()
        while True:
            try:
                data = taker.recv(65536)
            except OSError:
                return
            if len(data) < 8 or zlib.crc32(data[8:]) != int.from_bytes(
                data[:4], "little"
            ):
                continue
            part = int.from_bytes(data[4:8], "little", signed=True)
            if part <= 0:
                reader = FrameReader()
            reader.feed(data[8:])
            try:
                while part >= 0 and (frame := reader.frame()) is not None:
                    if frame.command in ("D", "d"):
                        self.take_message(
                            frame.payload, frame.envelope, source, reply=False
                        )
            except BadMessage:
                reader = FrameReader()
