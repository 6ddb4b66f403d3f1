"""LZ4's frame format, as Rokoko Studio packs its JSON: read, and written unpacked.

A frame is the magic number, a descriptor, blocks (u32 size, highest bit: not packed)
and a zero. A block is a row of sequences: a token (4 bits: how many literals, 4 bits:
how long a match), literals, u16 how far back the match begins. After lz4's
`lz4_Frame_format.md` and `lz4_Block_format.md`. Checksums are passed over: UDP has its
own, and what comes out is checked as JSON and as a person.
"""

from __future__ import annotations

import struct

from telexist.teleop.devices.base import RefusedMessage

__all__ = ["is_lz4", "lz4_unpack", "lz4_wrap"]

_MAGIC = b"\x04\x22\x4d\x18"
_SIZE = struct.Struct("<I")
_VERSION, _VERSION_BITS = 0x40, 0xC0
_BLOCK_SUM, _CONTENT_SIZE, _DICTIONARY = 0x10, 0x08, 0x01
_PLAIN = 0x80000000  # of a block's size
_SHORTEST = 4  # [bytes] of a match
_LONG = 15  # in a token: more bytes of length follow
_WRAP = bytes((0x60, 0x70, 0x73))  # blocks alone, 4 MB at most, and their checksum


def is_lz4(data: bytes) -> bool:
    """Whether data begin as a frame does."""
    return data.startswith(_MAGIC)


def lz4_unpack(data: bytes, most: int) -> bytes:
    """Return what a frame holds.

    Args:
        data: The frame.
        most: Longest result that is accepted [bytes].

    Raises:
        RefusedMessage: If it is damaged or too long.
    """
    try:
        return _unpacked(data, most)
    except (IndexError, struct.error) as error:
        raise RefusedMessage("malformed", "an LZ4 frame that ends too early") from error


def lz4_wrap(data: bytes) -> bytes:
    """Return a frame that holds data in a block as they are."""
    return _MAGIC + _WRAP + _SIZE.pack(len(data) | _PLAIN) + data + bytes(4)


def _unpacked(data: bytes, most: int) -> bytes:
    flags = data[len(_MAGIC)]
    if flags & _VERSION_BITS != _VERSION or flags & _DICTIONARY:
        raise RefusedMessage("malformed", "an LZ4 frame of another kind")
    at = len(_MAGIC) + 3 + (8 if flags & _CONTENT_SIZE else 0)
    out = bytearray()
    while size := _SIZE.unpack_from(data, at)[0]:
        at += _SIZE.size
        length = size & ~_PLAIN
        if at + length > len(data):
            raise RefusedMessage("malformed", f"an LZ4 block of {length} bytes")
        block = data[at : at + length]
        if size & _PLAIN:
            out += block
        else:
            _unpack_block(block, out, most)
        if len(out) > most:
            raise RefusedMessage("malformed", f"more than {most} bytes unpacked")
        at += length + (_SIZE.size if flags & _BLOCK_SUM else 0)
    return bytes(out)


def _unpack_block(block: bytes, out: bytearray, most: int) -> None:
    at, end = 0, len(block)
    while at < end:
        token = block[at]
        literals, at = _length(block, at + 1, token >> 4)
        if at + literals > end:
            raise RefusedMessage("malformed", "literals beyond the end of a block")
        out += block[at : at + literals]
        at += literals
        if at == end:  # the last sequence has literals alone
            return
        back = block[at] | block[at + 1] << 8
        size, at = _length(block, at + 2, token & _LONG)
        if not 0 < back <= len(out) or len(out) + size > most:
            raise RefusedMessage("malformed", "a match outside of what was unpacked")
        _repeat(out, back, size + _SHORTEST)


def _length(block: bytes, at: int, nibble: int) -> tuple[int, int]:
    """Return a length, and where what follows it begins."""
    length = nibble
    if nibble == _LONG:
        more = 255
        while more == 255:
            more = block[at]
            length += more
            at += 1
    return length, at


def _repeat(out: bytearray, back: int, size: int) -> None:
    """Append what stands so far back; it may run into itself."""
    begin = len(out) - back
    if back >= size:
        out += out[begin : begin + size]
        return
    piece = bytes(out[begin:])
    out += (piece * (size // back + 1))[:size]
