"""Camera pictures of a session, matched to the times of its episodes."""

from __future__ import annotations

import base64
import binascii
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording, MissingDependency
from telexist.retarget.so3 import Array
from telexist.teleop.recording import SessionReader
from telexist.teleop.recording.export.resample import newest_before

__all__ = ["Pictures", "decode_picture", "load_pictures"]

MAX_BYTES = 4_000_000_000  # of all pictures together
_SAMPLES = 100  # pictures whose colours are looked at, evenly spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """All pictures of one size.

    Attributes:
        stamps: When they were taken (k,) [s].
        files: Their JPEG or PNG bytes.
        height: Rows of each.
        width: Columns of each.
    """

    stamps: Array
    files: tuple[bytes, ...]
    height: int
    width: int

    def at(self, times: Array) -> list[bytes]:
        """Return the newest picture at each time; before the first, the first."""
        return [self.files[k] for k in newest_before(self.stamps, times)]

    def colours(self) -> Array:
        """Return a sample of their pixels (m, 3), each from 0 to 1."""
        chosen = np.unique(np.linspace(0, len(self.files) - 1, _SAMPLES).astype(int))
        pixels = [
            decode_picture(self.files[k])[::4, ::4].reshape(-1, 3) for k in chosen
        ]
        return np.concatenate(pixels) / 255.0


def load_pictures(reader: SessionReader) -> Pictures | None:
    """Return the pictures of a session, or None if no camera was recorded.

    Raises:
        BadRecording: If one is damaged, or they are too many or of several sizes.
    """
    stamps, files, total = [], [], 0
    for _, fields in reader.messages("camera"):
        try:
            data = base64.b64decode(fields["data"], validate=True)
        except binascii.Error as error:
            raise BadRecording(
                reader.path, "a picture is damaged", place="/camera"
            ) from error
        total += len(data)
        if total > MAX_BYTES:
            problem = "its pictures do not fit into memory"
            raise BadRecording(reader.path, problem, place="/camera")
        stamps.append(fields["stamp"])
        files.append(data)
    if not files:
        return None
    sizes = {_size(reader, data) for data in files}
    if len(sizes) > 1:
        problem = "pictures of several sizes cannot be exported together"
        raise BadRecording(reader.path, problem, place="/camera")
    ((width, height),) = sizes
    return Pictures(
        stamps=np.array(stamps), files=tuple(files), height=height, width=width
    )


def _size(reader: SessionReader, data: bytes) -> tuple[int, int]:
    image = _pillow()
    try:
        with image.open(io.BytesIO(data), formats=("JPEG", "PNG")) as picture:
            return picture.size
    except (OSError, image.DecompressionBombError) as error:
        raise BadRecording(
            reader.path, "a picture is damaged", place="/camera"
        ) from error


def decode_picture(data: bytes) -> np.ndarray:
    """Return a JPEG or PNG as an array (h, w, 3) uint8."""
    with _pillow().open(io.BytesIO(data), formats=("JPEG", "PNG")) as picture:
        return np.asarray(picture.convert("RGB"))


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingDependency("Pillow", "pip install pillow") from error
    return Image
