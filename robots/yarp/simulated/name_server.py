"""A name server of our own: who registers is found."""

from __future__ import annotations

import contextlib
import socket
import threading

from telexist.retarget.errors import DeviceLost

__all__ = ["SimulatedNameServer"]

FIRST_PORT = 10002  # that it proposes to who names none
END = "*** end of message"


class SimulatedNameServer:
    """Answers the questions of the name server's text protocol."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Describe it; port 0 takes any."""
        self.host, self.port = host, port
        self._ports: dict[str, tuple[str, int]] = {}
        self._properties: dict[tuple[str, str], list[str]] = {}
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self._links: set[socket.socket] = set()
        self._next = FIRST_PORT

    def open(self) -> None:
        """Listen; may be called twice.

        Raises:
            DeviceLost: If the address is taken.
        """
        if self._listener is not None:
            return
        try:
            listener = socket.create_server((self.host, self.port), backlog=64)
        except OSError as error:
            raise DeviceLost(
                f"cannot listen on {self.host}:{self.port}: {error}; is a name server "
                "running already?"
            ) from error
        self._listener, self.port = listener, int(listener.getsockname()[1])
        self._ports["/root"] = self.host, self.port
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def close(self) -> None:
        """Stop; may be called twice."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        for link in tuple(self._links):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def answer(self, command: str) -> list[str]:
        """Return the lines that answer a command, the last one included."""
        words = command.split()
        with self._lock:
            if words[:1] == ["register"] and len(words) > 1:
                return [*self._register(words[1:]), END]
            if words[:1] == ["unregister"] and len(words) > 1:
                self._ports.pop(words[1], None)
                return [END]
            if words[:1] == ["query"] and len(words) > 1:
                return [*self._lines(words[1]), END]
            if words[:1] == ["list"]:
                return [
                    line for n in sorted(self._ports) for line in self._lines(n)
                ] + [END]
            if words[:1] == ["announce"]:
                return ["[ok]"]
            if words[:1] in (["set"], ["get"]) and len(words) > 2:
                return [self._property(words), END]
        return [END]

    def _lines(self, name: str) -> list[str]:
        if name not in self._ports:
            return []
        host, port = self._ports[name]
        return [f"registration name {name} ip {host} port {port} type tcp"]

    def _register(self, words: list[str]) -> list[str]:
        name = words[0]
        if name == "...":
            name = (
                f"/tmp/port/{1 + sum(n.startswith('/tmp/port/') for n in self._ports)}"
            )
        place = words[2:4] if len(words) >= 4 else ["...", "..."]
        host = self.host if place[0] in ("...", "localhost") else place[0]
        port = place[1]
        if not port.isdigit() or port == "0":
            port, self._next = str(self._next), self._next + 1
        self._ports[name] = host, int(port)
        return self._lines(name)

    def _property(self, words: list[str]) -> str:
        key = words[1], words[2]
        if words[0] == "set":
            self._properties[key] = sorted(words[3:])
        values = " ".join(self._properties.get(key, []))
        return f"port {key[0]} property {key[1]} = {values}"

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                return
            self._links.add(link)
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        with link, contextlib.suppress(OSError), link.makefile("rb") as lines:
            for line in lines:
                word, _, command = (
                    line.decode("utf-8", "replace").strip().partition(" ")
                )
                if word != "NAME_SERVER":
                    break
                text = "".join(f"{answer}\r\n" for answer in self.answer(command))
                link.sendall(text.encode())
        self._links.discard(link)
