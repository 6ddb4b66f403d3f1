"""Open Sound Control 1.0: packets to messages and back.

A packet is a message, or a bundle of packets. Everything is big-endian and padded to
multiples of four bytes. Sizes and depth are bounded: packets come from strangers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from telexist.teleop.devices.base import RefusedMessage

__all__ = ["Argument", "OscMessage", "build_bundle", "build_osc", "parse_osc"]

Argument = int | float | str | bytes | bool | None

MAX_MESSAGES = 512  # in one packet
MAX_ARGUMENTS = 64  # of one message
MAX_DEPTH = 4  # of bundles in bundles
_BUNDLE = b"#bundle\0"
_NOW = (1).to_bytes(8, "big")  # time tag: at once
_NUMBERS = {"i": "i", "f": "f", "h": "q", "d": "d", "t": "Q"}
_CONSTANTS: dict[str, Argument] = {"T": True, "F": False, "N": None, "I": float("inf")}


@dataclass(frozen=True, slots=True)
class OscMessage:
    """One message: an address such as "/VMC/Ext/T" and its arguments."""

    address: str
    arguments: tuple[Argument, ...]


def parse_osc(data: bytes) -> tuple[OscMessage, ...]:
    """Return all messages of a packet in order.

    Raises:
        RefusedMessage: If it is not a packet, to the last byte.
    """
    messages = []
    for message in _packet(data, 0):
        messages.append(message)
        if len(messages) > MAX_MESSAGES:
            raise RefusedMessage("malformed", f"more than {MAX_MESSAGES} messages")
    return tuple(messages)


def _packet(data: bytes, depth: int) -> Iterator[OscMessage]:
    if len(data) % 4 or not data:
        raise RefusedMessage("malformed", f"an OSC packet of {len(data)} bytes")
    if not data.startswith(_BUNDLE):
        yield _message(data)
        return
    if depth >= MAX_DEPTH or len(data) < 16:
        raise RefusedMessage("malformed", "an OSC bundle too deep or too short")
    at = 16
    while at < len(data):
        if at + 4 > len(data):
            raise RefusedMessage("malformed", "an OSC bundle ends too early")
        (size,) = struct.unpack_from(">i", data, at)
        at += 4
        if not 0 < size <= len(data) - at:
            raise RefusedMessage("malformed", f"an OSC element of {size} bytes")
        yield from _packet(data[at : at + size], depth + 1)
        at += size


def _message(data: bytes) -> OscMessage:
    address, at = _text(data, 0)
    tags, at = _text(data, at)
    if not address.startswith("/") or not tags.startswith(","):
        raise RefusedMessage("malformed", "an OSC message without address or types")
    if len(tags) > MAX_ARGUMENTS + 1:
        raise RefusedMessage("malformed", f"an OSC message of {len(tags)} arguments")
    arguments: list[Argument] = []
    for run in _runs(tags[1:]):
        if isinstance(run, struct.Struct):
            if at + run.size > len(data):
                raise RefusedMessage("malformed", "an OSC number is cut off")
            arguments += run.unpack_from(data, at)
            at += run.size
        else:
            value, at = _argument(data, at, run)
            arguments.append(value)
    if at != len(data):
        raise RefusedMessage("malformed", "an OSC message longer than its types")
    return OscMessage(address, tuple(arguments))


def _text(data: bytes, at: int) -> tuple[str, int]:
    """Return the text at a place and where the next field begins."""
    end = data.find(b"\0", at)
    after = (end // 4 + 1) * 4
    if end < 0 or after > len(data) or any(data[end:after]):
        raise RefusedMessage("malformed", "an OSC text without end")
    try:
        return data[at:end].decode("utf-8"), after
    except UnicodeDecodeError as error:
        raise RefusedMessage("malformed", "an OSC text that is no text") from error


@lru_cache(maxsize=256)
def _runs(tags: str) -> tuple[struct.Struct | str, ...]:
    """Return the types in order, neighbouring numbers as one."""
    runs: list[struct.Struct | str] = []
    for tag in tags:
        if tag not in _NUMBERS:
            runs.append(tag)
        elif runs and isinstance(runs[-1], struct.Struct):
            runs[-1] = struct.Struct(runs[-1].format + _NUMBERS[tag])
        else:
            runs.append(struct.Struct(">" + _NUMBERS[tag]))
    return tuple(runs)


def _argument(data: bytes, at: int, tag: str) -> tuple[Argument, int]:
    if tag in _CONSTANTS:
        return _CONSTANTS[tag], at
    if tag == "s":
        return _text(data, at)
    if tag == "b":
        return _blob(data, at)
    raise RefusedMessage("malformed", f"an OSC argument of type {tag!r}")


def _blob(data: bytes, at: int) -> tuple[bytes, int]:
    size = struct.unpack_from(">i", data, at)[0] if at + 4 <= len(data) else -1
    after = at + 4 + (size + 3) // 4 * 4
    if size < 0 or after > len(data):
        raise RefusedMessage("malformed", "an OSC blob is cut off")
    return data[at + 4 : at + 4 + size], after


def build_osc(address: str, *arguments: Argument) -> bytes:
    """Return the packet of one message; floats go as 32 bits, integers too."""
    tags, fields = ",", b""
    for value in arguments:
        tag, field = _encoded(value)
        tags += tag
        fields += field
    return _padded(address.encode() + b"\0") + _padded(tags.encode() + b"\0") + fields


def _encoded(value: Argument) -> tuple[str, bytes]:
    if value is None:
        return "N", b""
    if isinstance(value, bool):
        return ("T" if value else "F"), b""
    if isinstance(value, int):
        return "i", struct.pack(">i", value)
    if isinstance(value, float):
        return "f", struct.pack(">f", value)
    if isinstance(value, str):
        return "s", _padded(value.encode() + b"\0")
    return "b", struct.pack(">i", len(value)) + _padded(value)


def build_bundle(packets: Iterable[bytes]) -> bytes:
    """Return a bundle of packets, to be taken at once."""
    return (
        _BUNDLE
        + _NOW
        + b"".join(struct.pack(">i", len(packet)) + packet for packet in packets)
    )


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)
