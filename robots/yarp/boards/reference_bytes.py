"""Position references of one board as a message, made without a detour.

All axes of a board: `([dpos]) (values)`; some of them: `([dpog] n (axes)) (values)`, so
that the others are not touched. YARP 4 puts `[ipod]` in front. Values are always 64-bit
floats, one for each axis: a short list would move the rest to whatever lies in memory,
and a whole number would break the link without a word.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from telexist.retarget.errors import BadInput
from telexist.robots.yarp.wire import Dialect, Item, Vocab, encode_bottle

__all__ = ["ReferenceBytes"]


class ReferenceBytes:
    """Makes the messages of one board."""

    def __init__(self, driven: Sequence[int], axes: int, dialect: Dialect) -> None:
        """Prepare the part that never changes.

        Args:
            driven: Numbers of the axes that are driven, in the order of the values.
            axes: How many the board has.
            dialect: Of YARP.

        Raises:
            BadInput: If an axis is none of the board's, or stands twice.
        """
        if len(set(driven)) != len(driven) or not set(driven) <= set(range(axes)):
            raise BadInput(f"axes {list(driven)} of a board that has {axes}")
        self.count = len(driven)
        head: list[Item] = [Vocab("ipod")] if dialect.version == 4 else []
        if list(driven) == list(range(axes)):
            head += [Vocab("dpos")]
        else:
            head += [Vocab("dpog"), self.count, list(driven)]
        empty = encode_bottle([head, [0.0] * self.count], dialect)
        self._fixed = empty[: len(empty) - 8 * self.count]
        self._shape = struct.Struct(f"<{self.count}d")

    def make(self, values: Sequence[float]) -> bytes:
        """Return a message of positions [deg].

        Raises:
            BadInput: If there is not one finite value for each axis.
        """
        if len(values) != self.count or not all(map(math.isfinite, values)):
            raise BadInput(f"{self.count} finite references are needed, found {values}")
        return self._fixed + self._shape.pack(*values)
