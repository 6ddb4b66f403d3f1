"""What an operator wants of the robot's camera."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.errors import BadInput

__all__ = ["CameraWishes"]

RANGES = {"width": (64, 1920), "height": (48, 1440), "rate": (1.0, 120.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraWishes:
    """What an operator wants of the robot's camera, which gives what it can.

    Attributes:
        width: Of the picture of one eye [px].
        height: [px].
        rate: Of pictures, at most [Hz].
        stereo: Whether to see with two eyes; their pictures come side by side.
    """

    width: int = 640
    height: int = 480
    rate: float = 30.0
    stereo: bool = False

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            BadInput: If a value lies outside.
        """
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                problem = f"is not in the range {low:g} to {high:g}"
                raise BadInput(f"camera.{name} = {value:g} {problem}")
