"""Camera pictures as JPEG, to a headset or over a network, and back."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, UnidentifiedImageError
from telexist.retarget.errors import BadFrame

__all__ = ["decode_jpeg", "encode_jpeg"]

MOST_PIXELS = 8_000_000  # of a picture of strangers


def encode_jpeg(image: np.ndarray, quality: int) -> bytes:
    """Return a picture (h, w, 3) uint8 as JPEG.

    Args:
        image: The picture.
        quality: 1 to 95.
    """
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image)).save(out, "JPEG", quality=quality)
    return out.getvalue()


def decode_jpeg(data: bytes) -> np.ndarray:
    """Return a picture (h, w, 3) uint8.

    Raises:
        BadFrame: If it is none.
    """
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise BadFrame("a picture too large")
            return np.array(picture.convert("RGB"))
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise BadFrame(f"no picture: {error}") from error
