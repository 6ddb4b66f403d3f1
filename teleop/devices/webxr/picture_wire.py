"""One picture of the robot's camera, on its way to the page.

Little endian: kind u8 (2), version u8 (1), stereo u8, nothing u8, number u32, time of
capture on the page's clock f64 [s] (0: not known yet), vertical field of view f32
[rad]; then a JPEG.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from telexist.retarget.errors import BadFrame

__all__ = ["SentPicture", "pack_picture", "unpack_picture"]

KIND, VERSION = 2, 1
HEAD = struct.Struct("<BBBBIdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPicture:
    """A picture as sent.

    Attributes:
        number: Its running number.
        captured: When it was taken, on the page's clock [s]; 0 if nobody knows.
        stereo: Whether the left half is the left eye's, the right half the other's.
        fovy: Vertical field of view of an eye [rad].
        jpeg: The picture.
    """

    number: int
    captured: float
    stereo: bool
    fovy: float
    jpeg: bytes


def pack_picture(picture: SentPicture) -> bytes:
    """Return a picture's bytes."""
    number = picture.number & 0xFFFFFFFF
    head = (KIND, VERSION, picture.stereo, 0, number, picture.captured, picture.fovy)
    return HEAD.pack(*head) + picture.jpeg


def unpack_picture(data: bytes) -> SentPicture:
    """Read a picture, as the page does.

    Raises:
        BadFrame: If it is none.
    """
    if len(data) < HEAD.size:
        raise BadFrame(f"a picture of {len(data)} bytes")
    kind, version, stereo, _, number, captured, fovy = HEAD.unpack_from(data)
    if (kind, version) != (KIND, VERSION):
        raise BadFrame(f"a picture of kind {kind}.{version}")
    return SentPicture(
        number=number,
        captured=captured,
        stereo=bool(stereo),
        fovy=fovy,
        jpeg=data[HEAD.size :],
    )
