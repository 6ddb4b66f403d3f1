"""What `torch.save` wrote, without PyTorch: a zip of one pickle and raw storages."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

from telexist.retarget.errors import BadRecording
from telexist.retarget.files.pickle_values import read_pickle
from telexist.retarget.files.pickled_arrays import plain_tree

__all__ = ["read_torch"]

MAX_BYTES = 2_000_000_000
_DAMAGED = (
    *(ValueError, RuntimeError, TypeError, LookupError),
    *(ArithmeticError, AttributeError, struct.error),
)
_OLD_MAGIC = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46"  # before PyTorch 1.6


def read_torch(path: Path) -> Any:
    """Read a `.pt` or `.pth` of arrays in tables and lists; no code of it is run.

    Raises:
        BadRecording: If it is damaged, too large, of before 2020, or a program.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            if file.read(len(_OLD_MAGIC)) == _OLD_MAGIC:
                problem = "of a PyTorch before 1.6: load it there and save it again"
                raise BadRecording(path, problem)
        with zipfile.ZipFile(path) as archive:
            return _tree(path, archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise BadRecording(path, "not a whole file of torch.save") from error
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error
    except _DAMAGED as error:
        raise BadRecording(path, "damaged: it cannot be read") from error
    except (MemoryError, RecursionError) as error:
        raise BadRecording(path, "does not fit into memory") from error


def _tree(path: Path, archive: zipfile.ZipFile) -> Any:
    infos = {info.filename: info for info in archive.infolist()}
    if sum(info.file_size for info in infos.values()) > MAX_BYTES:
        raise BadRecording(path, f"unpacks to more than {MAX_BYTES} bytes")
    names = [name for name in infos if name.endswith("data.pkl")]
    if not names:
        raise BadRecording(path, "not a file of torch.save: it has no data.pkl")
    folder = min(names, key=len).removesuffix("data.pkl")
    if f"{folder}constants.pkl" in infos:
        raise BadRecording(path, "holds a network (TorchScript), no motion")
    order = f"{folder}byteorder"
    if order in infos and archive.read(order).strip() == b"big":
        raise BadRecording(path, "was written on a big-endian machine")
    value = read_pickle(
        io.BytesIO(archive.read(f"{folder}data.pkl")), path, persistent=lambda p: p
    )

    def storage(key: str) -> bytes:
        return archive.read(f"{folder}data/{key}")

    return plain_tree(value, storage)
