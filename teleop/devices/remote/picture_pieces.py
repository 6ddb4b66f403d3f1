"""A camera picture as datagrams, some of which may get lost, and back.

Little endian: picture u32, piece u8, pieces without spares u8, stereo u8, nothing u8,
length of the JPEG u32, time of capture on the operator's clock f64 [s], vertical field
of view f32 [rad]; then the piece's bytes.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

import numpy as np
from telexist.robots.base import RobotFeedback
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.remote.erasure_code import (
    MOST_PIECES,
    restore,
    spare_pieces,
)
from telexist.teleop.devices.remote.sealed_datagrams import ROOM

__all__ = ["MOST_JPEG", "PictureJoiner", "SplitPicture", "split_picture"]

HEAD = struct.Struct("<IBBBBIdf")
PIECE = ROOM - HEAD.size  # [bytes] at most
MOST_SPARE = 55
MOST_JPEG = (MOST_PIECES - MOST_SPARE) * PIECE
OPEN_PICTURES = 3  # that wait for pieces


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPicture:
    """What all datagrams of a picture say.

    Attributes:
        number: Running number.
        captured: On the operator's clock [s].
        stereo: Whether it is that of two eyes.
        fovy: Vertical field of view of an eye [rad].
        jpeg: The picture.
    """

    number: int
    captured: float
    stereo: bool
    fovy: float
    jpeg: bytes


def split_picture(picture: SplitPicture, spare: float) -> list[bytes]:
    """Return the datagrams' contents.

    Args:
        picture: At most `MOST_JPEG` bytes.
        spare: Share of spare pieces.
    """
    length = len(picture.jpeg)
    count = max(1, math.ceil(length / PIECE))
    size = math.ceil(length / count)
    whole = np.zeros(count * size, dtype=np.uint8)
    whole[:length] = np.frombuffer(picture.jpeg, dtype=np.uint8)
    pieces = whole.reshape(count, size)
    spares = spare_pieces(pieces, min(max(1, math.ceil(spare * count)), MOST_SPARE))
    number, stereo = picture.number & 0xFFFFFFFF, picture.stereo
    rest = (count, stereo, 0, length, picture.captured, picture.fovy)
    return [
        HEAD.pack(number, k, *rest) + piece.tobytes()
        for k, piece in enumerate((*pieces, *spares))
    ]


class PictureJoiner:
    """Takes pieces in any order and gives whole pictures, each newer than the last.

    Attributes:
        whole: Pictures that came together.
        broken: Pictures of which too many pieces were lost.
    """

    def __init__(self) -> None:
        """Begin before the first picture."""
        self.whole = self.broken = 0
        self._open: dict[int, tuple[bytes, dict[int, np.ndarray]]] = {}
        self._newest = 0

    def add(self, content: bytes) -> RobotFeedback | None:
        """Take a datagram's content; return the picture that it completes.

        Raises:
            RefusedMessage: If it is no piece.
        """
        if len(content) <= HEAD.size:
            raise RefusedMessage("malformed", "a piece of a picture without bytes")
        number, k, count, stereo, _, length, captured, fovy = HEAD.unpack_from(content)
        size = len(content) - HEAD.size
        if not (count > 0 and 0 < length <= count * size < length + count):
            raise RefusedMessage("malformed", "a piece that does not fit its picture")
        if k >= count + MOST_SPARE or count + MOST_SPARE > MOST_PIECES:
            raise RefusedMessage("malformed", "more pieces than a picture has")
        if not (math.isfinite(captured) and 0.0 < fovy < math.pi):
            raise RefusedMessage("nan", "a picture of no time, or seen by no eye")
        if number <= self._newest:
            return None
        shared = content[5 : HEAD.size]
        said, found = self._open.setdefault(number, (shared, {}))
        if said != shared or (found and len(next(iter(found.values()))) != size):
            raise RefusedMessage("malformed", "pieces of one picture that differ")
        found[k] = np.frombuffer(content, dtype=np.uint8, offset=HEAD.size)
        if len(found) < count:
            self._forget_old()
            return None
        jpeg = restore(found, count).tobytes()[:length]
        self.whole, self._newest = self.whole + 1, number
        older = [n for n in self._open if n < number]
        self.broken += len(older)
        for n in (*older, number):
            del self._open[n]
        return RobotFeedback(
            stamp=captured, jpeg=jpeg, stereo=stereo == 1, fovy=float(fovy)
        )

    def _forget_old(self) -> None:
        while len(self._open) > OPEN_PICTURES:
            del self._open[min(self._open)]
            self.broken += 1
