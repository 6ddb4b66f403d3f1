"""Frame rates as exact numbers: what a file's rounded times stand for."""

from __future__ import annotations

from fractions import Fraction

from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["exact_rate", "parse_rate"]

ROUNDING = 1e-4  # relative; BVH writes 1/120 s as 0.0083333, four parts in a million
MAX_RATE = 1000  # [Hz]


def exact_rate(time: Array) -> Fraction:
    """Return the rate that uniform times stand for [Hz].

    Whole numbers first, then those of television (30000/1001), then the ratio nearest
    to what is there.
    """
    if len(time) < 2:
        return Fraction(1)
    rate = (len(time) - 1) / float(time[-1] - time[0])
    for found in (Fraction(round(rate)), Fraction(round(rate * 1.001) * 1000, 1001)):
        if found > 0 and abs(float(found) - rate) <= ROUNDING * rate:
            return found
    return Fraction(rate).limit_denominator(1000)


def parse_rate(text: str) -> Fraction:
    """Read `50`, `29.97` or `30000/1001`.

    Raises:
        BadInput: If it is no rate from 1 to 1000 Hz.
    """
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        rate = Fraction(0)
    if not 1 <= rate <= MAX_RATE:
        raise BadInput(f"'{text[:40]}' is not a frame rate from 1 to {MAX_RATE} Hz")
    return rate
