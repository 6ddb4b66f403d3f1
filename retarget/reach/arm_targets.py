"""Where the robot's wrists and elbows should be."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import PointTarget
from telexist.retarget.reach.arm import ReachArm, make_arm
from telexist.retarget.reach.settings import ReachSettings
from telexist.retarget.reach.trunk import Trunk
from telexist.retarget.reach.wanted import wanted_point
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

__all__ = ["ArmTargets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reach:
    """Wrist and elbow seen from the shoulder (3,) [m], the hand; all in chest axes."""

    wrist: Array
    hand: Array
    elbow: Array | None


class ArmTargets:
    """Carries reaches over; a hand that vanishes from view is held."""

    def __init__(
        self, body: RobotBody, size: HumanSize, settings: ReachSettings
    ) -> None:
        """Measure the arms of both."""
        self._settings = settings
        arms = (make_arm(body, size, side) for side in ("Left", "Right"))
        self.arms: tuple[ReachArm, ...] = tuple(arm for arm in arms if arm is not None)
        self.reset()

    def reset(self) -> None:
        """Forget what was in view."""
        self._reaches: dict[str, _Reach] = {}

    def look(self, frame: HumanFrame, trunk: Trunk) -> None:
        """Take over what is in view, in the axes of the person's chest."""
        if frame.positions is None:
            return
        chest_R_world = trunk.chest_R_world
        row = {name: k for k, name in enumerate(frame.segments)}
        for arm in self.arms:
            hand, elbow = row.get(f"{arm.side}Hand"), row.get(f"{arm.side}ForeArm")
            if hand is None:
                continue
            shoulder = trunk.shoulders[0 if arm.side == "Left" else 1]
            out = (frame.positions - shoulder) @ chest_R_world.T
            self._reaches[arm.side] = _Reach(
                wrist=out[hand],
                hand=chest_R_world @ frame.rotations[hand],
                elbow=None if elbow is None else out[elbow],
            )

    def points(
        self, world_R_chest: Array, world_p_chest: Array, turned: Array
    ) -> list[PointTarget]:
        """Return the targets, from the robot's own shoulders.

        Args:
            world_R_chest: Of the robot (3, 3).
            world_p_chest: Of the robot (3,) [m].
            turned: How the chest has turned from neutral, world axes (3, 3).
        """
        points: list[PointTarget] = []
        for arm in self.arms:
            if arm.side not in self._reaches:
                continue
            seen = self._reaches[arm.side]
            elbow, weight = self._elbow(arm, seen)
            shoulder = world_p_chest + world_R_chest @ arm.chest_p_shoulder
            wrist = shoulder + turned @ arm.reach(seen.wrist)
            out = shoulder + turned @ elbow
            points += [
                wanted_point(arm.hand, arm.hand_p_wrist, wrist, self._settings.hand),
                wanted_point(arm.elbow, arm.elbow_p_point, out, weight),
            ]
        return points

    def _elbow(self, arm: ReachArm, seen: _Reach) -> tuple[Array, float]:
        if seen.elbow is not None:
            return arm.upper_ratio * seen.elbow, self._settings.elbow
        return arm.elbow_of(seen.wrist, seen.hand), self._settings.elbow_guess
