"""The revised NIOSH lifting equation (publication 94-110, public domain).

RWL = 23 kg x HM x VM x DM x AM x FM x CM; the lifting index is the load over it.
Lengths are in metres here; the manual's metric form counts centimetres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from telexist.retarget.errors import BadInput, UnknownName

__all__ = ["COUPLINGS", "LiftingIndex", "frequency_multiplier", "lifting_index"]

LOAD_CONSTANT = 23.0  # [kg]
COUPLINGS = ("good", "fair", "poor")

# Table 5 of the manual: lifts a minute; then, for work of up to 1 h, 2 h and 8 h, the
# multiplier of lifts that begin below 75 cm and of those that begin there or above.
_FREQUENCY: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0.2, (1.00, 1.00, 0.95, 0.95, 0.85, 0.85)),
    (0.5, (0.97, 0.97, 0.92, 0.92, 0.81, 0.81)),
    (1.0, (0.94, 0.94, 0.88, 0.88, 0.75, 0.75)),
    (2.0, (0.91, 0.91, 0.84, 0.84, 0.65, 0.65)),
    (3.0, (0.88, 0.88, 0.79, 0.79, 0.55, 0.55)),
    (4.0, (0.84, 0.84, 0.72, 0.72, 0.45, 0.45)),
    (5.0, (0.80, 0.80, 0.60, 0.60, 0.35, 0.35)),
    (6.0, (0.75, 0.75, 0.50, 0.50, 0.27, 0.27)),
    (7.0, (0.70, 0.70, 0.42, 0.42, 0.22, 0.22)),
    (8.0, (0.60, 0.60, 0.35, 0.35, 0.18, 0.18)),
    (9.0, (0.52, 0.52, 0.30, 0.30, 0.00, 0.15)),
    (10.0, (0.45, 0.45, 0.26, 0.26, 0.00, 0.13)),
    (11.0, (0.41, 0.41, 0.00, 0.23, 0.00, 0.00)),
    (12.0, (0.37, 0.37, 0.00, 0.21, 0.00, 0.00)),
    (13.0, (0.00, 0.34, 0.00, 0.00, 0.00, 0.00)),
    (14.0, (0.00, 0.31, 0.00, 0.00, 0.00, 0.00)),
    (15.0, (0.00, 0.28, 0.00, 0.00, 0.00, 0.00)),
)
_DURATIONS = (1.0, 2.0, 8.0)  # [h]
_HIGH = 0.75  # [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftingIndex:
    """A lift judged.

    Attributes:
        recommended: Recommended weight limit [kg].
        index: Load over it; infinite where nothing may be lifted.
        multipliers: HM, VM, DM, AM, FM, CM.
    """

    recommended: float
    index: float
    multipliers: tuple[float, ...]


def frequency_multiplier(lifts_a_minute: float, hours: float, height: float) -> float:
    """Return FM, between the manual's rows by straight lines.

    Args:
        lifts_a_minute: Mean over a quarter of an hour.
        hours: Of lifting at a stretch, up to 8.
        height: Of the hands at the origin of the lift [m].
    """
    column = next((k for k, most in enumerate(_DURATIONS) if hours <= most), None)
    if column is None:
        return 0.0
    pick = 2 * column + (1 if height >= _HIGH else 0)
    if lifts_a_minute > _FREQUENCY[-1][0]:
        return 0.0
    below = _FREQUENCY[0]
    for row in _FREQUENCY:
        if lifts_a_minute <= row[0]:
            span = row[0] - below[0]
            share = (lifts_a_minute - below[0]) / span if span > 0.0 else 1.0
            if row[1][pick] == 0.0:
                return 0.0 if share > 0.0 else below[1][pick]
            return below[1][pick] + max(share, 0.0) * (row[1][pick] - below[1][pick])
        below = row
    return 0.0


def lifting_index(
    load: float,
    *,
    horizontal: float,
    height: float,
    travel: float,
    asymmetry_deg: float = 0.0,
    lifts_a_minute: float = 0.2,
    hours: float = 1.0,
    coupling: str = "good",
) -> LiftingIndex:
    """Judge one lift, at its origin or at its destination.

    Args:
        load: Lifted [kg].
        horizontal: Hands ahead of the middle between the ankles [m].
        height: Of the hands over the floor [m].
        travel: Vertical way of the load [m].
        asymmetry_deg: Turn of the load out of the sagittal plane [deg].
        lifts_a_minute: How often.
        hours: How long at a stretch.
        coupling: Of the hands: good, fair or poor.

    Raises:
        UnknownName: If there is no such coupling.
        BadInput: If a number is negative or not finite.
    """
    if coupling not in COUPLINGS:
        raise UnknownName("coupling", coupling, COUPLINGS)
    numbers = (load, horizontal, height, travel, lifts_a_minute, hours)
    if not all(math.isfinite(x) and x >= 0.0 for x in (*numbers, abs(asymmetry_deg))):
        raise BadInput("a lift is described by finite numbers that are not negative")
    H, V, D = 100.0 * horizontal, 100.0 * height, 100.0 * travel
    HM = 0.0 if H > 63.0 else 25.0 / max(H, 25.0)
    VM = 0.0 if V > 175.0 else 1.0 - 0.003 * abs(V - 75.0)
    DM = 0.0 if D > 175.0 else 0.82 + 4.5 / max(D, 25.0)
    turn = abs(asymmetry_deg)
    AM = 0.0 if turn > 135.0 else 1.0 - 0.0032 * turn
    FM = frequency_multiplier(lifts_a_minute, hours, height)
    CM = {"good": 1.0, "fair": 0.95 if height < _HIGH else 1.0, "poor": 0.90}[coupling]
    limit = LOAD_CONSTANT * HM * VM * DM * AM * FM * CM
    return LiftingIndex(
        recommended=limit,
        index=load / limit if limit > 0.0 else math.inf,
        multipliers=(HM, VM, DM, AM, FM, CM),
    )
