"""What stands in the way of the operator's taking the robot over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Obstacle", "ObstacleKind"]


class ObstacleKind(StrEnum):
    """Kinds of what stands in the way of engaging."""

    CALIBRATING = "calibrating"
    NO_OPERATOR = "no_operator"
    NO_ROBOT = "no_robot"
    RELEASED = "released"
    DEVICE_LOST = "device_lost"
    NOT_SEEN = "not_seen"
    FAR = "far"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that stands in the way, and the sentence for people."""

    kind: ObstacleKind
    text: str
