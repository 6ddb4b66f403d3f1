"""Xsens MVN: the network streamer of MVN Analyze and Animate, over UDP or TCP."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from telexist.retarget.errors import BadInput
from telexist.retarget.human_size import HumanSize
from telexist.retarget.so3 import Array
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    TcpSource,
    UdpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.devices.xsens.mxtp import message_length
from telexist.teleop.devices.xsens.mxtp_decoder import MxtpDecoder

__all__ = ["XSENS_PORT", "XsensStream"]

XSENS_PORT = 9763
_PROTOCOLS = ("udp", "tcp")


class XsensStream(NetworkDevice):
    """Receives one person from MVN.

    Tick "Position + Orientation (Quaternion)" in MVN's network streamer; "Linear" and
    "Angular Segment Kinematics" bring measured velocities; "Scaling Data" brings the
    person's size. Rotations are of MVN's own segment frames (identity in T-pose).
    """

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = XSENS_PORT,
        protocol: str = "udp",
        sender: str | None = None,
        character: int | None = None,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets other machines send.
            port: As in MVN's network streamer.
            protocol: "udp" or "tcp", as there.
            sender: The only machine that may send; None lets the first one win.
            character: Number of the person; None takes the first one.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        if protocol not in _PROTOCOLS:
            raise BadInput(f"protocol '{protocol}': choose udp or tcp")
        self._host, self._port, self._protocol = host, port, protocol
        self._sender = None if sender is None else parse_sender(sender)
        self._wanted = character
        self._decoder = MxtpDecoder(self.mailbox, character=character)

    @property
    def name(self) -> str:
        """Short name for messages."""
        return (
            f"xsens on {self._host}:{self._source.port if self._source else self._port}"
        )

    @property
    def manual(self) -> str:
        """Where it listens, and how MVN is told."""
        where = listening_text(self._host, self.port, self._protocol)
        protocol = self._protocol.upper()
        return (
            f"{where}; in MVN's Network Streamer enter this machine's address, port "
            f"{self.port} and {protocol}, and tick Position + Orientation (Quaternion)"
        )

    @property
    def characters(self) -> Mapping[int, str]:
        """The names of the people whose names were sent."""
        return MappingProxyType(dict(self._decoder.names))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was found about the stream, one line each."""
        units = {None: (), 1.0: ("positions in metres",)}
        said = units.get(self._decoder.scale, ("positions in centimetres, converted",))
        chosen = self._decoder.character
        who = () if chosen is None else (f"character {chosen}",)
        return (*said, *who)

    @property
    def size_hint(self) -> HumanSize | None:
        """The person's size, if MVN sends its scaling data."""
        person = self._decoder.people.get(self._decoder.character or 0)
        return None if person is None else person.size()

    @property
    def com(self) -> Array | None:
        """The newest centre of mass (3,) [m], if MVN sends it."""
        return self._decoder.com

    def make_source(self) -> PacketSource:
        """Return the UDP or TCP thread."""
        if self._protocol == "udp":
            return UdpSource(
                self,
                self.mailbox,
                host=self._host,
                port=self._port,
                sender=self._sender,
            )
        return TcpSource(
            self,
            self.mailbox,
            message_length,
            host=self._host,
            port=self._port,
            sender=self._sender,
        )

    def sender_changed(self) -> None:
        """Forget what the former sender said."""
        self._decoder = MxtpDecoder(self.mailbox, character=self._wanted)

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one message.

        Raises:
            Refused: If it must not be used.
        """
        self._decoder.handle(data, stamp)
