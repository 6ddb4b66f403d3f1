"""Faults inside real payloads: NaN, a jump, a freeze, a new count.

What differs between protocols is in `mvn_faults.py`, `vmc_faults.py`, `body_faults.py`
and `treadmill_faults.py`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from telexist.teleop.devices.simulators.faults.body_faults import BODY_FAULTS
from telexist.teleop.devices.simulators.faults.mvn_faults import MvnFaults
from telexist.teleop.devices.simulators.faults.payload_codec import TURN, PayloadCodec
from telexist.teleop.devices.simulators.faults.treadmill_faults import (
    CyberithFaults,
    KatFaults,
    OmniFaults,
)
from telexist.teleop.devices.simulators.faults.vmc_faults import VmcFaults

__all__ = ["TURN", "PayloadFaults"]

logger = logging.getLogger(__name__)

CODECS: Sequence[PayloadCodec] = (
    MvnFaults(),
    CyberithFaults(),
    KatFaults(),
    OmniFaults(),
    VmcFaults(),
    *BODY_FAULTS,
)


class PayloadFaults:
    """Rewrites packets; one that is of no known protocol passes as it is, told once."""

    def __init__(self, random: np.random.Generator) -> None:
        """Take the source of chance."""
        self._random = random
        self._frozen: dict[object, bytes] = {}
        self._restart = False
        self._first: float | None = None
        self._logged = False

    def restart_next(self) -> None:
        """Let the next packet be the first of a source that was started anew."""
        self._restart = True

    def sample(self, packet: bytes) -> float | None:
        """Return what all packets of one sample have in common, or None."""
        codec = _codec(packet)
        return None if codec is None else codec.number(packet)

    def renumber(self, packet: bytes) -> bytes:
        """Return the packet as it is counted since the last restart."""
        codec = _codec(packet) if self._restart or self._first is not None else None
        number = None if codec is None else codec.number(packet)
        if codec is None or number is None:
            return packet
        if self._restart:
            self._restart, self._first = False, number
        if self._first is None:
            return packet
        return codec.with_number(packet, max(0.0, number - self._first))

    def live(self, packet: bytes) -> bytes:
        """Return the packet as it is and remember it as the newest."""
        codec = _codec(packet)
        key = None if codec is None else codec.stream(packet)
        if key is not None:
            self._frozen[key] = packet
        return packet

    def freeze(self, packet: bytes) -> bytes:
        """Return the packet with the pose of the newest that was not frozen."""
        codec = self._known(packet)
        key = None if codec is None else codec.stream(packet)
        if codec is None or key is None:
            return packet
        old = self._frozen.setdefault(key, packet)
        number = codec.number(packet)
        return old if number is None else codec.with_number(old, number)

    def nan(self, packet: bytes) -> bytes:
        """Return the packet with one number of its pose not a number."""
        codec = self._known(packet)
        return packet if codec is None else codec.nan(packet, self._random)

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with its pose somewhere else; see `PayloadCodec`."""
        codec = self._known(packet)
        return packet if codec is None else codec.jump(packet)

    def _known(self, packet: bytes) -> PayloadCodec | None:
        codec = _codec(packet)
        if codec is None and not self._logged:
            self._logged = True
            logger.warning(
                "faults: packets of an unknown protocol pass without nan, jump, freeze"
            )
        return codec


def _codec(packet: bytes) -> PayloadCodec | None:
    return next((codec for codec in CODECS if codec.reads(packet)), None)
