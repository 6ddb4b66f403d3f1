"""Where the robot's soles and knees should be under a pelvis that is tracked."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import PointTarget
from telexist.retarget.kinematics import Configuration
from telexist.retarget.reach.leg import ReachLeg, make_leg
from telexist.retarget.reach.settings import ReachSettings
from telexist.retarget.reach.trunk import Trunk
from telexist.retarget.reach.wanted import OrientationTarget, wanted_point
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array

__all__ = ["LegTargets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _NeutralSole:
    """A sole in neutral posture: its link, its middle in link axes, its place [m]."""

    frame: int
    link_p_point: Array
    world_R_link: Array
    place: Array


class LegTargets:
    """Keeps the soles on the floor, or follows trackers on the feet.

    Attributes:
        ratio: Robot's leg length over the person's.
        sides: "Left" and "Right", as far as the robot has soles.
    """

    def __init__(
        self, body: RobotBody, size: HumanSize, settings: ReachSettings
    ) -> None:
        """Measure the legs of both."""
        self._settings, self._joints = settings, size.joints
        leg = body.leg_length
        self.ratio = leg / size.leg_length if leg > 0.0 else 1.0
        self._soles = _neutral_soles(body)
        self.sides = tuple(self._soles)
        self._legs: dict[str, ReachLeg | None] = {
            side: make_leg(body, side) for side in self._soles
        }

    def sunk(self, frame: HumanFrame) -> float:
        """Return how far the pelvis is over its place in N-pose, on the robot [m]."""
        if frame.positions is None:
            return 0.0
        z = float(frame.positions[frame.segments.index("Pelvis")][2])
        return self.ratio * (z - float(self._joints["Pelvis"][2]))

    def flat(self, frame: HumanFrame) -> dict[str, OrientationTarget]:
        """Return the turns of soles that no tracker shows: flat on the floor."""
        return {
            f"{side}Foot": OrientationTarget(
                frame=sole.frame,
                world_R_link=sole.world_R_link,
                weight=self._settings.foot_turn,
            )
            for side, sole in self._soles.items()
            if f"{side}Foot" not in frame.segments
        }

    def points(
        self, frame: HumanFrame, trunk: Trunk, start: Configuration
    ) -> list[PointTarget]:
        """Return the targets of soles and knees.

        Args:
            frame: Calibrated, with places, and a pelvis.
            trunk: The person's trunk at that frame.
            start: The robot at the start of the step; its base is where it stays.
        """
        points, settings = [], self._settings
        for side, sole in self._soles.items():
            goal = self._sole_goal(side, sole, frame, trunk)
            points.append(
                wanted_point(sole.frame, sole.link_p_point, goal, settings.foot)
            )
            leg = self._legs[side]
            if leg is not None:
                hip = start.world_p_base + start.world_R_base @ leg.base_p_hip
                knee = leg.knee_at(hip, goal, trunk.here_R_pelvis[:, 0])
                points.append(
                    wanted_point(leg.knee, leg.knee_p_point, knee, settings.knee)
                )
        return points

    def _sole_goal(
        self, side: str, sole: _NeutralSole, frame: HumanFrame, trunk: Trunk
    ) -> Array:
        """Return where a sole should be (3,) [m].

        Trackers are followed relative to the pelvis: the robot does not travel.
        """
        goal, name = sole.place.copy(), f"{side}Foot"
        if name in frame.segments and frame.positions is not None:
            pelvis, at = (
                frame.positions[frame.segments.index(s)] for s in ("Pelvis", name)
            )
            way = trunk.world_R_here.T @ (at - pelvis)
            neutral = self._joints[name] - self._joints["Pelvis"]
            goal[:2] += self.ratio * (way - neutral)[:2]
            goal[2] += self.ratio * (at[2] - self._joints[name][2])
        return goal


def _neutral_soles(body: RobotBody) -> dict[str, _NeutralSole]:
    kinematics, found = body.kinematics, {}
    kinematics.update(body.neutral)
    for side, sole in body.soles.items():
        number = kinematics.frame(sole.link)
        R, p = kinematics.rotation(number), kinematics.position(number)
        found[side.capitalize()] = _NeutralSole(
            frame=number,
            link_p_point=sole.link_p_sole,
            world_R_link=R,
            place=p + R @ sole.link_p_sole,
        )
    return found
