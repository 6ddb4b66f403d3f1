"""Faults inside the streams of whole bodies: IsaacTeleop, PICO, OptiTrack, Rokoko.

All of these can be read and written again; a person jumps by 1 m and turns by `TURN`
about the vertical, in the stream's own axes, where y is up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_y,
)
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.isaac import XtlpFrame, build_xtlp, parse_xtlp
from telexist.teleop.devices.optitrack import (
    Message,
    MocapFrame,
    build_frame,
    message_of,
    parse_frame,
)
from telexist.teleop.devices.pico import (
    Command,
    Packet,
    PicoTracking,
    build_packet,
    build_tracking,
    parse_packet,
    parse_tracking,
)
from telexist.teleop.devices.rokoko import (
    Actor,
    StudioFrame,
    build_studio,
    is_lz4,
    parse_studio,
)
from telexist.teleop.devices.simulators.faults.payload_codec import TURN

__all__ = ["BODY_FAULTS", "BodyFaults"]

JUMP = 1.0  # [m] along the stream's x axis
_NAN = 1  # column of a pose that becomes none

Frame = TypeVar("Frame")
Change = Callable[[Array], Array]
Versioned = tuple[MocapFrame, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyFaults(Generic[Frame]):
    """Reads and rewrites one protocol; see `PayloadCodec`.

    Attributes:
        name: Of the protocol.
        parse: Packet to frame; None, or `RefusedMessage`, if it holds none.
        build: Frame to packet, in the manner of the packet before.
        counted: A frame's number or time.
        recounted: The frame with another one.
        changed: The frame with its poses (k, 7) changed.
    """

    name: str
    parse: Callable[[bytes], Frame | None]
    build: Callable[[Frame, bytes], bytes]
    counted: Callable[[Frame], float]
    recounted: Callable[[Frame, float], Frame]
    changed: Callable[[Frame, Change], Frame]

    def reads(self, packet: bytes) -> bool:
        """Return whether it holds a frame."""
        return self._frame(packet) is not None

    def stream(self, packet: bytes) -> object:
        """Return the protocol."""
        return self.name

    def number(self, packet: bytes) -> float | None:
        """Return the frame's number, or its time."""
        frame = self._frame(packet)
        return None if frame is None else self.counted(frame)

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another number."""
        return self._rewritten(packet, lambda f: self.recounted(f, number))

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with one number of its poses not a number."""

        def spoil(poses: Array) -> Array:
            poses[int(random.integers(len(poses))), _NAN] = np.nan
            return poses

        return self._rewritten(packet, lambda f: self.changed(f, spoil))

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the person 1 m away and turned."""
        return self._rewritten(packet, lambda f: self.changed(f, _jumped))

    def _frame(self, packet: bytes) -> Frame | None:
        try:
            return self.parse(packet)
        except RefusedMessage:
            return None

    def _rewritten(self, packet: bytes, change: Callable[[Frame], Frame]) -> bytes:
        frame = self._frame(packet)
        return packet if frame is None else self.build(change(frame), packet)


def _jumped(poses: Array) -> Array:
    turn = rotation_y(TURN)
    R = turn @ rotation_from_quat_wxyz(poses[:, [6, 3, 4, 5]])
    quats = quat_wxyz_from_rotation(R)[:, [1, 2, 3, 0]]
    moved = poses[:, :3] @ turn.T + np.array([JUMP, 0.0, 0.0])
    return np.hstack([moved, quats])


def _isaac_changed(frame: XtlpFrame, change: Change) -> XtlpFrame:
    poses = change(np.hstack([frame.body.positions, frame.body.quats_xyzw]))
    body = replace(frame.body, positions=poses[:, :3], quats_xyzw=poses[:, 3:])
    return replace(frame, body=body)


def _pico_parse(packet: bytes) -> PicoTracking | None:
    said = parse_packet(packet)
    tracking = parse_tracking(said.body) if said.command == Command.FUNCTION else None
    return None if tracking is None or tracking.body is None else tracking


def _pico_build(tracking: PicoTracking, packet: bytes) -> bytes:
    del packet
    said = Packet(
        command=Command.FUNCTION, body=build_tracking(tracking), time=tracking.time
    )
    return build_packet(said)


def _pico_changed(tracking: PicoTracking, change: Change) -> PicoTracking:
    body = tracking.body
    if body is None:
        return tracking
    poses = change(np.hstack([body.positions, body.quats_xyzw]))
    moved = replace(body, positions=poses[:, :3], quats_xyzw=poses[:, 3:])
    return replace(tracking, body=moved)


def _natnet_parse(packet: bytes) -> Versioned | None:
    kind, payload = message_of(packet)
    if kind != Message.FRAMEOFDATA:
        return None
    for version in ((4, 1), (3, 0)):  # of each layout of frames one
        try:
            return parse_frame(payload, version), version
        except RefusedMessage:
            continue
    return None


def _natnet_changed(said: Versioned, change: Change) -> Versioned:
    frame, version = said
    people = {}
    for number, bones in frame.skeletons.items():
        poses = change(np.array(list(bones.values())))
        people[number] = dict(zip(bones, poses, strict=True))
    return replace(frame, skeletons=people), version


def _studio_build(frame: StudioFrame, packet: bytes) -> bytes:
    version = 3 if b'"scene"' in packet else 2
    return build_studio(frame, version=version, packed=is_lz4(packet))


def _studio_changed(frame: StudioFrame, change: Change) -> StudioFrame:
    actors = []
    for actor in frame.actors:
        poses = change(np.array(list(actor.bones.values())))
        bones = dict(zip(actor.bones, poses, strict=True))
        actors.append(Actor(name=actor.name, bones=bones))
    return replace(frame, actors=tuple(actors))


_ISAAC: BodyFaults[XtlpFrame] = BodyFaults(
    name="isaac",
    parse=parse_xtlp,
    build=lambda frame, _: build_xtlp(frame),
    counted=lambda frame: float(frame.number),
    recounted=lambda frame, number: replace(frame, number=round(number)),
    changed=_isaac_changed,
)
_PICO: BodyFaults[PicoTracking] = BodyFaults(
    name="pico",
    parse=_pico_parse,
    build=_pico_build,
    counted=lambda tracking: tracking.time,
    recounted=lambda tracking, time: replace(tracking, time=time),
    changed=_pico_changed,
)
_OPTITRACK: BodyFaults[Versioned] = BodyFaults(
    name="optitrack",
    parse=_natnet_parse,
    build=lambda said, _: build_frame(*said),
    counted=lambda said: float(said[0].number),
    recounted=lambda said, n: (replace(said[0], number=round(n)), said[1]),
    changed=_natnet_changed,
)
_ROKOKO: BodyFaults[StudioFrame] = BodyFaults(
    name="rokoko",
    parse=parse_studio,
    build=_studio_build,
    counted=lambda frame: frame.time,
    recounted=lambda frame, time: replace(frame, time=time),
    changed=_studio_changed,
)
BODY_FAULTS = (_ISAAC, _PICO, _OPTITRACK, _ROKOKO)
