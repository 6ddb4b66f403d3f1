"""The name server: which port is where."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

from telexist.retarget.errors import BadInput, RobotLost
from telexist.robots.yarp.network.contact import Contact

__all__ = ["NameClient", "name_server_address"]

USUAL = ("127.0.0.1", 10000)
END = b"*** end of message"
LONGEST = 2**22  # [bytes] of an answer
_REGISTRATION = re.compile(
    r"^registration name (\S+) ip (\S+) port (\d+) type (\S+)\s*$", re.MULTILINE
)
_NAME = re.compile(r"/[^\s\"]+$")


def name_server_address() -> tuple[str, int]:
    """Return where `yarp conf` says that the name server is, else the usual place."""
    named = os.environ.get("YARP_CONFIG_HOME")
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    folder = Path(named) if named else Path(home) / "yarp"
    try:
        words = (folder / "yarp.conf").read_text(encoding="utf-8").split()
        return words[0], int(words[1])
    except (OSError, ValueError, IndexError):
        return USUAL


class NameClient:
    """Asks a name server; each question is a connection of its own."""

    def __init__(self, host: str, port: int, *, timeout: float = 2.0) -> None:
        """Remember where it is; nothing is asked yet.

        Args:
            host: Name or address.
            port: Number.
            timeout: Until an answer must be there [s].
        """
        self.host, self.port, self._timeout = host, port, timeout

    def query(self, name: str) -> Contact | None:
        """Return where a port is, or None if there is none of that name."""
        return next(iter(_contacts(self.ask(f"query {name}"))), None)

    def list(self) -> dict[str, Contact]:
        """Return all ports by name."""
        return {contact.name: contact for contact in _contacts(self.ask("list"))}

    def register(self, name: str, host: str, port: int) -> Contact:
        """Make a port known.

        Raises:
            BadInput: If the name is none that YARP takes.
            RobotLost: If the server refuses.
        """
        if not _NAME.match(name):
            raise BadInput(
                f"'{name}' is no name of a port: it begins with / and has no blanks"
            )
        found = _contacts(self.ask(f"register {name} tcp {host} {port}"))
        if not found:
            raise RobotLost(f"the YARP name server refuses the port {name}")
        carriers = "tcp fast_tcp udp text text_ack"
        for words in (f"offers {carriers}", f"accepts {carriers}", f"ips {host}"):
            self.ask(f"set {name} {words}")
        self.ask(f"set {name} process {os.getpid()}")
        self.ask(f"announce {name}")
        return found[0]

    def unregister(self, name: str) -> None:
        """Take a port from the list."""
        self.ask(f"unregister {name}")

    def ask(self, command: str) -> str:
        """Return the answer to a command, without its last line.

        Raises:
            RobotLost: If the server is not there, or silent.
        """
        place = (self.host, self.port)
        try:
            with socket.create_connection(place, self._timeout) as link:
                link.sendall(f"NAME_SERVER {command}\n".encode())
                return self._answer(link, command)
        except (OSError, UnicodeError) as error:
            raise RobotLost(
                f"no YARP name server at {self.host}:{self.port} ({error}): start "
                "yarpserver, or say where it is: --backend yarp:HOST:PORT"
            ) from error

    def _answer(self, link: socket.socket, command: str) -> str:
        data = b""
        short = command.startswith("announce")
        while END not in data and not (short and data.endswith(b"\n")):
            piece = link.recv(65536)
            if not piece or len(data) > LONGEST:
                break
            data += piece
        return data.partition(END)[0].decode("utf-8", "replace").replace("\r", "")


def _contacts(text: str) -> list[Contact]:
    return [
        Contact(name, host, int(port))
        for name, host, port, kind in _REGISTRATION.findall(text)
        if kind == "tcp" and 0 < int(port) < 65536
    ]
