"""Moments as a share of strength: of the knee by the literature, of others as measured.

Šarabon, Kozinc and Perman (2021, 411 studies) give intervals of the mean isometric
strength of the knee over the body mass, for three ranges of its angle. A share is no
verdict: posture, speed and the person differ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from telexist.retarget.ergonomics.settings import ErgonomicSettings
from telexist.retarget.errors import UnknownName
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array

__all__ = [
    "STRENGTHS",
    "STRENGTH_JOINTS",
    "StrengthShare",
    "require_strengths",
    "strength_share",
]

SIDES = ("Left", "Right")
_SIDED: Mapping[str, tuple[str, float]] = {
    "hip extension": ("UpperLeg", 1.0),
    "hip flexion": ("UpperLeg", -1.0),
    "knee extension": ("LowerLeg", -1.0),
    "knee flexion": ("LowerLeg", 1.0),
    "ankle plantarflexion": ("Foot", 1.0),
    "ankle dorsiflexion": ("Foot", -1.0),
    "shoulder flexion": ("UpperArm", -1.0),
    "shoulder extension": ("UpperArm", 1.0),
    "elbow flexion": ("ForeArm", -1.0),
    "elbow extension": ("ForeArm", 1.0),
}
_WHOLE: Mapping[str, tuple[str, float]] = {
    "trunk extension": ("L5", -1.0),
    "trunk flexion": ("L5", 1.0),
}
STRENGTHS = (*_SIDED, *_WHOLE)
"""What a strength can be stated for; the muscles' moment about the axis to the left."""

_JOINTS = tuple(
    (name, f"{side.lower()} {name}", s, SEGMENT_INDEX[f"{side}{part}"], sign)
    for name, (part, sign) in _SIDED.items()
    for s, side in enumerate(SIDES)
) + tuple(
    (name, name, 0, SEGMENT_INDEX[part], sign) for name, (part, sign) in _WHOLE.items()
)
STRENGTH_JOINTS = tuple(label for _, label, *_ in _JOINTS)
"""The joints of both sides that may need most of their strength."""

MIDDLE, FLEXED = 40.0, 80.0  # [deg] where the middle range of the knee begins and ends
KNOTS = (20.0, 60.0, 100.0)  # [deg] middles of the three ranges
_KNEE: Mapping[str, Mapping[str, tuple[tuple[float, float], ...]]] = {
    # intervals [N m/kg] of an extended, half bent and bent knee
    "men": {
        "knee extension": ((1.34, 2.23), (2.92, 3.45), (2.50, 3.06)),
        "knee flexion": ((0.85, 1.20), (1.15, 1.62), (0.96, 1.54)),
    },
    "women": {"knee extension": ((1.01, 1.50), (2.08, 2.74), (2.04, 2.71))},
    "older men": {
        "knee extension": ((math.nan,) * 2, (1.74, 2.16), (math.nan,) * 2),
        "knee flexion": ((math.nan,) * 2, (0.69, 0.89), (math.nan,) * 2),
    },
    "older women": {
        "knee extension": ((math.nan,) * 2, (1.40, 1.64), (math.nan,) * 2),
        "knee flexion": ((math.nan,) * 2, (0.46, 0.81), (math.nan,) * 2),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StrengthShare:
    """The largest share of strength that a joint needs.

    Attributes:
        name: Such as `left knee extension`; "" if no strength is known.
        share: Of the strength, 1 is all of it; NaN if none is known.
        deviation: From that of the moment.
        weakest: The share if the person is at the lower end of the interval.
        strength: What was taken [N m].
    """

    name: str = ""
    share: float = math.nan
    deviation: float = math.nan
    weakest: float = math.nan
    strength: float = math.nan


def require_strengths(settings: ErgonomicSettings) -> None:
    """Check that strengths are stated of what there is.

    Raises:
        UnknownName: Naming the known ones.
    """
    for name in settings.strength:
        if name not in STRENGTHS:
            raise UnknownName("strength", name, STRENGTHS)


def strength_share(
    moments: Array,
    deviations: Array,
    *,
    mass: float,
    knees: Array,
    settings: ErgonomicSettings,
) -> StrengthShare:
    """Return the joint that needs the largest share of its strength.

    Args:
        moments: On each segment, in its neighbour's axes (23, 3) [N m].
        deviations: (23, 3).
        mass: Of the body [kg].
        knees: How far they are bent (2,) [deg].
        settings: Stated strengths, and whose is taken otherwise.
    """
    best = StrengthShare()
    for name, label, s, link, sign in _JOINTS:
        moment = sign * float(moments[link, 1])
        if moment <= 0.0:
            continue
        low, high = _strength(name, float(knees[s]), mass, settings)
        strength = 0.5 * (low + high)
        if not math.isfinite(strength):
            continue
        if not best.name or moment / strength > best.share:
            best = StrengthShare(
                name=label,
                share=moment / strength,
                deviation=float(deviations[link, 1]) / strength,
                weakest=moment / low,
                strength=strength,
            )
    return best


def _strength(
    name: str, knee: float, mass: float, settings: ErgonomicSettings
) -> tuple[float, float]:
    """Return the lower and the upper end of a strength [N m]; NaN if unknown."""
    stated = settings.strength.get(name)
    if stated is not None:
        return stated, stated
    people = (
        ("men", "women")
        if settings.population == "unstated"
        else (settings.population,)
    )
    found = [_of_knee(_KNEE[who][name], knee) for who in people if name in _KNEE[who]]
    if len(found) < len(people):
        return math.nan, math.nan
    return mass * min(row[0] for row in found), mass * max(row[1] for row in found)


def _of_knee(
    ranges: tuple[tuple[float, float], ...], knee: float
) -> tuple[float, float]:
    """Return the interval at an angle: between the ranges' middles by straight lines.

    Where only the middle range is known, nothing is known outside of it.
    """
    if not math.isfinite(ranges[0][0]):
        return ranges[1] if MIDDLE <= knee < FLEXED else (math.nan, math.nan)
    place = min(max((knee - KNOTS[0]) / (KNOTS[1] - KNOTS[0]), 0.0), 2.0)
    k = min(int(place), 1)
    share = place - k
    low, high = (
        (1.0 - share) * a + share * b
        for a, b in zip(ranges[k], ranges[k + 1], strict=True)
    )
    return low, high
