"""What a fault must know of a protocol to spoil its packets from within."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

__all__ = ["TURN", "PayloadCodec"]

TURN = math.radians(60.0)  # about the vertical: how far a person or a ring jumps


class PayloadCodec(Protocol):
    """One protocol; packets that `reads` does not know are never given to the rest."""

    def reads(self, packet: bytes) -> bool:
        """Return whether the packet is of this protocol."""

    def stream(self, packet: bytes) -> object:
        """Return what tells packets of one kind from others; None: has no pose."""

    def number(self, packet: bytes) -> float | None:
        """Return the sample's counter, or its time; None if it has none."""

    def with_number(self, packet: bytes, number: float) -> bytes:
        """Return the packet with another counter or time."""

    def nan(self, packet: bytes, random: np.random.Generator) -> bytes:
        """Return the packet with one number that is none; as it is if it cannot."""

    def jump(self, packet: bytes) -> bytes:
        """Return the packet with the pose turned by `TURN` and, for people, shifted."""
