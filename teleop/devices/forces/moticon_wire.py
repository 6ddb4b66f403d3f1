"""The UDP text of Moticon's desktop program: 51 numbers, separated by blanks.

Time; of the left insole acceleration (3), angular rate (3), centre of pressure (2),
pressures (16), total force; the same of the right one. Forces are in newtons; the
centre of pressure is a share of the insole, -0.5 to 0.5 along and across it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import RefusedMessage

__all__ = ["MOTICON_PORT", "InsoleReading", "build_moticon", "parse_moticon"]

MOTICON_PORT = 8888
COUNT = 51
FOOT = 25  # numbers of a foot
MOST_BYTES = 4096
MOST_FORCE = 20_000.0  # [N]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsoleReading:
    """One message.

    Attributes:
        time: At the insoles [s].
        pressure_centre: Of left and right, share of the insole ahead and to the left
            (2, 2); NaN where there is none.
        force: Total of left and right (2,) [N].
        pressures: (2, 16) [N/cm^2].
    """

    time: float
    pressure_centre: Array
    force: Array
    pressures: Array = field(default_factory=lambda: np.zeros((2, 16)))


def parse_moticon(data: bytes) -> InsoleReading:
    """Read a message.

    Raises:
        RefusedMessage: As "malformed".
    """
    if len(data) > MOST_BYTES:
        raise RefusedMessage("malformed", f"{len(data)} bytes are no insole's")
    words = data.split()
    if len(words) != COUNT:
        raise RefusedMessage("malformed", f"{len(words)} numbers instead of {COUNT}")
    try:
        numbers = np.array([float(word) for word in words])
    except ValueError as error:
        raise RefusedMessage("malformed", "a word is not a number") from error
    if not math.isfinite(numbers[0]):
        raise RefusedMessage("malformed", "its time is not finite")
    feet = numbers[1:].reshape(2, FOOT)
    force = feet[:, 24]
    if np.any(np.abs(force[np.isfinite(force)]) > MOST_FORCE):
        raise RefusedMessage("malformed", f"a force above {MOST_FORCE:g} N")
    return InsoleReading(
        time=float(numbers[0]),
        pressure_centre=feet[:, 6:8],
        force=force,
        pressures=feet[:, 8:24],
    )


def build_moticon(reading: InsoleReading) -> bytes:
    """Return the text of a reading, as the desktop program sends it."""
    feet = np.zeros((2, FOOT))
    feet[:, 2] = 1.0  # [g] lying flat
    feet[:, 6:8] = reading.pressure_centre
    feet[:, 8:24] = reading.pressures
    feet[:, 24] = reading.force
    words = [f"{reading.time:.4f}", *(f"{number:.6g}" for number in feet.ravel())]
    return (" ".join(words) + "\n").encode()
