"""One output of a port of ours: a thread that sends the newest message."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from telexist.retarget.errors import RobotLost
from telexist.robots.yarp.network.contact import Contact
from telexist.robots.yarp.network.port_link import PortLink
from telexist.robots.yarp.wire import Envelope

__all__ = ["Output"]

ACKNOWLEDGED = 1.0  # [s] in which a reader must acknowledge; else it is reconnected

_log = logging.getLogger(__name__)


class Output:
    """Sends what is newest; what came in between is dropped, nobody ever waits."""

    def __init__(
        self,
        contact: Contact,
        own_name: str,
        carrier: str,
        *,
        find: Callable[[], Contact | None] | None = None,
    ) -> None:
        """Connect.

        Args:
            contact: Where to.
            own_name: Of the port that sends.
            carrier: "tcp" or "fast_tcp".
            find: Says where the other port is now, when it was lost.

        Raises:
            RobotLost: If the other port is not there.
        """
        self.contact, self.carrier = contact, carrier
        self._own_name, self._find = own_name, find
        self._link: PortLink | None = PortLink(contact, own_name, carrier=carrier)
        self._news = threading.Condition()
        self._waiting: tuple[bytes, Envelope | None] | None = None
        self._ending = False
        self._thread = threading.Thread(
            target=self._run, name=f"yarp {own_name} out", daemon=True
        )
        self._thread.start()

    def put(self, payload: bytes, envelope: Envelope | None) -> None:
        """Send a message soon, instead of any that still waits; returns at once."""
        with self._news:
            self._waiting = payload, envelope
            self._news.notify()

    def close(self) -> None:
        """Say goodbye; may be called twice."""
        with self._news:
            self._ending = True
            self._news.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._ending or self._waiting is not None)
                message, self._waiting = self._waiting, None
                if self._ending:
                    break
            if message is not None:
                self._send(*message)
        if self._link is not None:
            self._link.close()

    def _send(self, payload: bytes, envelope: Envelope | None) -> None:
        try:
            if self._link is None:
                if self._find is not None:  # it may have come back elsewhere
                    self.contact = self._find() or self.contact
                self._link = PortLink(
                    self.contact, self._own_name, carrier=self.carrier
                )
            self._link.send(payload, envelope)
            if self._link.take_acknowledgement(ACKNOWLEDGED):
                return
            _log.warning("%s does not acknowledge: reconnecting", self.contact.name)
        except RobotLost as error:
            _log.debug("%s: %s", self._own_name, error)
        if self._link is not None:
            with contextlib.suppress(OSError):
                self._link.drop()
            self._link = None
        with self._news:
            if not self._ending:
                self._news.wait_for(lambda: self._ending, timeout=0.5)
