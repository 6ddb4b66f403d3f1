"""A camera's picture as YARP sends it.

`[mat] [rgb] (bytes per pixel, bytes, 65544, width, height) {rows}`: the fourth and
fifth number are the size, and every row is padded to a multiple of 8 bytes with
whatever lay in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import BadMessage
from telexist.robots.yarp.wire import Bottle, Vocab, decode_either

__all__ = ["picture_message", "read_picture"]

Picture = NDArray[np.uint8]

CHANNELS = {"rgb": 3, "bgr": 3, "rgba": 4, "bgra": 4, "mono": 1}
SIGNATURE = 65544  # third number of every picture
ALIGNMENT = 8  # [bytes] that rows are padded to
LARGEST = 4096  # [pixels] a side


def read_picture(payload: bytes) -> Picture:
    """Return a picture (h, w, 3) in red, green, blue.

    Raises:
        BadMessage: If the bytes are no picture of a camera.
    """
    message, _ = decode_either(payload)
    if len(message) != 4:
        raise BadMessage(f"a picture of YARP has 4 items, found {len(message)}")
    mat, kind, head, data = message
    word = kind.word if isinstance(kind, Vocab) else ""
    if not (isinstance(mat, Vocab) and mat.word == "mat") or word not in CHANNELS:
        raise BadMessage(f"a picture of kind [{word}] is not known: {sorted(CHANNELS)}")
    if not isinstance(head, list) or not isinstance(data, bytes) or len(head) != 5:
        raise BadMessage("a picture of YARP without its size or its bytes")
    return _pixels(word, head, data)


def _pixels(word: str, head: Bottle, data: bytes) -> Picture:
    size = [item for item in head if isinstance(item, int)]
    if len(size) != 5 or not all(0 < side <= LARGEST for side in size[3:]):
        raise BadMessage(f"a picture of YARP with the size {head}")
    depth, (width, height) = CHANNELS[word], size[3:]
    row = -(-width * depth // ALIGNMENT) * ALIGNMENT
    if size[0] != depth or len(data) != row * height:
        raise BadMessage(
            f"a picture of {width} x {height} pixels has {row * height} bytes, "
            f"found {len(data)}"
        )
    rows = np.frombuffer(data, dtype=np.uint8).reshape(height, row)
    pixels = rows[:, : width * depth].reshape(height, width, depth)
    if word == "mono":
        return np.repeat(pixels, 3, axis=2)
    colours = pixels[..., 2::-1] if word.startswith("bgr") else pixels[..., :3]
    return np.ascontiguousarray(colours)


def picture_message(picture: Picture) -> Bottle:
    """Return the message of a picture (h, w, 3) in red, green, blue."""
    height, width, depth = picture.shape
    row = -(-width * depth // ALIGNMENT) * ALIGNMENT
    rows = np.zeros((height, row), dtype=np.uint8)
    rows[:, : width * depth] = picture.reshape(height, -1)
    head = [depth, rows.size, SIGNATURE, width, height]
    return [Vocab("mat"), Vocab("rgb"), head, rows.tobytes()]
