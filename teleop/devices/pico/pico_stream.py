"""A PICO headset with motion trackers, by the app XRoboToolkit; no PC service."""

from __future__ import annotations

from telexist.retarget.segments import SIDES
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand
from telexist.teleop.devices.base import RefusedMessage, SourceClock
from telexist.teleop.devices.isaac import Body24Frames
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    TcpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.devices.pico.packets import Command, packet_length, parse_packet
from telexist.teleop.devices.pico.tracking_text import (
    PicoPad,
    PicoTracking,
    parse_tracking,
)
from telexist.teleop.terms import DeviceSample, Provides, Request

__all__ = ["PICO_PORT", "PicoStream"]

PICO_PORT = 63901
OLDEST = 0.3  # [s] of a sample that still moves anything
BUTTONS = {
    ("right", "primary"): Request.ENGAGE,
    ("right", "secondary"): Request.HOLD,
    ("left", "primary"): Request.CALIBRATE,
    ("left", "secondary"): Request.STOP,
}
"""A, B, X and Y."""


class PicoStream(NetworkDevice):
    """Receives one person and what their controllers press.

    The app sends over TCP, where what was held up comes late and all at once; so a
    sample is as old as the headset's clock says, and older than 0.3 s moves nothing.
    """

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = PICO_PORT,
        sender: str | None = None,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets a headset connect.
            port: The app always connects to 63901.
            sender: The only machine that may send; None lets the first one win.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        self._host, self._port = host, port
        self._sender = None if sender is None else parse_sender(sender)
        self._sequence = 0
        self._forget()

    def _forget(self) -> None:
        self._frames, self._clock = Body24Frames(), SourceClock()
        self._down: dict[str, PicoPad] = {}
        self._last = float("-inf")

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"pico on {self._host}:{port}"

    @property
    def provides(self) -> frozenset[Provides]:
        """A person, the closing of hands, and buttons."""
        return frozenset({Provides.HUMAN, Provides.HANDS, Provides.REQUESTS})

    @property
    def manual(self) -> str:
        """Where it listens, and what to do in the headset."""
        where = listening_text(self._host, self.port, "tcp")
        return (
            f"{where}; in the headset's app XRoboToolkit enter this machine's address, "
            "choose Body and Controller, then Send; X calibrates, A engages, B holds, "
            "Y stops"
        )

    def make_source(self) -> PacketSource:
        """Return the TCP thread."""
        return TcpSource(
            self,
            self.mailbox,
            packet_length,
            host=self._host,
            port=self._port,
            sender=self._sender,
        )

    def sender_changed(self) -> None:
        """Forget what the former headset said."""
        self._forget()

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one packet.

        Raises:
            RefusedMessage: If it must not be used.
        """
        packet = parse_packet(data)
        said = (
            parse_tracking(packet.body) if packet.command == Command.FUNCTION else None
        )
        if said is None:
            return
        if said.body is not None:
            self._frames.require(said.body)
        taken = self._clock.ours(said.time, stamp)
        late = stamp - taken > OLDEST
        self._press(said, stamp, late=late)
        if late:
            self._frames.reset()
            raise RefusedMessage("late", f"{stamp - taken:.2f} s old")
        if not said.focus or said.body is None:
            self._frames.reset()
            why = "the body: calibrate the trackers and choose Body"
            raise RefusedMessage("untracked", why if said.focus else "the app")
        if said.time <= self._last and self._last - said.time < 1.0:
            raise RefusedMessage("duplicate", f"time {said.time:.3f} s")
        self._last = said.time
        self._put(
            self._frames.frame(
                said.body,
                stamp=taken,
                sequence=self._sequence + 1,
                source_time=said.time,
            )
        )

    def _put(self, human: HumanFrame) -> None:
        self._sequence += 1
        self.mailbox.put(
            DeviceSample(
                stamp=human.stamp,
                sequence=self._sequence,
                human=human,
                hands=self._hands(),
            )
        )

    def _hands(self) -> HandCommand | None:
        if not self._down:
            return None
        closed = dict.fromkeys(SIDES, 0.0)
        for side, pad in self._down.items():
            closed[side] = min(max(pad.trigger, pad.grip, 0.0), 1.0)
        return HandCommand(left=closed["left"], right=closed["right"])

    def _press(self, said: PicoTracking, stamp: float, *, late: bool) -> None:
        """Pass on what goes down; what is down when first seen does not count.

        A hold and a stop count at any age, all else only while it is fresh.
        """
        asked = [
            request
            for (side, button), request in BUTTONS.items()
            if self._goes_down(said, side, button)
        ]
        if late:
            asked = [r for r in asked if r in (Request.HOLD, Request.STOP)]
        self._down = dict(said.controllers) if said.focus else {}
        if asked:
            self.mailbox.put(DeviceSample(stamp=stamp, requests=tuple(asked)))

    def _goes_down(self, said: PicoTracking, side: str, button: str) -> bool:
        before, now = self._down.get(side), said.controllers.get(side)
        if before is None or now is None or not said.focus:
            return False
        return bool(getattr(now, button)) and not getattr(before, button)
