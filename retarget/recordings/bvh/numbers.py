"""A table of plain decimal numbers out of text, many times faster than word by word.

A number of at most 15 digits, and a power of ten of at most 22, are both exact as
doubles; their quotient or product, rounded once, is the double nearest to what is
written: what `float` gives. The few words beyond that are left to `float`. Whatever is
not a table of plain numbers is left to the reader that says what is wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.compiled import Ints, jit_internal, jit_release_gil
from telexist.retarget.so3 import Array

__all__ = ["plain_table"]

DIGITS = 15  # any number of so many digits is exact as a double
POWER = 22  # the last power of ten that is
TENS = np.array([10.0**k for k in range(POWER + 1)])
_NEWLINE, _SPACE, _TAB = 10, 32, 9
_PLUS, _MINUS, _POINT, _ZERO, _NINE, _BIG_E, _SMALL_E = 43, 45, 46, 48, 57, 69, 101


def plain_table(text: str, count: int, width: int) -> Array | None:
    """Return a table (count, width), or None if the text is not simply one.

    Args:
        text: A row on each line, any number of blanks between numbers.
        count: Number of rows.
        width: Numbers in a row.
    """
    if not text.isascii() or width == 0 or 2 * count * width > len(text) + 1:
        return None
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    values = np.empty(count * width)
    hard = np.empty((count * width, 3), dtype=np.int64)
    done, left = _parse(data, TENS, width, values, hard)
    if done != values.size:
        return None
    for place, begin, end in hard[:left].tolist():
        values[place] = float(text[begin:end])
    return values.reshape(count, width)


@jit_internal
def _is_digit(c: int) -> bool:
    return _ZERO <= c <= _NINE


@jit_internal
def _is_blank(c: int) -> bool:
    blank = c == _SPACE
    return blank | (c == _TAB)


@jit_internal
def _number(
    data: NDArray[np.uint8], begin: int, tens: Array
) -> tuple[int, float, bool]:
    """Read one number; return its end, or -1, its value, and whether that is exact."""
    i, n = begin, len(data)
    negative = data[i] == _MINUS
    if negative or data[i] == _PLUS:
        i += 1
    whole, digits, power, any_digit = 0, 0, 0, False
    after_point = False
    while i < n:
        c = data[i]
        if _is_digit(c):
            any_digit = True
            if digits > 0 or c != _ZERO:
                digits += 1
            if digits <= DIGITS:
                whole = whole * 10 + (c - _ZERO)
            if after_point:
                power -= 1
        elif c == _POINT and not after_point:
            after_point = True
        else:
            break
        i += 1
    if not any_digit:
        return -1, 0.0, False
    if i < n and (data[i] == _SMALL_E or data[i] == _BIG_E):
        i += 1
        sign = 1
        if i < n and (data[i] == _MINUS or data[i] == _PLUS):
            sign = -1 if data[i] == _MINUS else 1
            i += 1
        first, exponent = i, 0
        while i < n and _is_digit(data[i]):
            exponent = min(exponent * 10 + (data[i] - _ZERO), 100000)
            i += 1
        if i == first:
            return -1, 0.0, False
        power += sign * exponent
    exact = digits <= DIGITS and -POWER <= power <= POWER
    value = 0.0
    if exact:
        value = whole / tens[-power] if power < 0 else whole * tens[power]
    return i, -value if negative else value, exact


@jit_release_gil
def _parse(
    data: NDArray[np.uint8], tens: Array, width: int, values: Array, hard: Ints
) -> tuple[int, int]:
    """Fill values row by row, and `hard` with place, begin and end of what is not done.

    Returns:
        How many numbers there are, or -1 where it is no table of plain numbers; and how
        many are hard.
    """
    i, n, done, left, in_row = 0, len(data), 0, 0, 0
    while i < n:
        c = data[i]
        if c == _NEWLINE:
            if in_row != 0 and in_row != width:
                return -1, 0
            in_row = 0
            i += 1
        elif _is_blank(c):
            i += 1
        else:
            if done == len(values):
                return -1, 0
            end, value, exact = _number(data, i, tens)
            if end < 0:
                return -1, 0
            if end < n and not _is_blank(data[end]) and data[end] != _NEWLINE:
                return -1, 0
            values[done] = value
            if not exact:
                hard[left, 0], hard[left, 1], hard[left, 2] = done, i, end
                left += 1
            done += 1
            in_row += 1
            i = end
    if in_row != 0 and in_row != width:
        return -1, 0
    return done, left
