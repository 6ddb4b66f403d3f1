"""The newest of a stream of vectors, in memory that processes share.

One process writes, any number read, and nobody waits: there are two places; a vector is
written to the one that is not the newest, then the count is raised. Whoever reads looks
at the count before and after, and reads again if the place was reused meanwhile.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["SharedVector"]

TRIES = 100  # a writer would have to come twice within each of so many reads


class SharedVector:
    """A vector of numbers; it can be given to a process that is being started."""

    def __init__(self, context: Any, size: int) -> None:
        """Make room for `size` numbers, in a context of `multiprocessing`."""
        self._size = size
        self._raw = context.RawArray(ctypes.c_double, 1 + 2 * size)
        self._look()

    def _look(self) -> None:
        memory = np.frombuffer(self._raw, dtype=np.float64)
        self._count, self._places = memory[:1], memory[1:].reshape(2, self._size)

    def __getstate__(self) -> tuple[int, Any]:
        """Return what another process needs."""
        return self._size, self._raw

    def __setstate__(self, state: tuple[int, Any]) -> None:
        """Look at the same memory in another process."""
        self._size, self._raw = state
        self._look()

    @property
    def count(self) -> int:
        """How many vectors have been written."""
        return int(self._count[0])

    def write(self, values: Array) -> None:
        """Publish a vector."""
        count = self.count + 1
        self._places[count & 1] = values
        self._count[0] = count

    def read(self) -> Array | None:
        """Return a copy of the newest vector, or None before there is one."""
        for _ in range(TRIES):
            count = self.count
            if not count:
                return None
            values = self._places[count & 1].copy()
            if self.count == count:
                return values
        return None
