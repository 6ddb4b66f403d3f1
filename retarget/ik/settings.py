"""How an inverse kinematics step is solved."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["IkSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IkSettings:
    """How a step is solved.

    Attributes:
        gain: K, how fast errors are corrected [1/s].
        posture: Weight that draws joints without a target to neutral [1/rad^2].
        damping: Weight on the length of each linearised step [1/rad^2].
        floor_weight: Weight of a point below the floor [1/m^2].
        iterations: Most linearisations in one step.
        tolerance: A linearised step below this ends the step [rad].
    """

    gain: float = 40.0
    posture: float = 1e-5
    damping: float = 1e-5
    floor_weight: float = 1e4
    iterations: int = 4
    tolerance: float = 1e-2
