"""Two sockets to a server of NatNet: one to ask and be answered, one for a group.

NatNet's server sends to those only that have asked; so this source speaks first. By
unicast all comes to the socket that asked, as long as it says that it is still there.
"""

from __future__ import annotations

import contextlib
import logging
import select
import socket
import threading
from typing import Protocol

from telexist.retarget.errors import DeviceLost
from telexist.teleop import clock
from telexist.teleop.devices.base import Mailbox, RefusedMessage, Worker
from telexist.teleop.devices.network import PacketHandler, listening_socket

__all__ = ["NatNetSource", "NatNetTalk"]

logger = logging.getLogger(__name__)

_PATIENCE = 0.05  # [s] between two looks at whether to stop or to ask
_LONGEST = 65536  # [bytes] of a datagram
_BUFFER = 1 << 20  # [bytes] of the kernel


class NatNetTalk(PacketHandler, Protocol):
    """Takes what comes, and says what is to be asked."""

    def questions(self, now: float) -> list[bytes]:
        """Return the messages to send to the server at a time [s]."""


class NatNetSource:
    """Asks a server and hands what it sends to a handler; nobody else is heard."""

    def __init__(
        self,
        handler: NatNetTalk,
        mailbox: Mailbox,
        *,
        server: tuple[str, int],
        host: str,
        group: tuple[str, int] | None = None,
    ) -> None:
        """Take who is asked; nothing is opened yet.

        Args:
            handler: Takes the messages, in this source's thread.
            mailbox: Where refusals are counted.
            server: Its host and command port.
            host: Address of this machine towards the server.
            group: Address and port of a multicast group; None is unicast.
        """
        self._handler, self._mailbox = handler, mailbox
        self._server, self._host, self._group = server, host, group
        self._sockets: list[socket.socket] = []
        self._address = ""
        self._worker = Worker(f"natnet {server[0]}", self._talk, mailbox.lose)

    @property
    def port(self) -> int:
        """The port of this machine that asks; 0 before it is open."""
        return int(self._sockets[0].getsockname()[1]) if self._sockets else 0

    def open(self) -> None:
        """Begin to ask.

        Raises:
            DeviceLost: If the server's name means nothing, or a port cannot be had.
        """
        if self._worker.running:
            return
        try:
            self._address = socket.gethostbyname(self._server[0])
        except OSError as error:
            raise DeviceLost(f"no host called '{self._server[0]}'") from error
        self._sockets = [listening_socket(socket.SOCK_DGRAM, self._host, 0)]
        try:
            if self._group is not None:
                self._sockets.append(_joined(self._group, self._host))
        except OSError as error:
            self.close()
            where = "{}:{}".format(*self._group) if self._group else ""
            raise DeviceLost(
                f"cannot join the group {where} on {self._host}: {error}; say which of "
                "this machine's addresses is on Motive's network with ?local="
            ) from error
        for own in self._sockets:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
            own.setblocking(False)
        self._worker.start()

    def close(self) -> None:
        """Stop to ask."""
        self._worker.stop()
        for own in self._sockets:
            own.close()
        self._sockets = []

    def _talk(self, stop: threading.Event) -> None:
        sockets = list(self._sockets)
        while not stop.is_set():
            for question in self._handler.questions(clock.now()):
                with contextlib.suppress(OSError):  # nobody there yet: asked again
                    sockets[0].sendto(question, (self._address, self._server[1]))
            ready, _, _ = select.select(sockets, [], [], _PATIENCE)
            for own in ready:
                self._receive(own)

    def _receive(self, own: socket.socket) -> None:
        try:
            data, address = own.recvfrom(_LONGEST)
        except OSError:  # refused by a server that is not there
            return
        stamp = clock.now()
        sender = "{}:{}".format(*address)
        if address[0] != self._address:
            self._mailbox.drop(stamp, "stranger", detail=f"sent by {sender}")
            return
        try:
            self._handler.handle(data, stamp)
        except RefusedMessage as refusal:
            detail = f"{refusal.problem}, sent by {sender}"
            self._mailbox.drop(stamp, refusal.reason, detail=detail)
        except Exception as error:
            # A thread that dies leaves a robot without operator: count and go on.
            logger.warning("natnet: a datagram: %r", error)
            self._mailbox.drop(stamp, "error")


def _joined(group: tuple[str, int], host: str) -> socket.socket:
    """Return a socket that hears a multicast group on one of our addresses."""
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(group)  # the group's own address: nothing else comes in
        member = socket.inet_aton(group[0]) + socket.inet_aton(host)
        own.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    except OSError:
        own.close()
        raise
    return own
