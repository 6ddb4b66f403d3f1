"""What all devices behind YARP share: a port that hears, a mailbox that keeps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, BadMessage, DeviceLost, RobotLost
from telexist.robots.base import RobotFeedback
from telexist.robots.yarp.network import InputPort, NameClient
from telexist.robots.yarp.wire import Bottle, Envelope, decode_either
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, Mailbox, RefusedMessage
from telexist.teleop.terms import DeviceSample

__all__ = ["HeardPort", "YarpDevice"]

Hear = Callable[[Bottle, Envelope | None, str, float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardPort:
    """One port of ours.

    Attributes:
        name: Of it.
        sources: Names of the ports that it hears; with "*" in front, all registered
            ones that end so.
        hear: Called with values, stamp, source and arrival [s].
    """

    name: str
    sources: tuple[str, ...]
    hear: Hear


class YarpDevice(Device, ABC):
    """Listens under YARP names; the newest sample counts, nothing queues up."""

    def __init__(self, host: str, port: int) -> None:
        """State where the name server is; nothing is opened yet."""
        self.mailbox = Mailbox()
        self._names = NameClient(host, port)
        self._ports: list[InputPort] = []

    @abstractmethod
    def heard_ports(self) -> tuple[HeardPort, ...]:
        """Return what to listen to."""

    @property
    def manual(self) -> str:
        """What it listens to, and how else it is told."""
        server = f"name server {self._names.host}:{self._names.port}"
        parts = [f"{p.name} hears {', '.join(p.sources)}" for p in self.heard_ports()]
        return f"{'; '.join(parts)}; {server}"

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]."""
        return 0.1

    def open(self, wake: Callable[[], None]) -> None:
        """Listen.

        Raises:
            DeviceLost: If there is no name server, or no address.
        """
        if self._ports:
            return
        self.begin()
        self.mailbox.open(wake)
        try:
            for heard in self.heard_ports():
                self._ports.append(self._make(heard))
                self._ports[-1].open()
        except RobotLost as error:
            self.close()
            raise DeviceLost(f"{self.name}: {error}") from error
        except BaseException:
            self.close()
            raise

    def begin(self) -> None:
        """Forget an earlier session."""

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None."""
        return self.mailbox.take()

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""
        del feedback

    def close(self) -> None:
        """Stop to listen."""
        for port in self._ports:
            port.close()
        self._ports = []
        self.mailbox.close()

    def _make(self, heard: HeardPort) -> InputPort:
        def take(payload: bytes, envelope: Envelope | None, source: str) -> None:
            stamp = clock.now()
            try:
                heard.hear(decode_either(payload)[0], envelope, source, stamp)
            except RefusedMessage as error:
                self.mailbox.drop(stamp, error.reason, detail=error.problem)
            except (BadMessage, BadInput) as error:
                self.mailbox.drop(stamp, "malformed", detail=f"{source}: {error}")

        return InputPort(
            heard.name,
            self._names,
            take,
            sources=lambda names: _matching(heard.sources, names),
        )


def _matching(sources: tuple[str, ...], names: NameClient) -> list[str]:
    """Return names of ports; those with "*" in front are looked for."""
    found = [name for name in sources if not name.startswith("*")]
    ends = tuple(name[1:] for name in sources if name.startswith("*"))
    if ends:
        found += sorted(name for name in names.list() if name.endswith(ends))
    return found
