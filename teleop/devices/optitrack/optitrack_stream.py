"""OptiTrack: people and rigid bodies as Motive streams them by NatNet."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import (
    DeviceTraits,
    FrameBuilder,
    RefusedMessage,
    SampleCounter,
    SequenceVerdict,
    fill_segments,
    require_body,
    require_finite,
    require_unit_quaternions,
)
from telexist.teleop.devices.network import LOOPBACK, NetworkDevice, PacketSource
from telexist.teleop.devices.optitrack.motive_person import (
    from_motive,
    require_segments,
    segments_of_bodies,
    segments_of_bones,
)
from telexist.teleop.devices.optitrack.natnet import (
    Message,
    MocapFrame,
    Models,
    ModelSkeleton,
    Version,
    build_message,
    message_of,
    parse_frame,
    parse_models,
    parse_server,
)
from telexist.teleop.devices.optitrack.natnet_source import NatNetSource
from telexist.teleop.terms import DeviceSample

__all__ = ["NATNET_GROUP", "NATNET_PORTS", "OptitrackStream"]

NATNET_PORTS = (1510, 1511)  # to ask, and for a group
NATNET_GROUP = "239.255.42.99"
_ASK_EVERY = 0.5  # [s] while something is not known, and to say that we are there
_BONE_BITS = 0xFFFF  # a bone's id in a frame holds the skeleton's above these
_WHY_LATE = {
    SequenceVerdict.SAME: "duplicate",
    SequenceVerdict.LATE: "late",
    SequenceVerdict.ABSURD: "malformed",
}


class OptitrackStream(NetworkDevice):
    """Receives one skeleton, or rigid bodies that somebody wears.

    A bone that Motive does not see leaves the whole frame out. Motive must stream
    skeleton coordinates "Global", with Y up, as it does by default.
    """

    def __init__(
        self,
        *,
        server: str = LOOPBACK,
        port: int = NATNET_PORTS[0],
        local: str | None = None,
        group: str | None = None,
        data_port: int = NATNET_PORTS[1],
        skeleton: str | None = None,
        bodies: Mapping[str, str] | None = None,
    ) -> None:
        """State whom to ask; nothing is opened yet.

        Args:
            server: Address of Motive's computer.
            port: Its command port.
            local: Address of this machine towards it; None finds it.
            group: Multicast group that Motive sends to; None asks for unicast.
            data_port: Port of the group.
            skeleton: Name of the skeleton; None takes the first one.
            bodies: Rigid body to the segment that it is worn on, instead.

        Raises:
            UnknownName: If a segment does not exist.
        """
        super().__init__()
        self._server, self._command = server, port
        here = LOOPBACK if server in (LOOPBACK, "localhost") else "0.0.0.0"
        self._local = local if local is not None else here
        self._group = None if group is None else (group, data_port)
        self._wanted, self._worn = skeleton, dict(bodies or {})
        require_segments(self._worn)
        self._forget()

    def _forget(self) -> None:
        self._version: Version | None = None
        self._models: Models | None = None
        self._segments: dict[int, str] = {}
        self._person: int | None = None
        self._counter, self._builder = SampleCounter(), FrameBuilder()
        self._asked = float("-inf")

    @property
    def name(self) -> str:
        """Short name for messages."""
        return f"optitrack at {self._server}:{self._command}"

    @property
    def traits(self) -> DeviceTraits:
        """Rigid bodies are worn; a skeleton's frames are known."""
        return DeviceTraits(worn=bool(self._worn))

    @property
    def manual(self) -> str:
        """Whom it asks, and what Motive must stream."""
        way = (
            "unicast" if self._group is None else "multicast {}:{}".format(*self._group)
        )
        what = "rigid bodies" if self._worn else "skeletons, coordinates Global"
        return (
            f"asks Motive at {self._server}:{self._command} for {way}; in its "
            f"Streaming settings enable {what}, Up Axis Y"
        )

    def make_source(self) -> PacketSource:
        """Return the thread that asks and listens."""
        return NatNetSource(
            self,
            self.mailbox,
            server=(self._server, self._command),
            host=self._local,
            group=self._group,
        )

    def sender_changed(self) -> None:
        """Forget what the former server said."""
        self._forget()

    def questions(self, now: float) -> list[bytes]:
        """Return what is to be asked now."""
        if now - self._asked < _ASK_EVERY:
            return []
        self._asked = now
        if self._version is None:
            return [build_message(Message.CONNECT, b"Ping\0")]
        questions = [build_message(Message.KEEPALIVE, b"\0")]
        if self._models is None:
            questions.append(build_message(Message.REQUEST_MODELDEF, b"\0"))
        return questions

    def handle(self, data: bytes, stamp: float) -> None:
        """Take one message.

        Raises:
            RefusedMessage: If it must not be used.
        """
        kind, payload = message_of(data)
        if kind == Message.SERVERINFO:
            self._version = parse_server(payload).version
            self._asked = float("-inf")  # go on with the next question at once
        elif self._version is None:
            return
        elif kind == Message.MODELDEF:
            self._learn(parse_models(payload, self._version))
        elif kind == Message.FRAMEOFDATA and self._models is not None:
            self._take(parse_frame(payload, self._version), stamp)

    def _learn(self, models: Models) -> None:
        """Find out which bones or bodies are which segments."""
        try:
            if self._worn:
                self._segments = segments_of_bodies(models, self._worn)
            else:
                skeleton = self._chosen(models)
                self._person = skeleton.number
                self._segments = segments_of_bones(skeleton)
        except UnknownName as error:
            raise RefusedMessage("untracked", str(error)) from error
        self._models = models
        self._builder.reset()

    def _chosen(self, models: Models) -> ModelSkeleton:
        names = {skeleton.name: skeleton for skeleton in models.skeletons}
        if self._wanted is None and names:
            return models.skeletons[0]
        if self._wanted in names:
            return names[self._wanted]
        raise UnknownName("skeleton of Motive", self._wanted or "", names)

    def _take(self, frame: MocapFrame, stamp: float) -> None:
        if frame.changed:
            self._models = None  # asked for again
            self._asked = float("-inf")
        if not math.isfinite(frame.time):
            raise RefusedMessage("nan", "the frame's time is not finite")
        placed = self._placed(frame)
        verdict = self._counter.judge(frame.number, stamp)
        if verdict in _WHY_LATE:
            raise RefusedMessage(_WHY_LATE[verdict], f"frame {frame.number}")
        if verdict is SequenceVerdict.RESTART:
            self._builder.reset()
        if self._counter.lost:
            self.mailbox.drop(stamp, "lost", self._counter.lost)
        if placed is None:
            self._builder.reset()
            raise RefusedMessage("untracked", self._unseen(frame))
        self._publish(placed, frame, stamp)

    def _poses(self, frame: MocapFrame) -> dict[str, tuple[int, Array]]:
        """Return segment to id and pose of all that is in the frame."""
        if self._worn:
            found = frame.bodies
        elif self._person is None or self._person not in frame.skeletons:
            found = {}
        else:
            found = frame.skeletons[self._person]
        return {
            self._segments[number & _BONE_BITS]: (number, pose)
            for number, pose in found.items()
            if number & _BONE_BITS in self._segments
        }

    def _placed(self, frame: MocapFrame) -> dict[str, tuple[Array, Array]] | None:
        """Return segment to rotation and position; None if one is not seen.

        Raises:
            RefusedMessage: If it is no person.
        """
        poses = self._poses(frame)
        if self._unseen(frame):
            return None
        values = np.array([pose for _, pose in poses.values()])
        require_finite(values, "a pose is")
        require_unit_quaternions(values[:, 3:])
        placed = {name: from_motive(pose) for name, (_, pose) in poses.items()}
        if not self._worn:
            placed = fill_segments(placed)
        segments = tuple(name for name in SEGMENTS if name in placed)
        require_body(segments, np.stack([placed[name][1] for name in segments]))
        return placed

    def _unseen(self, frame: MocapFrame) -> str:
        poses = self._poses(frame)
        missing = sorted(set(self._segments.values()) - set(poses))
        lost = [name for name, (k, _) in poses.items() if k in frame.untracked]
        return ", ".join([*missing, *lost][:3]) if self._segments else "nobody"

    def _publish(
        self,
        placed: Mapping[str, tuple[Array, Array]],
        frame: MocapFrame,
        stamp: float,
    ) -> None:
        segments = tuple(name for name in SEGMENTS if name in placed)
        human = self._builder.build(
            segments,
            np.stack([placed[name][0] for name in segments]),
            np.stack([placed[name][1] for name in segments]),
            stamp=stamp,
            sequence=frame.number,
            source_time=frame.time,
        )
        self.mailbox.put(DeviceSample(stamp=stamp, sequence=frame.number, human=human))
