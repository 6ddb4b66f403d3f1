"""How firmly the joints of a balancing robot follow the operator: `[posture]`.

    [posture]
    stiffness = 200.0     # [1/s^2]; damping is critical
    blend_time = 1.0      # [s] from standing to walking and back

    [posture.walking]     # weights; 0: the group only does what balance needs
    arms = 0.5

Weights count against those of the other goals: the centre of mass has 10000 when
standing and 1000 when walking, a foot in the air 100, the lean of the trunk 20.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar

from telexist.robots.description import JointGroup
from telexist.teleop.terms import require_range

__all__ = ["PostureSettings", "StandingWeights", "WalkingWeights"]

MOST_WEIGHT = 100.0  # more would count like balance
STIFFNESS = (1.0, 2000.0)  # [1/s^2] stiffer is beyond what 100 Hz can hold
BLEND_TIME = (0.05, 60.0)  # [s] shorter is a jump


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingWeights:
    """Weight of each group of joints when standing."""

    table: ClassVar[str] = "posture.standing"
    legs: float = 0.05
    torso: float = 3.0
    arms: float = 3.0
    head: float = 3.0
    other: float = 3.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        for weight in fields(self):
            name = f"{self.table}.{weight.name}"
            require_range(name, getattr(self, weight.name), 0.0, MOST_WEIGHT)

    def of(self, group: JointGroup) -> float:
        """Return the weight of a group."""
        return float(getattr(self, group))


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkingWeights(StandingWeights):
    """Weight of each group of joints when walking: those above the legs are freer."""

    table: ClassVar[str] = "posture.walking"
    arms: float = 1.5
    head: float = 1.5
    other: float = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PostureSettings:
    """How firmly the joints follow, per group of joints.

    Attributes:
        stiffness: [1/s^2]; damping is critical.
        blend_time: From one set of weights to the other by minimum jerk [s].
        standing: Weight of each group when standing.
        walking: Weight when walking.
    """

    stiffness: float = 200.0
    blend_time: float = 1.0
    standing: StandingWeights = field(default_factory=StandingWeights)
    walking: WalkingWeights = field(default_factory=WalkingWeights)

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_range("posture.stiffness", self.stiffness, *STIFFNESS)
        require_range("posture.blend_time", self.blend_time, *BLEND_TIME)
