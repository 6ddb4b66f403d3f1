"""A file of which nobody reads more than there is."""

from __future__ import annotations

import io
import os
from pathlib import Path

__all__ = ["BoundedFile"]


class BoundedFile(io.BufferedReader):
    """A file opened for reading bytes, for libraries that believe stated lengths.

    Python takes memory for as many bytes as are asked for, before it looks how many
    there are: a damaged length costs gigabytes.
    """

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            OSError: If it cannot be opened.
        """
        super().__init__(io.FileIO(path))
        self._size = os.fstat(self.fileno()).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """Return as many bytes as are asked for, or as are left."""
        left = max(self._size - self.tell(), 0)
        return super().read(left if size is None or size < 0 else min(size, left))
