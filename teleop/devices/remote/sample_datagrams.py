"""The content of a datagram: counts of stops and holds, then samples, oldest first."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from telexist.teleop.devices.base import RefusedMessage
from telexist.teleop.devices.remote.sealed_datagrams import ROOM

__all__ = ["FORCES", "MOST_FORCE", "TIMES", "join_samples", "split_samples"]

COUNTS = struct.Struct("<IIB")
SIZE = struct.Struct("<H")
TIMES = struct.Struct("<dd")
"""Of a ping: when it left, and the other side's time [s]."""
FORCES = struct.Struct("<ff")
"""At the robot's left and right hand [N]."""
MOST_FORCE = 1e4  # [N]


def join_samples(counts: Sequence[int], packed: Sequence[bytes]) -> bytes:
    """Return the content of a datagram: the newest samples for which there is room."""
    chosen: list[bytes] = []
    room = ROOM - COUNTS.size
    for data in reversed(packed):
        room -= SIZE.size + len(data)
        if room < 0:
            break
        chosen.insert(0, SIZE.pack(len(data)) + data)
    return COUNTS.pack(counts[0], counts[1], len(chosen)) + b"".join(chosen)


def split_samples(content: bytes) -> tuple[tuple[int, int], list[bytes]]:
    """Return how often stop and hold were asked for, and the samples' bytes.

    Raises:
        RefusedMessage: If it is no such content.
    """
    if len(content) < COUNTS.size:
        raise RefusedMessage("malformed", "samples that end too early")
    stops, holds, count = COUNTS.unpack_from(content)
    at, packed = COUNTS.size, []
    for _ in range(count):
        if at + SIZE.size > len(content):
            raise RefusedMessage("malformed", "samples that end too early")
        (size,) = SIZE.unpack_from(content, at)
        at += SIZE.size
        packed.append(content[at : at + size])
        at += size
    if at != len(content):
        raise RefusedMessage("malformed", "samples that end too early or too late")
    return (stops, holds), packed
