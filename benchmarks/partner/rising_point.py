"""A centre of mass that stands up with a partner: the thesis' Figs 9.10 and 9.13.

The ways are those of section 8.4, lean and rise, one after the other; the robot is a
point that does what it is asked and knows the force that it feels. What a whole robot
makes of it is another matter: this shows the law alone, on the path of a stand-up.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from telexist.retarget.advance import (
    AdvanceLaw,
    PrintedAdvance,
    TrajectoryAdvance,
    straight_path,
)
from telexist.retarget.so3 import Array

__all__ = ["rising_point"]

MASS = 33.0  # [kg], iCub
SEATED = np.zeros(3)
LEANED = np.array([0.10, 0.0, -0.01])  # [m] from there
RISEN = np.array([0.12, 0.0, 0.20])
WAYS = ((SEATED, LEANED, 2.0), (LEANED, RISEN, 3.0))  # from, to, [s]
PULL = np.array([0.45, 0.0, 0.89])  # direction of the hands' force
BEGINS = 0.3  # [s] when the partner begins to pull
RAMP = 0.5  # [s]
DT = 0.005  # [s]
LONGEST = 12.0  # [s]


def rising_point(
    *, newtons: float, printed: bool, noise: float = 0.0, delay: float = 0.0
) -> dict[str, Any]:
    """Return how it stood up.

    Args:
        newtons: Of both hands together [N].
        printed: Whether by the law as printed.
        noise: Of the force that is felt, each axis [N].
        delay: Of it [s].
    """
    least = max(2.0, 3.0 * noise)
    law = AdvanceLaw(
        upper=10.0 if printed else 3.0,
        relaxation=0.3,
        mass=MASS,
        least=least,
        smallest=0.05 if printed else 0.1,
    )
    rng = np.random.default_rng(7)
    x, v, time = SEATED.copy(), np.zeros(3), 0.0
    felt = deque([np.zeros(3)] * (round(delay / DT) + 1))
    ahead, error, highest = 0.0, 0.0, 0.0
    for start, end, duration in WAYS:
        path = straight_path(start, end, duration)
        speed = 1.875 * float(np.linalg.norm(end - start)) / duration
        advance: TrajectoryAdvance | PrintedAdvance = TrajectoryAdvance(
            law, speed=speed
        )
        if printed:
            advance = PrintedAdvance(law, speed=speed, hand_mass=MASS)
        begun = time
        while advance.psi < duration and time < LONGEST:
            f = _force(newtons, time)
            felt.append(f + noise * rng.normal(size=3))
            f_felt = felt.popleft()
            got = advance.step(path(advance.psi), x, v, f_felt, DT)
            a = got.acceleration + (f - f_felt) / MASS
            x, v = x + DT * v + 0.5 * DT**2 * a, v + DT * a
            time += DT
            error = max(error, float(np.linalg.norm(got.error)))
            highest = max(highest, got.rate)
        ahead += advance.psi - (time - begun)
    return {
        "law": "printed" if printed else "corrected",
        "pull_n": newtons,
        "time_s": time,
        "psi_ahead_s": ahead,
        "rate_max": highest,
        "error_max_mm": 1e3 * error,
    }


def _force(newtons: float, time: float) -> Array:
    return newtons * min(max((time - BEGINS) / RAMP, 0.0), 1.0) * PULL
