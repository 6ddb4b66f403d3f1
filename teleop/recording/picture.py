"""Camera pictures as JPEG, in the message that viewers of MCAP files show."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
from telexist.retarget.errors import MissingDependency

__all__ = ["picture_fields"]

_QUALITY = 85  # of 95; about 50 kB for 640 x 480


def picture_fields(
    number: int, stamp: float, wall: int, image: np.ndarray
) -> dict[str, Any]:
    """Return the fields of a `foxglove.CompressedImage` with our tick and stamp.

    Args:
        number: Of the turn.
        stamp: When the picture was taken [s].
        wall: The same since 1970 [ns].
        image: (h, w, 3) uint8.

    Raises:
        MissingDependency: If Pillow is absent.
        ValueError: If the array is no picture.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"a picture of {image.dtype} {image.shape} cannot be recorded")
    return {
        "tick": number,
        "stamp": stamp,
        "timestamp": {"sec": wall // 10**9, "nsec": wall % 10**9},
        "frame_id": "head_camera",
        "data": base64.b64encode(_jpeg(image)).decode("ascii"),
        "format": "jpeg",
    }


def _jpeg(image: np.ndarray) -> bytes:
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingDependency("Pillow", "pip install pillow") from error
    out = io.BytesIO()
    Image.fromarray(image).save(out, format="JPEG", quality=_QUALITY)
    return out.getvalue()
