"""Targets of a robot's links from head, hands and trackers."""

from __future__ import annotations

import numpy as np
from telexist.retarget.human_size import HumanSize
from telexist.retarget.ik import OrientationTargets, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.reach.arm import chest_link
from telexist.retarget.reach.arm_targets import ArmTargets
from telexist.retarget.reach.chain_pose import ChainPose
from telexist.retarget.reach.leg_targets import LegTargets
from telexist.retarget.reach.settings import ReachSettings
from telexist.retarget.reach.trunk import Trunk
from telexist.retarget.reach.wanted import OrientationTarget
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.rotation_map import fixed_rotation_map
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array, log_so3, slerp

__all__ = ["ReachTargets"]

TRUNK = {
    "L5": 0.25,
    "L3": 0.5,
    "T12": 0.75,
    "T8": 1.0,
    "LeftShoulder": 1.0,
    "RightShoulder": 1.0,
}
"""Segments that turn with the trunk: share of the chest, the rest is the pelvis."""

FEET = ("LeftFoot", "RightFoot")


class ReachTargets:
    """Makes targets from frame to frame; what vanishes from view is held.

    The robot's world is the person's, heading removed: the robot faces x. Head and
    hands are followed relative to the chest, so that a robot that cannot lean reaches
    as from a chest that does.

    Attributes:
        arms: Targets of the arms.
        legs: Targets of the legs, used under a pelvis that is tracked.
        human_R_robot: The fixed rotation map, one rotation per mapped segment.
    """

    def __init__(
        self, body: RobotBody, size: HumanSize, settings: ReachSettings
    ) -> None:
        """Measure both bodies."""
        self._body, self._settings = body, settings
        self.human_R_robot = fixed_rotation_map(body)
        self.arms = ArmTargets(body, size, settings)
        self.legs = LegTargets(body, size, settings)
        self._chest_pose = ChainPose(body.kinematics, chest_link(body))
        self._chest_R_world = self._chest_pose.at(body.neutral)[0].T
        self._trunk = self._find_trunk()
        self._followed = self._find_followed()
        self.reset()

    def reset(self) -> None:
        """Forget what was in view."""
        self.arms.reset()
        self._wanted: dict[str, OrientationTarget] = {}
        self._before: dict[str, Array] = {}

    def targets(
        self, frame: HumanFrame, trunk: Trunk, start: Configuration, dt: float
    ) -> Targets:
        """Return the targets at a frame.

        Args:
            frame: Calibrated, with places.
            trunk: The person's trunk at that frame.
            start: The robot at the start of the step; its base is where it stays.
            dt: Length of the step [s].
        """
        world_R_chest, world_p_chest = self._chest_pose.at(start)
        turned = world_R_chest @ self._chest_R_world
        self.arms.look(frame, trunk)
        self._turn_trunk(trunk)
        self._turn_ends(frame, trunk, turned)
        points = self.arms.points(world_R_chest, world_p_chest, turned)
        if "Pelvis" in frame.segments:
            self._wanted |= self.legs.flat(frame)
            points += self.legs.points(frame, trunk, start)
        return Targets(orientations=self._orientations(dt), points=tuple(points))

    def _orientations(self, dt: float) -> OrientationTargets:
        names, targets = list(self._wanted), list(self._wanted.values())
        wanted = np.array([target.world_R_link for target in targets])
        before = [
            self._before.get(name, target.world_R_link)
            for name, target in zip(names, targets, strict=True)
        ]
        wanted, ago = wanted.reshape(-1, 3, 3), np.array(before).reshape(-1, 3, 3)
        self._before = dict(zip(names, wanted, strict=True))
        weights = np.array([target.weight for target in targets])
        return OrientationTargets(
            frames=tuple(target.frame for target in targets),
            world_R_link=wanted,
            angular_velocities=log_so3(wanted @ np.swapaxes(ago, -1, -2)) / dt,
            axes=np.tile(np.eye(3), (len(targets), 1, 1)),
            weights=np.repeat(weights[:, None], 3, axis=1),
        )

    def _turn_trunk(self, trunk: Trunk) -> None:
        for segment, (number, share) in self._trunk.items():
            R = trunk.here_R_chest
            if share < 1.0:
                R = slerp(trunk.here_R_pelvis, R, share)
            self._wanted[segment] = OrientationTarget(
                frame=number,
                world_R_link=R @ self.human_R_robot[segment],
                weight=self._settings.chest,
            )

    def _turn_ends(self, frame: HumanFrame, trunk: Trunk, turned: Array) -> None:
        """Turn head and hands with the chest, tracked feet with the world."""
        by_chest, by_world = turned @ trunk.chest_R_world, trunk.world_R_here.T
        tracked = "Pelvis" in frame.segments
        for segment, R in zip(frame.segments, frame.rotations, strict=True):
            foot = segment in FEET
            if segment in self._followed and (tracked or not foot):
                number, weight = self._followed[segment]
                seen = by_world if foot else by_chest
                self._wanted[segment] = OrientationTarget(
                    frame=number,
                    world_R_link=seen @ R @ self.human_R_robot[segment],
                    weight=weight,
                )

    def _find_trunk(self) -> dict[str, tuple[int, float]]:
        """Return the links between pelvis and arms, and how far from the pelvis.

        All of them: a long spine could else shift the chest without turning it.
        """
        links, kinematics = self._body.links, self._body.kinematics
        numbers = {s: kinematics.frame(links[s]) for s in TRUNK if s in links}
        return {
            segment: (number, TRUNK[segment])
            for segment, number in numbers.items()
            if kinematics.support(number)[6:].any()
        }

    def _find_followed(self) -> dict[str, tuple[int, float]]:
        """Return link and weight of the segments whose orientation is followed."""
        settings, body = self._settings, self._body
        weights = {"Head": settings.head}
        weights |= {f"{arm.side}Hand": settings.hand_turn for arm in self.arms.arms}
        weights |= {f"{side}Foot": settings.foot_turn for side in self.legs.sides}
        links = {s: body.links[s] for s in weights if s in body.links}
        numbers = {s: body.kinematics.frame(link) for s, link in links.items()}
        chest = body.kinematics.frame(chest_link(body))
        return {s: (k, weights[s]) for s, k in numbers.items() if k != chest}
