"""Which parts of a person's feet stand on the floor, found from the motion itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.human_size import HumanSize
from retarget.segments import SEGMENT_INDEX, SEGMENTS, SIDES
from retarget.signals import HumanFrame
from retarget.so3 import Array

__all__ = ["ContactDetector", "FootContact"]

# Thresholds for a leg of 0.9 m; they scale with the leg. A point gets into contact
# below the first value and leaves it above the second.
HEIGHT = (0.04, 0.06)  # [m]
SPEED = (0.30, 0.50)  # [m/s]
TILT = (np.deg2rad(7.0), np.deg2rad(10.0))  # a foot flatter than this is flat
LEG = 0.9  # [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class FootContact:
    """How one foot meets the floor.

    Attributes:
        heel: Whether the heel stands.
        ball: Whether the ball of the foot stands.
        height: Of the lowest point of the sole over the floor, never negative [m].
        place: Where the ball of the foot is on the floor (2,) [m].
    """

    heel: bool
    ball: bool
    height: float
    place: Array

    @property
    def flat(self) -> bool:
        """Whether the whole foot stands."""
        return self.heel and self.ball


class ContactDetector:
    """Decides contacts of heel and ball from height and speed, with hysteresis.

    Causal, so that live and recorded motion give the same answer.
    """

    def __init__(self, size: HumanSize) -> None:
        """Measure the feet of a person."""
        self._size = size
        self._unit = size.leg_length / LEG
        self._points = {side: _foot_points(size, side) for side in SIDES}
        self._standing = {(side, k): False for side in SIDES for k in range(3)}

    def reset(self) -> None:
        """Forget which points stood."""
        for key in self._standing:
            self._standing[key] = False

    def step(self, frame: HumanFrame) -> dict[str, FootContact]:
        """Return the contact of each foot that the frame shows."""
        positions, velocities = self._origins(frame)
        if positions is None:
            return {}
        found = {}
        for side in SIDES:
            segment = f"{side.capitalize()}Foot"
            if segment not in frame.segments:
                continue
            i = frame.segments.index(segment)
            rotation = frame.rotations[i]
            points = positions[i] + self._points[side] @ rotation.T
            lever = points - positions[i]
            speeds = np.zeros(len(points))
            if velocities is not None:
                moving = velocities[i] + np.cross(frame.angular_velocities[i], lever)
                speeds = np.linalg.norm(moving, axis=1)
            heel, ball = (
                self._stands(side, k, points[k, 2], speeds[k]) for k in range(2)
            )
            tilt = float(np.arccos(np.clip(rotation[2, 2], -1.0, 1.0)))
            flat = heel and ball and tilt < TILT[int(self._standing[side, 2])]
            self._standing[side, 2] = flat
            if heel and ball and not flat:
                heel, ball = points[0, 2] < points[1, 2], points[0, 2] >= points[1, 2]
            found[side] = FootContact(
                heel=heel,
                ball=ball,
                height=max(float(points[:, 2].min()), 0.0),
                place=points[1, :2].copy(),
            )
        return found

    def _stands(self, side: str, point: int, height: float, speed: float) -> bool:
        level = 1 if self._standing[side, point] else 0
        low = height < HEIGHT[level] * self._unit
        slow = speed < SPEED[level] * self._unit
        self._standing[side, point] = bool(low and slow)
        return self._standing[side, point]

    def _origins(self, frame: HumanFrame) -> tuple[Array | None, Array | None]:
        """Return segment origins; without positions the lowest point is the floor."""
        if frame.positions is not None:
            return frame.positions, frame.linear_velocities
        if set(frame.segments) != set(SEGMENTS):
            return None, None
        order = [frame.segments.index(name) for name in SEGMENTS]
        rotations = frame.rotations[order]
        placed = self._size.positions(rotations, np.zeros(3))
        lowest = min(
            float((placed[k] + self._points[side] @ rotations[k].T)[:, 2].min())
            for side in SIDES
            for k in (SEGMENT_INDEX[f"{side.capitalize()}Foot"],)
        )
        placed = placed - np.array([0.0, 0.0, lowest])
        back = np.empty_like(placed)
        back[order] = placed
        return back, None


def _foot_points(size: HumanSize, side: str) -> Array:
    """Return heel and ball on the sole, in foot axes (2, 3)."""
    name = side.capitalize()
    foot = size.joints[f"{name}Foot"]
    ball = size.joints[f"{name}Toe"] * np.array([1.0, 1.0, 0.0])
    return np.array([size.tips[f"{name}Heel"] - foot, ball - foot])
