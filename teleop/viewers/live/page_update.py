"""What the session tells its page, and how it travels to the page's process.

A message is one letter and its content. To the page: `U` an update (JSON), `P` a
picture (height, width, bytes). From the page: `R` a request, `O` open at a port, `F`
failed with a reason, `B` a browser has come, `A` that the page is alive, `L` why no
browser can press its buttons any more, or nothing when one can again. Both ends are
ours; nothing is executed on the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson
from telexist.retarget.so3 import Array

__all__ = [
    "ALIVE",
    "BROWSER",
    "FAILED",
    "LOST",
    "OPEN",
    "PICTURE",
    "REQUEST",
    "UPDATE",
    "PageEvent",
    "PageUpdate",
    "decode_picture",
    "decode_update",
    "encode_picture",
    "encode_update",
]

UPDATE, PICTURE, REQUEST, OPEN, FAILED, BROWSER = b"U", b"P", b"R", b"O", b"F", b"B"
ALIVE, LOST = b"A", b"L"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvent:
    """One line of the list of events; `stamp` in seconds since the session began."""

    stamp: float
    kind: str
    reason: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageUpdate:
    """The newest of a session, some 25 times a second.

    Attributes:
        stamp: Seconds since the session began.
        state: Of the session.
        q: The robot's joints (n,); None before it answered.
        world_p_base: (3,) [m].
        world_R_base: (3, 3).
        segments: Those of the person that are known.
        human_R: `world_R_segment` (s, 3, 3).
        human_p: (s, 3) [m]; None where only rotations are known.
        readings: Name to number, for the plots; NaN where there is none.
        notice: One line that the operator should read now.
        marks: What the controller shows: name to numbers.
        person: The person's dynamics: name to numbers, as `PersonDynamics` has them.
        events: What happened since the last update.
    """

    stamp: float
    state: str
    q: Array | None = None
    world_p_base: Array | None = None
    world_R_base: Array | None = None
    segments: tuple[str, ...] = ()
    human_R: Array | None = None
    human_p: Array | None = None
    readings: Mapping[str, float] = field(default_factory=dict)
    notice: str = ""
    marks: Mapping[str, Array] = field(default_factory=dict)
    person: Mapping[str, Array] = field(default_factory=dict)
    events: tuple[PageEvent, ...] = ()


_ARRAYS = ("q", "world_p_base", "world_R_base", "human_R", "human_p")


def encode_update(update: PageUpdate) -> bytes:
    """Return an update as a message; what is not finite becomes null."""
    table = {
        "stamp": update.stamp,
        "state": update.state,
        "segments": update.segments,
        "readings": dict(update.readings),
        "notice": update.notice,
        "marks": {name: _plain(value) for name, value in update.marks.items()},
        "person": {name: _plain(value) for name, value in update.person.items()},
        "events": [
            (event.stamp, event.kind, event.reason, event.state)
            for event in update.events
        ],
    }
    for name in _ARRAYS:
        value = getattr(update, name)
        table[name] = None if value is None else _plain(value)
    return UPDATE + orjson.dumps(table, option=orjson.OPT_SERIALIZE_NUMPY)


def decode_update(message: bytes) -> PageUpdate:
    """Return the update of a message made by `encode_update`."""
    table: dict[str, Any] = orjson.loads(message[1:])
    arrays = {name: _array(table[name]) for name in _ARRAYS if table[name] is not None}
    return PageUpdate(
        stamp=table["stamp"],
        state=table["state"],
        segments=tuple(table["segments"]),
        readings={
            name: float("nan") if value is None else value
            for name, value in table["readings"].items()
        },
        notice=table["notice"],
        marks={name: _array(value) for name, value in table["marks"].items()},
        person={name: _array(value) for name, value in table["person"].items()},
        events=tuple(
            PageEvent(stamp=stamp, kind=kind, reason=reason, state=state)
            for stamp, kind, reason, state in table["events"]
        ),
        **arrays,
    )


def encode_picture(image: np.ndarray) -> bytes:
    """Return a picture (h, w, 3) uint8 as a message."""
    height, width = image.shape[:2]
    head = height.to_bytes(2, "little") + width.to_bytes(2, "little")
    return PICTURE + head + np.ascontiguousarray(image, dtype=np.uint8).tobytes()


def decode_picture(message: bytes) -> np.ndarray:
    """Return the picture (h, w, 3) uint8 of a message made by `encode_picture`."""
    height = int.from_bytes(message[1:3], "little")
    width = int.from_bytes(message[3:5], "little")
    flat = np.frombuffer(message, dtype=np.uint8, offset=5)
    return flat.reshape(height, width, 3)


def _plain(value: Array) -> Array:
    return np.ascontiguousarray(value, dtype=np.float64)


def _array(value: object) -> Array:
    return np.array(value, dtype=np.float64)
