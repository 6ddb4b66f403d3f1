"""What the scores assume where their publications give no number, or ask a person.

Every one of these is written into reports, so that a score can be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from telexist.retarget.ergonomics.lifting import COUPLINGS
from telexist.retarget.errors import BadInput, UnknownName

__all__ = ["POPULATIONS", "ErgonomicSettings"]

POPULATIONS = ("unstated", "women", "men", "older women", "older men")
_RANGES = {
    "upright_deg": (0.0, 20.0),
    "neck_extended_deg": (0.0, 30.0),
    "abducted_deg": (5.0, 90.0),
    "rotated_deg": (5.0, 90.0),
    "raised_deg": (1.0, 45.0),
    "side_bent_deg": (1.0, 45.0),
    "twisted_deg": (1.0, 90.0),
    "wrist_neutral_deg": (0.0, 15.0),
    "wrist_deviated_deg": (1.0, 45.0),
    "end_of_range_deg": (10.0, 90.0),
    "to_the_side": (0.0, 1.0),
    "even_share": (0.0, 0.5),
    "walking_speed": (0.05, 3.0),
    "static_deg": (1.0, 45.0),
    "cycle_deg": (5.0, 90.0),
    "rapid_deg": (5.0, 120.0),
    "stated_load": (0.0, 200.0),
    "coupling_points": (0.0, 3.0),
    "least_load": (0.2, 50.0),
    "most_doubt": (0.2, 50.0),
    "least_hold": (0.05, 10.0),
    "lifts_a_minute": (0.0, 60.0),
    "hours": (0.05, 8.0),
    "lever": (0.03, 0.1),
}


def _none_stated() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ErgonomicSettings:
    """Angles from which words like "abducted" hold, and what no sensor can tell.

    Attributes:
        upright_deg: A trunk within it is upright [deg].
        neck_extended_deg: Backwards beyond it, the neck is in extension [deg].
        abducted_deg: An upper arm out to the side beyond it is abducted [deg].
        rotated_deg: An upper arm turned about itself beyond it is rotated [deg].
        raised_deg: A shoulder lifted beyond it is raised [deg].
        side_bent_deg: Trunk and neck beyond it are bent to the side [deg].
        twisted_deg: Trunk and neck beyond it are twisted [deg].
        wrist_neutral_deg: A wrist within it is straight [deg].
        wrist_deviated_deg: A hand bent sideways beyond it is deviated [deg].
        end_of_range_deg: A forearm turned beyond it is at the end of its range [deg].
        to_the_side: A hand so far outside of its shoulder works at the side [m].
        even_share: Least share of the weight on each foot of a stance that counts as
            balanced.
        walking_speed: Of the pelvis, from where on a person walks [m/s].
        static_deg: Angles that keep within it for a minute are a static posture [deg].
        cycle_deg: A movement to and fro by it counts as a repetition [deg].
        rapid_deg: A trunk that moves so far within a second changes rapidly [deg].
        stated_load: Carried all the time, where it is known [kg]; 0: as estimated.
        coupling: Of hands and load: good, fair or poor.
        coupling_points: Of REBA for it.
        least_load: From which on the hands hold something [kg].
        most_doubt: A load whose deviation is larger is none: a foot is unknown [kg].
        least_hold: A load held for less is none [s].
        lifts_a_minute: How often is lifted; 0: as found.
        hours: Of lifting at a stretch.
        lever: Of the back's muscles at L5/S1 [m].
        population: Whose strength of the knee is taken where none is stated.
        strength: Measured strengths, such as "hip extension" = 180 [N m].
    """

    upright_deg: float = 5.0
    neck_extended_deg: float = 5.0
    abducted_deg: float = 30.0
    rotated_deg: float = 45.0
    raised_deg: float = 10.0
    side_bent_deg: float = 10.0
    twisted_deg: float = 10.0
    wrist_neutral_deg: float = 5.0
    wrist_deviated_deg: float = 10.0
    end_of_range_deg: float = 60.0
    to_the_side: float = 0.15
    even_share: float = 0.2
    walking_speed: float = 0.4
    static_deg: float = 10.0
    cycle_deg: float = 20.0
    rapid_deg: float = 40.0
    stated_load: float = 0.0
    coupling: str = "good"
    coupling_points: int = 0
    least_load: float = 2.0
    most_doubt: float = 6.0
    least_hold: float = 0.3
    lifts_a_minute: float = 0.0
    hours: float = 1.0
    lever: float = 0.055
    population: str = "unstated"
    strength: Mapping[str, float] = field(default_factory=_none_stated)

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            BadInput: Naming the setting and its range.
            UnknownName: If coupling or population is none.
        """
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadInput(f"ergonomics.{name} = {value}: {low:g} to {high:g}")
        if self.coupling not in COUPLINGS:
            raise UnknownName("coupling", self.coupling, COUPLINGS)
        if self.population not in POPULATIONS:
            raise UnknownName("population", self.population, POPULATIONS)
        for name, newton_metres in self.strength.items():
            if not (math.isfinite(newton_metres) and newton_metres > 0.0):
                raise BadInput(f"ergonomics.strength.{name} = {newton_metres}: above 0")
