"""The conditions under which a person may take the robot over."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.teleop.terms import Obstacle, ObstacleKind

__all__ = ["EngageConditions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngageConditions:
    """What is known when somebody asks to engage.

    Attributes:
        calibrating: Whether a calibration is going on.
        calibrated: Whether the operator is known.
        robot_seen: Whether the robot has spoken.
        released: The dead-man's switch that nobody holds; "" if none.
        lost: A device that is gone, and why; "" if none that matters.
        fresh: Whether the operator was seen, well, within the deadline.
        distance: From the robot to the operator's pose, of the farthest joint [rad].
        farthest: At which distance it is refused [rad]; 0: at none.
    """

    calibrating: bool = False
    calibrated: bool = True
    robot_seen: bool = True
    released: str = ""
    lost: str = ""
    fresh: bool = True
    distance: float = 0.0
    farthest: float = 0.0

    def obstacle(self) -> Obstacle | None:
        """Return the first thing that stands in the way, or None."""
        kind, text = self._first()
        return None if kind is None else Obstacle(kind, text)

    def _first(self) -> tuple[ObstacleKind | None, str]:
        if self.calibrating:
            return ObstacleKind.CALIBRATING, "a calibration is going on"
        if not self.calibrated:
            text = "no operator is calibrated: calibrate first"
            return ObstacleKind.NO_OPERATOR, text
        if not self.robot_seen:
            return ObstacleKind.NO_ROBOT, "the robot has not spoken yet"
        if self.released:
            text = f"{self.released}: hold the dead-man's switch first"
            return ObstacleKind.RELEASED, text
        if self.lost:
            return ObstacleKind.DEVICE_LOST, self.lost
        if not self.fresh:
            text = "there is no fresh sample of the operator"
            return ObstacleKind.NOT_SEEN, text
        if self.farthest and self.distance > self.farthest:
            far = f"{self.distance:.2f} rad from the operator's pose"
            return ObstacleKind.FAR, f"the robot is {far}: come closer"
        return None, ""
