"""XTLP: the datagrams of the preset "Isaac Teleop" of Xsens MVN's network streamer.

A header of 36 bytes, little-endian, and a bare FlatBuffer `FullBodyPose`:

    magic "XTLP", u16 version 1, u16 reserved, u64 number of the frame, from 0 in each
    session of MVN, i64 time of the sample on its host [ns], i64 on its device [ns],
    u32 size of the payload [bytes]

After the receiver that Xsens published for it (xsens/IsaacTeleop, Apache-2.0).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from telexist.retarget.errors import BadFrame
from telexist.retarget.recordings.isaac import Body24, read_full_body, write_full_body
from telexist.teleop.devices.base import RefusedMessage

__all__ = ["XTLP_HEADER", "XtlpFrame", "build_xtlp", "parse_xtlp"]

XTLP_HEADER = struct.Struct("<4sHHQqqI")
_MAGIC, _VERSION = b"XTLP", 1
_MOST = 1 << 62  # of a frame's number


@dataclass(frozen=True, slots=True, kw_only=True)
class XtlpFrame:
    """One frame.

    Attributes:
        number: As the sender counts.
        time: Of the sample, on the sender's clock [s].
        body: The 24 joints.
    """

    number: int
    time: float
    body: Body24


def parse_xtlp(data: bytes) -> XtlpFrame:
    """Read a datagram.

    Raises:
        RefusedMessage: If it is none.
    """
    if len(data) < XTLP_HEADER.size:
        raise RefusedMessage("malformed", f"only {len(data)} bytes")
    magic, version, _, number, sampled, _, size = XTLP_HEADER.unpack_from(data)
    if magic != _MAGIC or version != _VERSION or number > _MOST:
        raise RefusedMessage("malformed", "not a frame of the Isaac Teleop preset")
    if XTLP_HEADER.size + size != len(data):
        raise RefusedMessage("malformed", f"{size} bytes announced, {len(data)} came")
    try:
        body = read_full_body(data[XTLP_HEADER.size :])
    except BadFrame as error:
        raise RefusedMessage("malformed", str(error)) from error
    return XtlpFrame(number=number, time=1e-9 * sampled, body=body)


def build_xtlp(frame: XtlpFrame) -> bytes:
    """Return the datagram, with whole milliseconds as MVN has them."""
    payload = write_full_body(frame.body)
    sampled = round(1e3 * frame.time) * 1_000_000
    header = XTLP_HEADER.pack(
        _MAGIC, _VERSION, 0, frame.number, sampled, sampled, len(payload)
    )
    return header + payload
