"""What differs on the wire between YARP 3 and YARP 4: three codes of types."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["YARP_3", "YARP_4", "Dialect"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """Codes of the types whose codes depend on YARP's version.

    Attributes:
        version: Of YARP: 3 or 4.
        float32: Code of a 4-byte number.
        float64: Code of an 8-byte number.
        vocab64: Code of a word of eight letters; 0 where there is none.
    """

    version: int
    float32: int
    float64: int
    vocab64: int


YARP_3 = Dialect(version=3, float32=128, float64=10, vocab64=0)
YARP_4 = Dialect(version=4, float32=10, float64=20, vocab64=18)
