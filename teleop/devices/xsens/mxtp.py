"""The wire format of Xsens MVN's network streamer: header and items, both ways.

After MVN's "real-time network streaming protocol specification" (MV0305P revision N).
All numbers are big-endian. A datagram is a header of 24 bytes and a payload of items
of equal size: the size of an item is payload / items, so that longer items of newer
versions are read as well. What the numbers mean is in `mxtp_pose.py`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage

__all__ = [
    "BODY_SEGMENTS",
    "HEADER_SIZE",
    "ITEM_SIZES",
    "LAST",
    "Header",
    "Items",
    "build_items",
    "build_message",
    "message_length",
    "parse_header",
    "parse_items",
]

HEADER_SIZE = 24  # [bytes]
BODY_SEGMENTS = 23
LAST = 0x80
"""Bit of the datagram counter that marks the last part of a sample."""

_HEADER = struct.Struct(">6sIBBIBBBBHH")

ITEM_SIZES: Mapping[str, int] = MappingProxyType(
    {
        "01": 28,  # id, position, Euler angles
        "02": 32,  # id, position, quaternion
        "05": 32,  # the same for Unity3D
        "21": 40,  # id, position, velocity, acceleration
        "22": 44,  # id, quaternion, angular velocity, angular acceleration
        "24": 12,  # position of the centre of mass
    }
)
"""Kinds of message that are made of items, and the least size of one [bytes]."""

_WITHOUT_ID = "24"
_TEXTS = ("12", "13")
_OTHERS = ("03", "04", "10", "11", "20", "23", "25")
_MAX_ITEM = 128  # [bytes]
_MAX_PROPS, _MAX_FINGERS = 4, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The header of a datagram.

    Attributes:
        kind: Two digits: "02" is positions and quaternions.
        sample: Counter of samples; all datagrams of one sample carry the same.
        part: Which part of the sample's message this is, from 0.
        last: Whether it is the last part.
        items: How many items the payload holds.
        time_code: Time since the start of the recording [ms].
        character: Which person.
        body: Number of body segments; 0 from MVN before 2019.
        props: Number of props.
        fingers: Number of finger segments.
        payload: Size of the payload [bytes]; 0 from MVN before 2018.
    """

    kind: str
    sample: int
    part: int = 0
    last: bool = True
    items: int
    time_code: int = 0
    character: int = 0
    body: int = BODY_SEGMENTS
    props: int = 0
    fingers: int = 0
    payload: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The items of a message: `ids` (k,) from 1, and `values` (k, m) of each."""

    ids: np.ndarray
    values: Array


def parse_header(data: bytes) -> Header:
    """Read and check a header.

    Raises:
        RefusedMessage: If it is none, or says what MVN never says.
    """
    if len(data) < HEADER_SIZE:
        raise RefusedMessage("malformed", f"only {len(data)} bytes")
    (
        name,
        sample,
        counter,
        items,
        time_code,
        character,
        body,
        props,
        fingers,
        _,
        size,
    ) = _HEADER.unpack_from(data)
    kind = name[4:].decode("ascii", "replace")
    if name[:4] != b"MXTP" or kind not in (*ITEM_SIZES, *_TEXTS, *_OTHERS):
        raise RefusedMessage("malformed", "not a message of MVN")
    if body not in (0, BODY_SEGMENTS) or props > _MAX_PROPS or fingers > _MAX_FINGERS:
        raise RefusedMessage(
            "malformed", f"{body} segments, {props} props, {fingers} fingers"
        )
    return Header(
        kind=kind,
        sample=sample,
        part=counter & (LAST - 1),
        last=bool(counter & LAST),
        items=items,
        time_code=time_code,
        character=character,
        body=body,
        props=props,
        fingers=fingers,
        payload=size,
    )


def message_length(buffer: bytes) -> int | None:
    """Return how long the message at the begin of a stream is [bytes].

    None if too little has arrived to tell. MVN before 2018 leaves out the size of the
    payload; then the usual size of the items counts.

    Raises:
        RefusedMessage: If no message begins here.
    """
    if len(buffer) < HEADER_SIZE:
        return None
    header = parse_header(buffer)
    if header.payload:
        return HEADER_SIZE + header.payload
    if header.kind not in ITEM_SIZES:
        raise RefusedMessage("malformed", "a message that does not say where it ends")
    return HEADER_SIZE + header.items * ITEM_SIZES[header.kind]


def parse_items(header: Header, data: bytes) -> Items:
    """Read the payload of a message that is made of items.

    Args:
        header: Its header, of a kind in `ITEM_SIZES`.
        data: The whole datagram.

    Raises:
        RefusedMessage: If the size fits neither the header nor the kind.
    """
    size = len(data) - HEADER_SIZE
    if header.payload not in (0, size):
        raise RefusedMessage(
            "malformed", f"{size} bytes of payload, not {header.payload}"
        )
    if not header.items or size % header.items:
        raise RefusedMessage("malformed", f"{header.items} items in {size} bytes")
    stride = size // header.items
    if not ITEM_SIZES[header.kind] <= stride <= _MAX_ITEM or stride % 4:
        raise RefusedMessage("malformed", f"items of {stride} bytes")
    words = np.frombuffer(data, dtype=">u4", offset=HEADER_SIZE)
    numbers = words.view(">f4").reshape(header.items, -1)
    if header.kind == _WITHOUT_ID:
        return Items(ids=np.zeros(header.items, dtype=np.int64), values=_wide(numbers))
    ids = words.reshape(header.items, -1)[:, 0].astype(np.int64)
    return Items(ids=ids, values=_wide(numbers[:, 1:]))


def _wide(numbers: np.ndarray) -> Array:
    """Return float64; a signalling NaN is no reason for a warning."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(np.float64)


def build_items(ids: np.ndarray | None, values: Array) -> bytes:
    """Return the payload for items, each with its id if there is one."""
    numbers = np.asarray(values, dtype=">f4")
    if ids is None:
        return numbers.tobytes()
    words = np.empty((len(numbers), numbers.shape[1] + 1), dtype=">u4")
    words[:, 0] = ids
    words[:, 1:] = numbers.view(">u4")
    return words.tobytes()


def build_message(header: Header, payload: bytes) -> bytes:
    """Return the datagram; the size of the payload is filled in."""
    counter = header.part | (LAST if header.last else 0)
    return (
        _HEADER.pack(
            b"MXTP" + header.kind.encode("ascii"),
            header.sample & 0xFFFFFFFF,
            counter,
            header.items,
            header.time_code & 0xFFFFFFFF,
            header.character,
            header.body,
            header.props,
            header.fingers,
            0,
            len(payload),
        )
        + payload
    )
