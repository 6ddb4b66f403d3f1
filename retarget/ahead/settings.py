"""What counts how much in the second pass over a clip."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AheadSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AheadSettings:
    """Weights beside that of a limb's direction, 1 / rad^2, and when it is enough.

    Attributes:
        cutoff: Frequency above which a limb's motion is smoothed away [Hz]: people's
            limbs do not move faster, recordings tremble faster.
        joint: Of staying at the given joint positions [1/rad^2].
        travel: Of staying at the given base position [1/m^2].
        flight: The same while nothing stands: nothing but gravity moves it then.
        hold: Of a corner that stands [1/m^2].
        tilt: Of one that does not, of a sole on its edge [1/m^2].
        still: Of the middle of a sole that is not flat and does not travel [1/m^2].
        swing: Of the place of a sole in the air [1/m^2].
        floor: Of a corner below the floor [1/m^2].
        tied: Of a joint that another leads, or a sum of joints at its limit [1/rad^2].
        fast: Of a joint beyond its speed limit [1/rad^2].
        balance: Step of the splitting for what the floor must give [1/m^2].
        limit: Step of the splitting for joint limits [1/rad^2].
        rounds: Of the splitting, for one linearisation.
        solutions: Linearisations at most; the first is without balance.
        settled: Greatest change of a joint after which no other follows [rad].
    """

    cutoff: float = 5.0
    joint: float = 1e-2
    travel: float = 0.1
    flight: float = 30.0
    hold: float = 3e5
    tilt: float = 0.0
    still: float = 1e5
    swing: float = 5.0
    floor: float = 1e5
    tied: float = 1e5
    fast: float = 1e4
    balance: float = 300.0
    limit: float = 10.0
    rounds: int = 30
    solutions: int = 6
    settled: float = 0.01
