"""A port of ours that keeps itself connected to ports of others."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable

from telexist.retarget.errors import RobotLost, TelexistError
from telexist.robots.yarp.network.contact import Contact, local_address
from telexist.robots.yarp.network.name_client import NameClient
from telexist.robots.yarp.network.port import Port
from telexist.robots.yarp.network.port_link import PortLink
from telexist.robots.yarp.wire import YARP_3, Envelope, Item, Vocab

__all__ = ["InputPort"]

LOOK = 0.5  # [s] between two looks whether a source is still connected
ANSWER = 1.0  # [s]
DIALECT = YARP_3  # of commands to ports: words and texts are alike in both versions

Sources = Callable[[NameClient], list[str]]

_log = logging.getLogger(__name__)


class InputPort:
    """Listens under a name; whatever its sources do, they are connected again.

    A source is asked to send to us, as `yarp connect` does it.

    Attributes:
        connected: Names of the sources that send to us.
    """

    def __init__(
        self,
        name: str,
        names: NameClient,
        take: Callable[[bytes, Envelope | None, str], None],
        *,
        sources: Sources,
        carrier: str = "tcp",
    ) -> None:
        """Describe it.

        Args:
            name: Of the port.
            names: The name server.
            take: Called with payload, stamp and source, in threads of ours.
            sources: Returns the names of the ports to hear, asked again and again.
            carrier: By which they send.
        """
        self._names, self._sources, self._carrier = names, sources, carrier
        self._port = Port(
            name,
            names,
            dialect=DIALECT,
            host=local_address(names.host),
            on_message=take,
        )
        self.connected: tuple[str, ...] = ()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._told: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Of the port."""
        return self._port.name

    def open(self) -> None:
        """Register and begin to look for the sources; may be called twice.

        Raises:
            DeviceLost: If the address is taken or not ours.
            RobotLost: If there is no name server.
        """
        if self._thread is not None:
            return
        self._port.open()
        self._ending.clear()
        self._thread = threading.Thread(
            target=self._run, name=f"yarp {self.name} sources", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Take the port away; may be called twice."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        self._port.close()

    def _run(self) -> None:
        while True:
            try:
                self._look()
            except TelexistError as error:
                self._tell("", str(error))
            if self._ending.wait(LOOK):
                return

    def _look(self) -> None:
        here = set(self._port.input_names())
        for name in self._sources(self._names):
            if name in here or name == self.name:
                continue
            contact = self._names.query(name)
            problem = f"there is no YARP port called {name} yet"
            if contact is not None:
                problem = self._ask(contact)
            self._tell(name, problem)
        self.connected = tuple(sorted(self._port.input_names()))

    def _ask(self, contact: Contact) -> str:
        """Ask a port to send to us; return why it does not, or ""."""
        command: list[Item] = [Vocab("add"), f"{self._carrier}:/{self.name}"]
        try:
            link = PortLink(contact, "telexist-admin", timeout=ANSWER)
        except RobotLost as error:
            return str(error)
        with contextlib.closing(link):
            try:
                reply = link.ask(command, DIALECT, command="a")
            except RobotLost as error:
                return str(error)
        if reply and reply[0] == 0:
            return ""
        return f"{contact.name} cannot send to {self.name}: {reply[1:]}"

    def _tell(self, name: str, problem: str) -> None:
        """Say what is wrong, once."""
        if self._told.get(name) != problem:
            self._told[name] = problem
            if problem:
                _log.warning("%s: %s", self.name, problem)
            elif name:
                _log.info("%s is connected to %s", name, self.name)
