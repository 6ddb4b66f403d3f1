"""What a user can ask of any simulator, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["Simulator", "SimulatorOptions", "TimedPackets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatorOptions:
    """Options of `telexist simulate`; a simulator uses what concerns it.

    Attributes:
        clip: A recording or the word "builtin".
        rate: Samples per second [Hz]; None keeps the device's usual one.
        operator_height: [m]; None keeps the performer's.
        heading: Turned to the left by [rad].
        noise: Of the sensors, about each axis, one standard deviation [rad].
        n_pose: Time in N-pose before the clip begins [s].
        loop: Whether to go on after the end.
        settings: Further options of one simulator, `--set name=value`.
    """

    clip: str = "builtin"
    rate: float | None = None
    operator_height: float | None = None
    heading: float = 0.0
    noise: float = 0.0
    n_pose: float = 0.0
    loop: bool = True
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPackets:
    """Packets to be sent together, at a time since the begin [s]."""

    time: float
    packets: tuple[bytes, ...]


class Simulator(Protocol):
    """A function that plays a device."""

    def __call__(self, options: SimulatorOptions) -> Iterator[TimedPackets]:
        """Yield what the device sends, in order.

        Raises:
            BadInput: If an option is wrong.
        """
