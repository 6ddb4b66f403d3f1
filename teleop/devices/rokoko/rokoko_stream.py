"""Rokoko Studio: live streaming or custom streaming as JSON over UDP."""

from __future__ import annotations

import numpy as np
from telexist.teleop.devices.base import (
    FrameBuilder,
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
    require_body,
    require_finite,
    require_unit_quaternions,
)
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    UdpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.devices.rokoko.studio_json import Actor, StudioFrame, parse_studio
from telexist.teleop.devices.rokoko.studio_person import (
    STUDIO_BONE,
    studio_hands,
    studio_person,
)
from telexist.teleop.terms import DeviceSample

__all__ = ["ROKOKO_PORT", "RokokoStream"]

ROKOKO_PORT = 14043
_LONGEST = 65507  # [bytes] of a datagram
_TICKS = 1000.0  # [1/s] of the scene's time, to order datagrams
_WHY_LATE = {
    SequenceVerdict.SAME: "duplicate",
    SequenceVerdict.LATE: "late",
    SequenceVerdict.ABSURD: "malformed",
}


class RokokoStream(NetworkDevice):
    """Receives one actor, with fingers where gloves are worn."""

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = ROKOKO_PORT,
        sender: str | None = None,
        actor: str | None = None,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets other machines send.
            port: As in Studio's settings.
            sender: The only machine that may send; None lets the first one win.
            actor: Name of the person; None takes the first one.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        self._host, self._port = host, port
        self._sender = None if sender is None else parse_sender(sender)
        self._wanted = actor
        self._sequence = 0
        self._forget()

    def _forget(self) -> None:
        self._counter, self._builder = SampleCounter(), FrameBuilder()

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"rokoko on {self._host}:{port}"

    @property
    def manual(self) -> str:
        """Where it listens, and how Studio is told."""
        where = listening_text(self._host, self.port, "udp")
        return (
            f"{where}; in Rokoko Studio under Livestream choose Custom (or Unity), "
            f"this machine's address, port {self.port} and JSON version 3"
        )

    def make_source(self) -> PacketSource:
        """Return the UDP thread."""
        return UdpSource(
            self,
            self.mailbox,
            host=self._host,
            port=self._port,
            sender=self._sender,
            most=_LONGEST,
        )

    def sender_changed(self) -> None:
        """Forget what the former sender said."""
        self._forget()

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one datagram.

        Raises:
            RefusedMessage: If it must not be used.
        """
        frame = parse_studio(data)
        require_finite(np.array(frame.time), "the scene's time is")
        actor = self._actor(frame)
        if actor is not None:
            self._require(actor)
        self._count(frame.time, stamp)
        if actor is None:
            self._builder.reset()
            raise RefusedMessage("untracked", f"nobody called {self._wanted or 'so'}")
        self._publish(actor, frame.time, stamp)

    def _actor(self, frame: StudioFrame) -> Actor | None:
        named = (a for a in frame.actors if self._wanted in (None, a.name))
        return next(named, None)

    def _require(self, actor: Actor) -> None:
        """Refuse an actor who lacks a bone, or is no person.

        Raises:
            RefusedMessage: As "malformed" or "nan".
        """
        missing = [bone for bone in STUDIO_BONE.values() if bone not in actor.bones]
        if missing:
            raise RefusedMessage("malformed", f"without {', '.join(missing[:3])}")
        values = np.array([actor.bones[bone] for bone in STUDIO_BONE.values()])
        require_finite(values, "a pose is")
        require_unit_quaternions(values[:, 3:])
        require_body(tuple(STUDIO_BONE), values[:, :3])

    def _count(self, time: float, stamp: float) -> None:
        verdict = self._counter.judge(round(_TICKS * time), stamp)
        if verdict in _WHY_LATE:
            raise RefusedMessage(_WHY_LATE[verdict], f"time {time:.3f} s")
        if verdict is SequenceVerdict.RESTART:
            self._builder.reset()

    def _publish(self, actor: Actor, time: float, stamp: float) -> None:
        placed = studio_person(actor.bones)
        segments = tuple(placed)
        self._sequence += 1
        human = self._builder.build(
            segments,
            np.stack([placed[name][0] for name in segments]),
            np.stack([placed[name][1] for name in segments]),
            stamp=stamp,
            sequence=self._sequence,
            source_time=time,
            hand_points=studio_hands(actor.bones),
        )
        self.mailbox.put(
            DeviceSample(stamp=stamp, sequence=self._sequence, human=human)
        )
