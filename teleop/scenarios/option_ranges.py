"""What numbers an option of a scenario may have; wrong ones are named with it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from telexist.retarget.errors import BadInput

__all__ = ["RANGES", "Range", "flag_of"]


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`, both allowed."""

    low: float
    high: float = math.inf

    def __str__(self) -> str:
        """Return the range in words."""
        if math.isinf(self.high):
            return f"{self.low:g} or more"
        return f"{self.low:g} to {self.high:g}"

    def check(self, name: str, value: float) -> None:
        """Look at the value of an option.

        Raises:
            BadInput: If it is outside, infinite or no number.
        """
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise BadInput(f"{flag_of(name)} {value} is not {self}")


def flag_of(name: str) -> str:
    """Return how a user writes an option."""
    return "--" + name.replace("_", "-")


RANGES: Mapping[str, Range] = MappingProxyType(
    {
        "seed": Range(0),
        "duration": Range(0.1, 3600.0),  # [s]
        "control_rate": Range(50.0, 1000.0),  # [Hz]
        "speed": Range(-10.0, 10.0),  # [m/s]; the controller cuts what steps cannot do
        "side_speed": Range(-10.0, 10.0),  # [m/s]
        "yaw_rate": Range(-10.0, 10.0),  # [rad/s]
        "push_lateral": Range(-10.0, 10.0),  # [body weights]
        "push_sagittal": Range(-10.0, 10.0),  # [body weights]
        "push_time": Range(-1.0, 3600.0),  # [s]
        "push_duration": Range(0.005, 60.0),  # [s]
        "load": Range(0.0, 50.0),  # [kg]
        "force": Range(-200.0, 200.0),  # [N]
        "let_go": Range(-1.0, 3600.0),  # [s]
        "pull": Range(-200.0, 200.0),  # [N]
        "pace": Range(0.0, 60.0),  # [s]
        "seat_height": Range(0.0, 10.0),  # [m]; what fits the robot is looked at later
        "behind": Range(0.0, 1.0),  # [m]
        "arm_amplitude": Range(0.0, 3.2),  # [rad]
        "arm_frequency": Range(0.0, 10.0),  # [Hz]
        "mass_scale": Range(0.1, 10.0),
        "joint_friction": Range(0.0, 1000.0),  # [N m]
        "floor_friction": Range(0.0, 10.0),
        "torque_delay": Range(0.0, 1.0),  # [s]
        "slope_deg": Range(-45.0, 45.0),  # [deg]
        "drive_effort": Range(0.05, 10.0),
        "stall": Range(0.0, 10.0),  # [s]
        "foot_lost": Range(0.0, 3600.0),  # [s]
        "fault_time": Range(-1.0, 3600.0),  # [s]
        "changes": Range(1, 1000),
        "noise": Range(0.0, 100.0),
    }
)
"""Option to its numbers; every number of `ScenarioOptions` is here."""
