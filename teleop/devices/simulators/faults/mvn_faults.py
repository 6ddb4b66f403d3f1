"""Faults inside MVN's messages, whole ones and parts."""

from __future__ import annotations

import dataclasses
import struct

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array, rotation_z
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.simulators.faults.payload_codec import TURN
from telexist.teleop.devices.xsens import (
    HEADER_SIZE,
    ITEM_SIZES,
    Header,
    Items,
    MvnBody,
    build_items,
    build_message,
    parse_header,
    parse_items,
    read_body,
    write_body,
)

__all__ = ["MvnFaults"]

JUMP = np.array([1.0, 0.0, 0.0])  # [m], z up


class MvnFaults:
    """Reads and rewrites MVN's datagrams; see `PayloadCodec`."""

    def reads(self, packet: bytes) -> bool:
        """Return whether it begins as MVN's do."""
        return _header(packet) is not None

    def stream(self, packet: bytes) -> object:
        """Return kind, character and part."""
        header = parse_header(packet)
        return (header.kind, header.character, header.part)

    def number(self, packet: bytes) -> float | None:
        """Return the sample counter."""
        return float(parse_header(packet).sample)

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another sample counter."""
        counted = dataclasses.replace(parse_header(packet), sample=round(number))
        return build_message(counted, packet[HEADER_SIZE:])

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with one number of its pose not a number."""
        header = parse_header(packet)
        if header.kind not in ITEM_SIZES or not header.items:
            return packet
        stride = (len(packet) - HEADER_SIZE) // header.items
        item = int(random.integers(header.items))
        word = int(random.integers(1, 7 if stride >= 28 else 3))
        at = HEADER_SIZE + item * stride + 4 * word
        return packet[:at] + struct.pack(">f", np.nan) + packet[at + 4 :]

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the person 1 m away and turned by 60 degrees."""
        header = parse_header(packet)
        try:
            items = parse_items(header, packet)
            values = _jumped(header.kind, items)
        except (KeyError, RefusedMessage):  # of another kind, or spoiled already
            return packet
        return build_message(header, build_items(items.ids, values))


def _header(packet: bytes) -> Header | None:
    try:
        return parse_header(packet)
    except RefusedMessage:
        return None


def _jumped(kind: str, items: Items) -> Array:
    """Return the values of all items with those of the body moved (k, m).

    A part of a message lacks segments: any row stands for them meanwhile, since what
    is written of a segment does not depend on the others.

    Raises:
        RefusedMessage: If the items hold no body.
    """
    body = (items.ids >= 1) & (items.ids <= len(SEGMENTS))
    if not body.any():
        raise RefusedMessage("malformed", "no body segments")
    rows = items.ids[body] - 1
    whole = np.repeat(items.values[body][:1], len(SEGMENTS), axis=0)
    whole[rows] = items.values[body]
    ids = np.arange(1, len(SEGMENTS) + 1)
    state = read_body(kind, Items(ids=ids, values=whole))
    moved = write_body(kind, _moved(state, 100.0 if kind == "01" else 1.0))
    values = items.values.copy()
    values[body, : moved.shape[1]] = moved[rows]
    return values


def _moved(state: MvnBody, units_per_metre: float) -> MvnBody:
    turn, shift = rotation_z(TURN), units_per_metre * JUMP
    R, p = state.rotations, state.positions
    return dataclasses.replace(
        state,
        rotations=None if R is None else turn @ R,
        positions=None if p is None else p @ turn.T + shift,
    )
