"""Targets of a robot's links from head, hands and trackers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.human_size import HumanSize
from retarget.ik.targets import OrientationTargets, PointTarget, Targets
from retarget.kinematics import Configuration
from retarget.reach.arm import ReachArm, chest_link, make_arm
from retarget.reach.chain_pose import ChainPose
from retarget.reach.leg import ReachLeg, make_leg
from retarget.reach.settings import ReachSettings
from retarget.reach.trunk import Trunk
from retarget.robot_body import RobotBody
from retarget.rotation_map import fixed_rotation_map
from retarget.signals import HumanFrame
from retarget.so3 import Array, log_so3, slerp

__all__ = ["ReachTargets"]

FEET = ("LeftFoot", "RightFoot")
TRUNK = {
    "L5": 0.25,
    "L3": 0.5,
    "T12": 0.75,
    "T8": 1.0,
    "LeftShoulder": 1.0,
    "RightShoulder": 1.0,
}
"""Segments that turn with the trunk: share of the chest, the rest is the pelvis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A wanted orientation of a link: `world_R_link` (3, 3) and its weight."""

    frame: int
    world_R_link: Array
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reach:
    """Wrist and elbow seen from the shoulder (3,) [m], the hand; all in chest axes."""

    wrist: Array
    hand: Array
    elbow: Array | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sole:
    """A sole in neutral posture: its link, its middle in link axes, its place [m]."""

    frame: int
    link_p_point: Array
    world_R_link: Array
    place: Array


class ReachTargets:
    """Makes targets from frame to frame; what vanishes from view is held.

    The robot's world is the person's, heading removed: the robot faces x.
    """

    def __init__(
        self, body: RobotBody, size: HumanSize, settings: ReachSettings
    ) -> None:
        """Measure both bodies."""
        self._body, self._settings = body, settings
        self._joints = size.joints
        self._map = fixed_rotation_map(body)
        arms = (make_arm(body, size, side) for side in ("Left", "Right"))
        self.arms: tuple[ReachArm, ...] = tuple(arm for arm in arms if arm is not None)
        self._chest = body.kinematics.frame(chest_link(body))
        self._chest_pose = ChainPose(body.kinematics, chest_link(body))
        self._world_R_chest, _ = self._chest_pose.at(body.neutral)
        leg = body.leg_length
        self.leg_ratio = leg / size.leg_length if leg > 0.0 else 1.0
        self._soles = self._neutral_soles()
        self._legs: dict[str, ReachLeg | None] = {
            side: make_leg(body, side) for side in self._soles
        }
        self._trunk = self._find_trunk()
        self._followed = self._find_followed()
        self.reset()

    def reset(self) -> None:
        """Forget what was in view."""
        self._turns: dict[str, _Turn] = {}
        self._before: dict[str, Array] = {}
        self._reaches: dict[str, _Reach] = {}

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
        self._look(frame, trunk)
        points = [*self._arm_points(start), *self._leg_points(frame, trunk, start)]
        turns = list(self._turns.items())
        wanted = np.array([turn.world_R_link for _, turn in turns]).reshape(-1, 3, 3)
        before = [self._before.get(name, turn.world_R_link) for name, turn in turns]
        ago = np.array(before).reshape(-1, 3, 3)
        self._before = {name: turn.world_R_link for name, turn in turns}
        weights = np.array([turn.weight for _, turn in turns])
        return Targets(
            orientations=OrientationTargets(
                frames=tuple(turn.frame for _, turn in turns),
                world_R_link=wanted,
                angular_velocities=log_so3(wanted @ np.swapaxes(ago, -1, -2)) / dt,
                axes=np.tile(np.eye(3), (len(turns), 1, 1)),
                weights=np.repeat(weights[:, None], 3, axis=1),
            ),
            points=tuple(points),
        )

    def _look(self, frame: HumanFrame, trunk: Trunk) -> None:
        """Take over what is in view."""
        here = trunk.world_R_here.T
        for segment, (number, share) in self._trunk.items():
            R = trunk.here_R_chest
            if share < 1.0:
                R = slerp(trunk.here_R_pelvis, R, share)
            self._turns[segment] = _Turn(
                frame=number,
                world_R_link=R @ self._map[segment],
                weight=self._settings.chest,
            )
        tracked = "Pelvis" in frame.segments
        if tracked:
            self._keep_soles_flat(frame)
        for segment, R in zip(frame.segments, frame.rotations, strict=True):
            if segment in self._followed and (tracked or segment not in FEET):
                number, weight = self._followed[segment]
                self._turns[segment] = _Turn(
                    frame=number,
                    world_R_link=here @ R @ self._map[segment],
                    weight=weight,
                )
        self._look_at_arms(frame, trunk)

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
        weights |= {f"{arm.side}Hand": settings.hand_turn for arm in self.arms}
        weights |= {f"{side}Foot": settings.foot_turn for side in self._soles}
        links = {s: body.links[s] for s in weights if s in body.links}
        numbers = {s: body.kinematics.frame(link) for s, link in links.items()}
        return {s: (k, weights[s]) for s, k in numbers.items() if k != self._chest}

    def _keep_soles_flat(self, frame: HumanFrame) -> None:
        for side, sole in self._soles.items():
            name = f"{side}Foot"
            if name not in frame.segments:
                self._turns[name] = _Turn(
                    frame=sole.frame,
                    world_R_link=sole.world_R_link,
                    weight=self._settings.foot_turn,
                )

    def _look_at_arms(self, frame: HumanFrame, trunk: Trunk) -> None:
        """Keep reaches in the axes of the person's chest."""
        if frame.positions is None:
            return
        chest_R_world = trunk.here_R_chest.T @ trunk.world_R_here.T
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

    def _arm_points(self, start: Configuration) -> list[PointTarget]:
        """Return where wrists and elbows should be, from the robot's own shoulders."""
        world_R_chest, world_p_chest = self._chest_pose.at(start)
        points: list[PointTarget] = []
        turned = world_R_chest @ self._world_R_chest.T
        for arm in self.arms:
            if arm.side not in self._reaches:
                continue
            seen = self._reaches[arm.side]
            elbow, weight = self._elbow(arm, seen)
            shoulder = world_p_chest + world_R_chest @ arm.chest_p_shoulder
            wrist = shoulder + turned @ arm.reach(seen.wrist)
            out = shoulder + turned @ elbow
            points += [
                _point(arm.hand, arm.hand_p_wrist, wrist, self._settings.hand),
                _point(arm.elbow, arm.elbow_p_point, out, weight),
            ]
        return points

    def _elbow(self, arm: ReachArm, seen: _Reach) -> tuple[Array, float]:
        if seen.elbow is not None:
            return arm.upper_ratio * seen.elbow, self._settings.elbow
        return arm.elbow_of(seen.wrist, seen.hand), self._settings.elbow_guess

    def _neutral_soles(self) -> dict[str, _Sole]:
        kinematics, found = self._body.kinematics, {}
        kinematics.update(self._body.neutral)
        for side, sole in self._body.soles.items():
            number = kinematics.frame(sole.link)
            R, p = kinematics.rotation(number), kinematics.position(number)
            found[side.capitalize()] = _Sole(
                frame=number,
                link_p_point=sole.link_p_sole,
                world_R_link=R,
                place=p + R @ sole.link_p_sole,
            )
        return found

    def sunk(self, frame: HumanFrame) -> float:
        """Return how far the pelvis is over its place in N-pose, on the robot [m]."""
        if frame.positions is None:
            return 0.0
        z = float(frame.positions[frame.segments.index("Pelvis")][2])
        return self.leg_ratio * (z - float(self._joints["Pelvis"][2]))

    def _leg_points(
        self, frame: HumanFrame, trunk: Trunk, start: Configuration
    ) -> list[PointTarget]:
        """Keep the soles on the floor under a pelvis that moves, or follow trackers."""
        if "Pelvis" not in frame.segments:
            return []
        points = []
        for side, sole in self._soles.items():
            goal = self._sole_goal(side, sole, frame, trunk)
            points.append(
                _point(sole.frame, sole.link_p_point, goal, self._settings.foot)
            )
            leg = self._legs[side]
            if leg is not None:
                hip = start.world_p_base + start.world_R_base @ leg.base_p_hip
                ahead = trunk.here_R_pelvis[:, 0]
                knee = leg.knee_at(hip, goal, ahead)
                weight = self._settings.knee
                points.append(_point(leg.knee, leg.knee_p_point, knee, weight))
        return points

    def _sole_goal(
        self, side: str, sole: _Sole, frame: HumanFrame, trunk: Trunk
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
            goal[:2] += self.leg_ratio * (way - neutral)[:2]
            goal[2] += self.leg_ratio * (at[2] - self._joints[name][2])
        return goal


def _point(frame: int, point: Array, goal: Array, weight: float) -> PointTarget:
    return PointTarget(
        frame=frame,
        link_p_point=point,
        world_p_goal=goal,
        weights=np.full(3, weight),
    )
