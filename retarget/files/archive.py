"""Plain arrays out of a `.npz` file from anywhere, without trusting it.

Pickles are never opened. Every array's declared size is compared with the bytes that
are there before any memory is taken for it.
"""

from __future__ import annotations

import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import IO

import numpy as np
from telexist.retarget.errors import BadRecording

__all__ = ["read_arrays"]

MAX_BYTES = 2_000_000_000  # unpacked; hours of whole-body motion
_NUMBERS_AND_TEXT = "biufUS"  # NumPy kinds that are plain data
_DAMAGED = (
    *(ValueError, SyntaxError, TypeError, RuntimeError, RecursionError),
    *(LookupError, ArithmeticError, AttributeError, struct.error, tokenize.TokenError),
)
"""What the readers of zip files and of arrays' headers raise at damage."""


def read_arrays(path: Path, wanted: Collection[str]) -> dict[str, np.ndarray]:
    """Read the wanted arrays of an archive, as far as it has them.

    Raises:
        BadRecording: If the archive is damaged, too large, or a wanted array is not
            plain numbers or text.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return {
                name: _array(path, archive, info)
                for name, info in _members(path, archive, wanted).items()
            }
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise BadRecording(path, "not a whole .npz archive") from error
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    except _DAMAGED as error:
        raise BadRecording(path, "damaged: an array cannot be read") from error
    except MemoryError as error:
        raise BadRecording(path, "does not fit into memory") from error


def _members(
    path: Path, archive: zipfile.ZipFile, wanted: Collection[str]
) -> dict[str, zipfile.ZipInfo]:
    members = {
        info.filename.removesuffix(".npy"): info
        for info in archive.infolist()
        if info.filename.endswith(".npy")
    }
    members = {name: info for name, info in members.items() if name in wanted}
    total = sum(info.file_size for info in members.values())
    if total > MAX_BYTES:
        raise BadRecording(path, f"{total / 1e9:.1f} GB of motion is too large to read")
    return members


def _array(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    name = info.filename.removesuffix(".npy")
    with archive.open(info) as file:
        header = _header(file)
        if header is None or header[1].kind not in _NUMBERS_AND_TEXT:
            raise BadRecording(path, "not a plain array", place=name)
        shape, dtype = header
        if math.prod(shape) * dtype.itemsize != info.file_size - file.tell():
            raise BadRecording(path, "its size and its data differ", place=name)
    with archive.open(info) as file:
        array: np.ndarray = np.lib.format.read_array(file, allow_pickle=False)
        return array


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype] | None:
    """Return shape and type that an array declares, or None for unknown versions."""
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(file)
    else:
        return None
    return shape, dtype
