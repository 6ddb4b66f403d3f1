"""Messages that MVN has split over several datagrams, put together again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.xsens.mxtp import Header, Items

__all__ = ["PartsCollector"]

MAX_OPEN = 8  # messages that wait for parts at the same time
MAX_PARTS = 16  # of one message

_Key = tuple[int, int, str]  # character, sample, kind


@dataclass(slots=True)
class _Message:
    """Parts of one message: number of the part to its items."""

    parts: dict[int, Items] = field(default_factory=dict)
    count: int | None = None  # once the last part is there


class PartsCollector:
    """Keeps the parts of unfinished messages, a few at a time."""

    def __init__(self) -> None:
        self._open: OrderedDict[_Key, _Message] = OrderedDict()
        self._abandoned = 0

    def add(self, header: Header, items: Items) -> Items | None:
        """Take a part; return all items of the message once they are there.

        Raises:
            RefusedMessage: If the part is there already, or cannot belong to its
                message.
        """
        if header.part == 0 and header.last:
            return items
        key = (header.character, header.sample, header.kind)
        if header.part >= MAX_PARTS:
            raise RefusedMessage("malformed", f"part {header.part} of a message")
        message = self._open.setdefault(key, _Message())
        if header.part in message.parts:
            raise RefusedMessage("duplicate", f"part {header.part} twice")
        message.parts[header.part] = items
        if header.last:
            message.count = header.part + 1
        while len(self._open) > MAX_OPEN:
            self._open.popitem(last=False)
            self._abandoned += 1
        if message.count is None or len(message.parts) < message.count:
            return None
        self._open.pop(key, None)
        return _joined(message)

    def keep_only(self, character: int, sample: int) -> None:
        """Give up what a person's older samples lack: their parts come too late."""
        for key in list(self._open):
            if key[0] == character and key[1] != sample:
                del self._open[key]
                self._abandoned += 1

    def take_abandoned(self) -> int:
        """Return how many messages were given up since the last call."""
        count, self._abandoned = self._abandoned, 0
        return count

    def clear(self) -> None:
        """Forget everything."""
        self._open.clear()


def _joined(message: _Message) -> Items:
    """Return the items of all parts in order.

    Raises:
        RefusedMessage: If the parts do not fit together.
    """
    parts = [message.parts[number] for number in sorted(message.parts)]
    if sorted(message.parts) != list(range(len(parts))):
        raise RefusedMessage("malformed", "parts after the last one")
    if len({part.values.shape[1] for part in parts}) > 1:
        raise RefusedMessage("malformed", "parts with items of different sizes")
    return Items(
        ids=np.concatenate([part.ids for part in parts]),
        values=np.concatenate([part.values for part in parts]),
    )
