"""Faults inside real payloads of MVN and VMC: NaN, a jump, a freeze, a new count."""

from __future__ import annotations

import dataclasses
import struct

import numpy as np

from retarget.so3 import (
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_y,
    rotation_z,
)
from teleop.devices.mxtp import (
    HEADER_SIZE,
    ITEM_SIZES,
    Header,
    Items,
    build_items,
    build_message,
    parse_header,
    parse_items,
)
from teleop.devices.mxtp_pose import BodyState, read_body, write_body
from teleop.devices.osc import OscMessage, build_bundle, build_osc, parse_osc
from teleop.devices.refused import Refused

__all__ = ["PayloadFaults"]

JUMP = np.array([1.0, 0.0, 0.0])  # [m], z up
TURN = np.radians(60.0)  # about the vertical, together with the shift
_POSE_ARGUMENTS = 8  # name, position, quaternion
_TIME = "/VMC/Ext/T"


class PayloadFaults:
    """Rewrites packets; one that is of no known protocol passes as it is."""

    def __init__(self, random: np.random.Generator) -> None:
        """Take the source of chance."""
        self._random = random
        self._frozen: dict[object, bytes] = {}
        self._restart = False
        self._first: float | None = None

    def restart_next(self) -> None:
        """Let the next packet be the first of a source that was started anew."""
        self._restart = True

    def renumber(self, packet: bytes) -> bytes:
        """Return the packet as it is counted since the last restart."""
        number = _number(packet)
        if number is None:
            return packet
        if self._restart:
            self._restart, self._first = False, number
        if self._first is None:
            return packet
        return _with_number(packet, max(0.0, number - self._first))

    def live(self, packet: bytes) -> bytes:
        """Return the packet as it is and remember it as the newest."""
        key = _stream(packet)
        if key is not None:
            self._frozen[key] = packet
        return packet

    def freeze(self, packet: bytes) -> bytes:
        """Return the packet with the pose of the newest that was not frozen."""
        key = _stream(packet)
        if key is None:
            return packet
        old = self._frozen.setdefault(key, packet)
        number = _number(packet)
        return old if number is None else _with_number(old, number)

    def nan(self, packet: bytes) -> bytes:
        """Return the packet with one number of its pose not a number."""
        header = _mxtp(packet)
        if header is not None and header.kind in ITEM_SIZES and header.items:
            stride = (len(packet) - HEADER_SIZE) // header.items
            item = int(self._random.integers(header.items))
            word = int(self._random.integers(1, 7 if stride >= 28 else 3))
            at = HEADER_SIZE + item * stride + 4 * word
            return packet[:at] + struct.pack(">f", np.nan) + packet[at + 4 :]
        messages = _osc(packet)
        poses = [k for k, m in enumerate(messages) if _is_pose(m)]
        if not poses:
            return packet
        k = int(self._random.choice(poses))
        arguments = list(messages[k].arguments)
        arguments[int(self._random.integers(1, _POSE_ARGUMENTS))] = float("nan")
        messages[k] = OscMessage(messages[k].address, tuple(arguments))
        return _bundle(messages)

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the person 1 m away and turned by 60 degrees."""
        header = _mxtp(packet)
        if header is not None:
            return _jumped_mxtp(packet, header)
        messages = _osc(packet)
        if not any(_is_pose(m) for m in messages):
            return packet
        return _bundle([_jumped(m) for m in messages])


def _mxtp(packet: bytes) -> Header | None:
    try:
        return parse_header(packet)
    except Refused:
        return None


def _osc(packet: bytes) -> list[OscMessage]:
    try:
        return list(parse_osc(packet))
    except Refused:
        return []


def _stream(packet: bytes) -> object:
    """Return what tells the packets of one kind from others, or None."""
    header = _mxtp(packet)
    if header is not None:
        return (header.kind, header.character, header.part)
    named = tuple((m.address, m.arguments[:1]) for m in _osc(packet) if _is_pose(m))
    return named or None


def _number(packet: bytes) -> float | None:
    """Return the sample counter, or the sender's time in VMC."""
    header = _mxtp(packet)
    if header is not None:
        return float(header.sample)
    for message in _osc(packet):
        time = message.arguments[0] if message.arguments else None
        if message.address == _TIME and isinstance(time, float):
            return time
    return None


def _with_number(packet: bytes, number: float) -> bytes:
    header = _mxtp(packet)
    if header is not None:
        counted = dataclasses.replace(header, sample=round(number))
        return build_message(counted, packet[HEADER_SIZE:])
    return _bundle(
        [
            OscMessage(_TIME, (number,)) if m.address == _TIME else m
            for m in _osc(packet)
        ]
    )


def _jumped_mxtp(packet: bytes, header: Header) -> bytes:
    """Move a whole message; parts of one and other kinds pass as they are."""
    try:
        items = parse_items(header, packet)
        state = read_body(header.kind, items)
    except (KeyError, Refused):
        return packet
    turn = rotation_z(TURN)
    k = 100.0 if header.kind == "01" else 1.0
    moved = BodyState(
        rotations=None if state.rotations is None else turn @ state.rotations,
        positions=(
            None if state.positions is None else state.positions @ turn.T + k * JUMP
        ),
        angular_velocities=state.angular_velocities,
        linear_velocities=state.linear_velocities,
    )
    body = write_body(header.kind, moved)
    values = Items(ids=np.arange(1, len(body) + 1), values=body)
    changed = dataclasses.replace(header, items=len(body))
    return build_message(changed, build_items(values.ids, values.values))


def _is_pose(message: OscMessage) -> bool:
    numbers = message.arguments[1:_POSE_ARGUMENTS]
    return (
        message.address.endswith("/Pos")
        and len(numbers) == _POSE_ARGUMENTS - 1
        and all(isinstance(number, float) for number in numbers)
    )


def _jumped(message: OscMessage) -> OscMessage:
    """Move the root, or a device, of a VMC source."""
    if not _is_pose(message) or "/Bone/" in message.address:
        return message
    name, *numbers = message.arguments
    x, y, z, *quat = (float(n) for n in numbers[:7] if isinstance(n, float))
    R = rotation_y(-TURN) @ rotation_from_quat_wxyz([quat[3], *quat[:3]])
    qw, qx, qy, qz = (float(number) for number in quat_wxyz_from_rotation(R))
    return OscMessage(message.address, (name, x, y, z + JUMP[0], qx, qy, qz, qw))


def _bundle(messages: list[OscMessage]) -> bytes:
    return build_bundle([build_osc(m.address, *m.arguments) for m in messages])
