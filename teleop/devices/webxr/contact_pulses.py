"""Forces at the robot's hands, and faults, as pulses in the operator's hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telexist.retarget.segments import SIDES
from telexist.retarget.so3 import Array

__all__ = ["ContactPulses", "Pulse"]

TOUCH = 2.0  # [N] less is noise
FULL = 40.0  # [N] the strongest pulse
LEAST = 0.15  # of the strongest: less is not felt
AGAIN = 0.05  # [s] between two pulses of one touch
LONG = 0.06  # [s] of a pulse: a touch that lasts is felt without a gap
FAULT = 0.4  # [s] of a pulse that tells of a fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """A vibration of one hand.

    Attributes:
        side: "left" or "right".
        strength: 0 to 1.
        duration: [s].
    """

    side: str
    strength: float
    duration: float

    def message(self) -> Mapping[str, Any]:
        """Return what the page is told."""
        milliseconds = round(1000.0 * self.duration)
        return {"pulse": self.side, "strength": self.strength, "ms": milliseconds}


class ContactPulses:
    """Follows the forces at both hands."""

    def __init__(self) -> None:
        """Begin without a touch."""
        self._last = dict.fromkeys(SIDES, float("-inf"))

    def of_forces(self, forces: Array, now: float) -> list[Pulse]:
        """Return the pulses for the forces at the left and the right hand (2,) [N]."""
        pulses = []
        for side, force in zip(SIDES, forces.tolist(), strict=True):
            if force > TOUCH and now - self._last[side] >= AGAIN:
                self._last[side] = now
                strength = min(max((force - TOUCH) / (FULL - TOUCH), LEAST), 1.0)
                pulses.append(Pulse(side=side, strength=strength, duration=LONG))
        return pulses

    @staticmethod
    def of_fault() -> list[Pulse]:
        """Return the pulses that tell of a fault."""
        return [Pulse(side=side, strength=1.0, duration=FAULT) for side in SIDES]
