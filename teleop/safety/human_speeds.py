"""How fast the parts of a person can turn and move, generously."""

from __future__ import annotations

import numpy as np
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.so3 import Array

__all__ = ["MOVING_LIMITS", "turning_limits"]

TRUNK = ("Pelvis", "L5", "L3", "T12", "T8")
HEAD = ("Neck", "Head")
TREMOR = 0.3  # [rad] between two samples of sensors with 2 degrees of noise
TURNED_OVER = 0.5  # [rad] hands and feet in recordings, at 120 Hz


def turning_limits(angle: float, speed: float) -> Array:
    """Return what every segment can do: angle, speed, acceleration, noise (4, 23).

    Args:
        angle: Angle between two samples that is never too far [rad].
        speed: Greatest speed of a limb [rad/s]; the head can be 0.7 times as fast
            (1400 deg/s of 2000), the trunk 0.4 times.
    """
    return _limits(
        limb=(angle, speed, 600.0, TURNED_OVER),
        head=(angle, 0.7 * speed, 300.0, TREMOR),
        trunk=(angle, 0.4 * speed, 150.0, TREMOR),
    )


_Row = tuple[float, float, float, float]


def _limits(*, limb: _Row, head: _Row, trunk: _Row) -> Array:
    values = np.empty((4, len(SEGMENTS)))
    for k, name in enumerate(SEGMENTS):
        values[:, k] = trunk if name in TRUNK else head if name in HEAD else limb
    values.setflags(write=False)
    return values


MOVING_LIMITS = _limits(
    limb=(0.25, 20.0, 100.0, 0.25),
    head=(0.2, 10.0, 50.0, 0.2),
    trunk=(0.15, 7.0, 30.0, 0.15),
)
"""The same of places [m], [m/s], [m/s^2], [m]."""
