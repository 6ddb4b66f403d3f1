"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from telexist.retarget.errors import CannotWrite

__all__ = ["write_bytes"]


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it.

    The bytes go to a nameless neighbour that then takes the file's name; folders are
    made as needed. An older file of that name survives every failure.

    Raises:
        CannotWrite: Naming the path and the reason: full disk, no permission, ...
    """
    part = path.parent / f".{secrets.token_hex(8)}.part"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("xb") as file:
            file.write(data)
        os.replace(part, path)
    except OSError as error:
        _remove(part)
        reason = error.strerror or str(error)
        raise CannotWrite(f"{path}: cannot be written: {reason}") from error
    except BaseException:
        _remove(part)
        raise


def _remove(part: Path) -> None:
    with contextlib.suppress(OSError):
        part.unlink(missing_ok=True)
