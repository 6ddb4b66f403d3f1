"""What the session and the process that renders its camera agree on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from telexist.robots.description import RobotFiles

__all__ = ["FAILED", "OPEN", "PICTURE", "CameraSettings"]

OPEN, FAILED, PICTURE = b"O", b"F", b"P"
"""First letter of an answer: ready; failed, with the reason; a picture, with bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """A camera in a simulated robot's world.

    Attributes:
        files: The robot.
        mount: How its base is held: "free", "fixed" or "pole".
        unlocked: Joints that move although the body has them locked.
        width: Of one eye [px].
        height: [px].
        rate: Of pictures, at most [Hz].
        stereo: Whether two eyes see, beside each other in one picture.
        view: What the "head" sees, or from the "side", following the robot.
        floor_quat_wxyz: Axes of the floor, in which its normal is z.
    """

    files: RobotFiles
    mount: Literal["free", "fixed", "pole"]
    unlocked: tuple[str, ...] = ()
    width: int = 320
    height: int = 240
    rate: float = 12.0
    stereo: bool = False
    view: Literal["head", "side"] = "head"
    floor_quat_wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of a picture: rows, columns, colours."""
        return self.height, self.width * (1 + self.stereo), 3
