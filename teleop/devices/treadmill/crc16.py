"""The usual 16-bit cyclic redundancy checks, as two bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Literal

__all__ = ["CRC16S", "crc16", "crc16_reflected"]


def crc16(data: bytes, polynomial: int, start: int) -> int:
    """Return the CRC of bytes, most significant bit first."""
    crc = start
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ (polynomial if crc & 0x8000 else 0)
        crc &= 0xFFFF
    return crc


def crc16_reflected(data: bytes, polynomial: int, start: int) -> int:
    """Return the CRC of bytes, least significant bit first."""
    crc = start
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (polynomial if crc & 1 else 0)
    return crc


_VALUES: Mapping[str, Callable[[bytes], int]] = MappingProxyType(
    {
        "ccitt": partial(crc16, polynomial=0x1021, start=0xFFFF),
        "xmodem": partial(crc16, polynomial=0x1021, start=0),
        "kermit": partial(crc16_reflected, polynomial=0x8408, start=0),
        "mcrf4xx": partial(crc16_reflected, polynomial=0x8408, start=0xFFFF),
        "arc": partial(crc16_reflected, polynomial=0xA001, start=0),
        "modbus": partial(crc16_reflected, polynomial=0xA001, start=0xFFFF),
    }
)


def _two_bytes(name: str, order: Literal["big", "little"], data: bytes) -> bytes:
    return _VALUES[name](data).to_bytes(2, order)


_ORDERS: tuple[Literal["big", "little"], ...] = ("little", "big")

CRC16S: Mapping[str, Callable[[bytes], bytes]] = MappingProxyType(
    {
        f"{name} {order}": partial(_two_bytes, name, order)
        for name in _VALUES
        for order in _ORDERS
    }
)
"""Name and byte order to the function from data to its two bytes."""
