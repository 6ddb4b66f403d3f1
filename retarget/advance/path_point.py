"""A point of a path with its derivatives, and the simplest path that has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array

__all__ = ["PathPoint", "straight_path", "swinging_path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPoint:
    """A path at a value of its parameter psi, which is in seconds.

    Attributes:
        x: The place (3,) [m].
        dx: Its derivative by psi (3,) [m/s].
        d2x: The second one (3,) [m/s^2].
    """

    x: Array
    dx: Array
    d2x: Array


def straight_path(
    start: Array, end: Array, duration: float
) -> Callable[[float], PathPoint]:
    """Return a minimum-jerk path from rest to rest; outside its time it stays.

    Args:
        start: Where it begins at psi = 0 (3,) [m].
        end: Where it ends (3,) [m].
        duration: psi at its end [s].

    Raises:
        BadInput: If the duration is not positive or a place not finite.
    """
    way, first = np.subtract(end, start), np.array(start, dtype=float)
    if not (np.isfinite(way).all() and np.isfinite(duration) and duration > 0.0):
        raise BadInput("a path needs two finite places and a duration above 0 s")

    def at(psi: float) -> PathPoint:
        s = min(max(psi / duration, 0.0), 1.0)
        part = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
        slope = 30.0 * (s * (1.0 - s)) ** 2 / duration
        bend = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / duration**2
        return PathPoint(x=first + part * way, dx=slope * way, d2x=bend * way)

    return at


def swinging_path(
    middle: Array, amplitude: Array, frequency: float
) -> Callable[[float], PathPoint]:
    """Return a path that swings about a place for ever, and leaves it at psi = 0.

    Args:
        middle: About which it swings (3,) [m].
        amplitude: To which it goes first, from there (3,) [m].
        frequency: [1/s] of psi.

    Raises:
        BadInput: If the frequency is not positive or a place not finite.
    """
    way, first = np.array(amplitude, dtype=float), np.array(middle, dtype=float)
    places = np.isfinite(way).all() and np.isfinite(first).all()
    if not (places and 0.0 < frequency < math.inf):
        raise BadInput("a path needs two finite places and a frequency above 0 / s")
    w = 2.0 * math.pi * frequency

    def at(psi: float) -> PathPoint:
        s, c = math.sin(w * psi), math.cos(w * psi)
        return PathPoint(x=first + s * way, dx=w * c * way, d2x=-(w**2) * s * way)

    return at
