"""The 24 joints over UDP, from Xsens MVN or from a computer with IsaacTeleop."""

from __future__ import annotations

from telexist.teleop.devices.base import (
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
)
from telexist.teleop.devices.isaac.body24_frames import Body24Frames
from telexist.teleop.devices.isaac.xtlp import parse_xtlp
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    UdpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.terms import DeviceSample

__all__ = ["ISAAC_PORT", "IsaacStream"]

ISAAC_PORT = 9764
_WHY_LATE = {
    SequenceVerdict.SAME: "duplicate",
    SequenceVerdict.LATE: "late",
    SequenceVerdict.ABSURD: "malformed",
}


class IsaacStream(NetworkDevice):
    """Receives one person.

    A joint that is not valid leaves the whole sample out, but for the hands, which MVN
    never knows. A number that falls back to zero is a new session of the sender.
    """

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = ISAAC_PORT,
        sender: str | None = None,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets other machines send.
            port: As in the sender's settings.
            sender: The only machine that may send; None lets the first one win.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        self._host, self._port = host, port
        self._sender = None if sender is None else parse_sender(sender)
        self._forget()

    def _forget(self) -> None:
        self._counter, self._frames = SampleCounter(), Body24Frames()

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"isaac on {self._host}:{port}"

    @property
    def manual(self) -> str:
        """Where it listens, and how a sender is told."""
        where = listening_text(self._host, self.port, "udp")
        return (
            f"{where}; in MVN's Network Streamer choose the preset Isaac Teleop, this "
            f"machine's address and port {self.port}; or run isaac_sender.py"
        )

    def make_source(self) -> PacketSource:
        """Return the UDP thread."""
        return UdpSource(
            self, self.mailbox, host=self._host, port=self._port, sender=self._sender
        )

    def sender_changed(self) -> None:
        """Forget what the former sender said."""
        self._forget()

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one datagram.

        Raises:
            RefusedMessage: If it must not be used.
        """
        said = parse_xtlp(data)
        self._frames.require(said.body)
        verdict = self._counter.judge(said.number, stamp)
        if verdict in _WHY_LATE:
            raise RefusedMessage(_WHY_LATE[verdict], f"frame {said.number}")
        if verdict is SequenceVerdict.RESTART:
            self._frames.reset()
        if self._counter.lost:
            self.mailbox.drop(stamp, "lost", self._counter.lost)
        human = self._frames.frame(
            said.body, stamp=stamp, sequence=said.number, source_time=said.time
        )
        self.mailbox.put(DeviceSample(stamp=stamp, sequence=said.number, human=human))
