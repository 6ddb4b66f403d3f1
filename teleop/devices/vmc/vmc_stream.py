"""VMC: the motion of SlimeVR, VSeeFace, Virtual Motion Capture and many phone apps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.teleop.devices.base import (
    FrameBuilder,
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
    require_body,
)
from telexist.teleop.devices.network import (
    LOOPBACK,
    NetworkDevice,
    PacketSource,
    UdpSource,
    listening_text,
    parse_sender,
)
from telexist.teleop.devices.vmc.frames import FrameCollector, VmcFrame
from telexist.teleop.devices.vmc.messages import PoseKind, read_vmc
from telexist.teleop.devices.vmc.osc import parse_osc
from telexist.teleop.devices.vmc.skeleton import PlacedSegments, place_segments
from telexist.teleop.devices.vmc.trackers import VmcRoles
from telexist.teleop.terms import DeviceSample

__all__ = ["VMC_PORT", "VmcStream"]

VMC_PORT = 39539
_MAX_DATAGRAMS = 64  # of one frame, to see whether one comes twice
_TICKS = 1000.0  # [1/s] of the sender's time, to order datagrams


class VmcStream(NetworkDevice):
    """Receives one person by the VMC protocol ("performer to marionette").

    With bones it gives a whole body; rotations are of the avatar's own bones, which are
    parallel to the world in T-pose for VRM avatars. Without bones, headset, controllers
    and trackers give head, hands and whatever else is named; see `vmc_trackers.py`.
    Frames are late only where the sender tells its time (`/VMC/Ext/T`).
    """

    def __init__(
        self,
        *,
        host: str = LOOPBACK,
        port: int = VMC_PORT,
        sender: str | None = None,
        trackers: Mapping[str, str] | None = None,
    ) -> None:
        """State where to listen; nothing is opened yet.

        Args:
            host: Address of this machine; "0.0.0.0" lets other machines send.
            port: As in the sending app.
            sender: The only machine that may send; None lets the first one win.
            trackers: Serial number of a device to the segment that it follows.

        Raises:
            BadInput: If an option is wrong.
        """
        super().__init__()
        self._host, self._port = host, port
        self._sender = None if sender is None else parse_sender(sender)
        self._roles = VmcRoles(trackers)
        self._sequence = 0
        self._forget()

    def _forget(self) -> None:
        self._counter = SampleCounter()
        self._frames = FrameCollector()
        self._builder = FrameBuilder()
        self._time: float | None = None
        self._datagrams: set[bytes] = set()
        self._unfinished = 0

    @property
    def name(self) -> str:
        """Short name for messages."""
        port = self._port if self._source is None else self._source.port
        return f"vmc on {self._host}:{port}"

    @property
    def manual(self) -> str:
        """Where it listens, and how an app is told."""
        where = listening_text(self._host, self.port, "udp")
        return (
            f"{where}; in the sending app enter this machine's address and port "
            f"{self.port} for VMC (OSC) output"
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
        said = read_vmc(parse_osc(data))
        frames = []
        if said.time is not None:
            frames += self._take_time(said.time, data, stamp)
        frames += self._frames.add(said.poses, stamp, self._time)
        missed = self._frames.unfinished - self._unfinished
        if missed:
            self._unfinished += missed
            self.mailbox.drop(stamp, "unfinished", missed)
        for frame in frames:
            self._publish(frame)

    def _take_time(self, seconds: float, data: bytes, stamp: float) -> list[VmcFrame]:
        """Drop what is late or came twice; end the frame if time has gone on."""
        verdict = self._counter.judge(round(seconds * _TICKS), stamp)
        if verdict is SequenceVerdict.LATE:
            raise RefusedMessage("late", f"time {seconds:.3f} s")
        if verdict is SequenceVerdict.ABSURD:
            raise RefusedMessage("malformed", f"time {seconds:.3f} s far ahead")
        if verdict is SequenceVerdict.SAME:
            # Long after its start a sender's float32 time no longer ticks each frame.
            if data in self._datagrams:
                raise RefusedMessage("duplicate", f"time {seconds:.3f} s")
            if len(self._datagrams) < _MAX_DATAGRAMS:
                self._datagrams.add(data)
            return []
        if verdict is SequenceVerdict.RESTART:
            self._builder.reset()
        self._datagrams = {data}
        ended = self._frames.end()
        self._time = seconds
        return ended

    def _publish(self, frame: VmcFrame) -> None:
        """Turn a whole frame into a human frame and leave it for the loop."""
        placed = self._place(frame)
        if placed is None:
            return
        if placed.positions is not None:
            require_body(placed.segments, placed.positions)
        self._sequence += 1
        human = self._builder.build(
            placed.segments,
            placed.rotations,
            placed.positions,
            stamp=frame.stamp,
            sequence=self._sequence,
            source_time=frame.source_time,
        )
        self.mailbox.put(
            DeviceSample(stamp=frame.stamp, sequence=self._sequence, human=human)
        )

    def _place(self, frame: VmcFrame) -> PlacedSegments | None:
        bones = {p.name: p for p in frame.poses if p.kind is PoseKind.BONE}
        root = next((p for p in frame.poses if p.kind is PoseKind.ROOT), None)
        if bones:
            return place_segments(bones, root)
        devices = self._roles.assign(p for p in frame.poses if p is not root)
        segments = tuple(name for name in SEGMENTS if name in devices)
        if not segments:
            return None
        return PlacedSegments(
            segments=segments,
            rotations=np.stack([devices[name].rotation for name in segments]),
            positions=np.stack([devices[name].position for name in segments]),
        )
