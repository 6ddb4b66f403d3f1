"""How a robot sits: thighs on the seat, soles flat where they are when it stands."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody, Sole
from telexist.retarget.so3 import Array, exp_so3
from telexist.robots.description import RobotModel, joint_groups
from telexist.robots.dynamics.standing_posture import flat_soles, leg_joints
from telexist.robots.dynamics.thighs import (
    SEATED_SHANK,
    SEATED_THIGH,
    leg_shape,
    thigh_patches,
)

__all__ = ["PlantedLegs", "sitting_posture"]

WAY = 8  # postures from standing to sitting, so that knees bend the right way
PASSES = 12  # until thighs are on the seat
GOOD = 2e-4  # [m], [rad]
FLAT = 2e-3  # [m] by which soles and thighs may miss floor and seat
ROOM = 0.03  # [rad] of a waist from its limits
PITCH = 0.9  # of an axis that points aside
LOWEST, HIGHEST = 0.7, 1.8  # [rad] of thighs that sit


class PlantedLegs:
    """Postures of a robot whose soles stay where they are.

    When the base leans, a waist that can bends as much, away from how it stands, and
    arms swing as far ahead as the trunk leans: they hang, and can be taken.

    Attributes:
        shape: The legs from the side.
        standing: The posture whose soles those are.
        middle: Between the soles (3,) [m].
    """

    def __init__(self, robot: RobotModel, standing: Configuration) -> None:
        """Take the soles' places from a posture.

        Raises:
            BadInput: If the robot's model tells of no hips, knees and soles.
        """
        self.shape, self.standing = leg_shape(robot.body), standing
        self._body, self._legs = robot.body, leg_joints(robot)
        self._thighs = thigh_patches(robot.body)
        self._soles = {
            side: _place(self._body, sole, standing)
            for side, sole in self._body.soles.items()
        }
        self.middle: Array = np.mean(list(self._soles.values()), axis=0)
        neutral = self._body.neutral
        hips = self._body.hips(neutral).mean(axis=0)
        self._base_p_hips = neutral.world_R_base.T @ (hips - neutral.world_p_base)
        lever = standing.world_R_base @ self._base_p_hips
        self._aside = float((standing.world_p_base + lever)[1])
        self._waist, self._arms = _waist(robot), _arms(robot)
        self._room = (self._body.lower + ROOM, self._body.upper - ROOM)

    def posture(self, hips: Array, lean: float, start: Configuration) -> Configuration:
        """Return the posture with the hips at a place and the base leaning.

        Args:
            hips: From the soles' middle: ahead, up (2,) [m].
            lean: Of the base, forward [rad].
            start: Where the search begins; its upper body is kept but for the waist.

        Raises:
            BadInput: If the legs do not reach it.
        """
        world_R_base = exp_so3(np.array([0.0, lean, 0.0])) @ (
            self.standing.world_R_base
        )
        place = self.middle + np.array([hips[0], 0.0, hips[1]])
        place[1] = self._aside
        bent = np.clip(self.standing.q + self._waist * lean, *self._room)
        leant = lean + float(np.abs(self._waist) @ np.abs(bent - self.standing.q))
        swung = np.clip(self.standing.q - self._arms * leant, *self._room)
        q = np.where(self._waist != 0.0, bent, start.q)
        q = np.where(self._arms != 0.0, swung, q)
        found = flat_soles(
            self._body,
            Configuration(
                world_p_base=place - world_R_base @ self._base_p_hips,
                world_R_base=world_R_base,
                q=q,
            ),
            self._legs,
            self._soles,
        )
        self._require_reached(found)
        return found

    def hips(self, posture: Configuration) -> Array:
        """Return the hips of a posture from the soles' middle: ahead, up (2,) [m]."""
        lever = posture.world_R_base @ self._base_p_hips
        return (posture.world_p_base + lever - self.middle)[[0, 2]]

    def thighs(self, posture: Configuration) -> Array:
        """Return where the middles of the thighs' lines are (2, 3) [m]."""
        return np.array(
            [
                _place(self._body, patch, posture)
                for patch in (self._thighs["left"], self._thighs["right"])
            ]
        )

    def shank(self, posture: Configuration) -> float:
        """Return the angle of the shanks [rad]."""
        body = self._body
        body.kinematics.update(posture)
        ends = [
            np.mean([_point(body, side + part) for side in ("Left", "Right")], axis=0)
            for part in ("LowerLeg", "Foot")
        ]
        way = ends[0] - ends[1]
        return math.atan2(way[0], way[2])

    def _require_reached(self, posture: Configuration) -> None:
        for side, sole in self._body.soles.items():
            miss = _place(self._body, sole, posture) - self._soles[side]
            if np.abs(miss).max() > FLAT:
                raise BadInput(f"the legs of {self._body.name} do not reach so far")


def sitting_posture(
    legs: PlantedLegs,
    seat_height: float,
    *,
    lean: float = 0.0,
    start: Configuration | None = None,
) -> Configuration:
    """Return the posture of a robot that sits.

    Args:
        legs: The robot with its feet where they stand.
        seat_height: Over the floor under the soles [m].
        lean: Of the base, forward [rad].
        start: A sitting posture nearby; None: the search begins where it stands.

    Raises:
        BadInput: If it cannot sit there with its soles on the floor.
    """
    shape = legs.shape
    cosine = math.cos(SEATED_THIGH) + (seat_height - shape.seat_height) / shape.thigh
    if not math.cos(HIGHEST) < cosine < math.cos(LOWEST):  # also if it is no number
        raise BadInput(_unfit(legs, seat_height))
    try:
        if start is None:
            posture = _bent(legs, math.acos(cosine), lean)
        else:
            posture = legs.posture(legs.hips(start), lean, start)
        for _ in range(PASSES):
            up = seat_height - float(legs.thighs(posture)[:, 2].mean())
            tilt = SEATED_SHANK - legs.shank(posture)
            if max(abs(up), abs(tilt)) < GOOD:
                break
            hips = legs.hips(posture) + np.array([shape.shank * tilt, up])
            posture = legs.posture(hips, lean, posture)
    except BadInput as error:
        raise BadInput(_unfit(legs, seat_height)) from error
    if abs(seat_height - float(legs.thighs(posture)[:, 2].mean())) > FLAT:
        raise BadInput(_unfit(legs, seat_height))
    return posture


def _bent(legs: PlantedLegs, thigh: float, lean: float) -> Configuration:
    """Go from standing to a sitting posture whose thighs have an angle [rad]."""
    posture, shape = legs.standing, legs.shape
    first = np.array(shape.angles(legs.hips(posture)))
    last = np.array([thigh, SEATED_SHANK])
    for share in np.linspace(0.0, 1.0, WAY + 1)[1:]:
        hips = shape.hip(*(first + share * (last - first)))
        posture = legs.posture(hips, share * lean, posture)
    return posture


def _waist(robot: RobotModel) -> Array:
    """Return which joint bends the trunk forward, and to which side it turns (n,)."""
    groups, names = joint_groups(robot.spec, robot.urdf), robot.body.kinematics.joints
    turns = _turns_forward(robot.body)
    trunk = np.array([groups[name] == "torso" for name in names])
    signs = np.zeros(len(turns))
    first = np.flatnonzero(trunk & (np.abs(turns) > PITCH))[:1]
    signs[first] = np.sign(turns[first])
    return signs


def _arms(robot: RobotModel) -> Array:
    """Return which joints swing the arms, and to which side they turn (n,)."""
    groups, body = joint_groups(robot.spec, robot.urdf), robot.body
    turns, signs = _turns_forward(body), np.zeros(body.kinematics.n)
    for link in body.hands.values():
        chain = [joint.name for joint in robot.urdf.chain(link)][::-1]
        for name in chain:
            if groups.get(name) != "arms" or name not in body.kinematics.joints:
                continue
            i = body.kinematics.joints.index(name)
            if abs(turns[i]) > PITCH:
                signs[i] = np.sign(turns[i])
                break
    return signs


def _turns_forward(body: RobotBody) -> Array:
    """Return how much of each joint's axis points to the left, when neutral (n,)."""
    body.kinematics.update(body.neutral)
    return np.array(body.kinematics.joint_axes()[1][:, 1])


def _unfit(legs: PlantedLegs, seat_height: float) -> str:
    fits = legs.shape.seat_height
    how = "too low" if seat_height < fits else "too high"
    return f"a seat of {seat_height:.2f} m is {how} for these legs: {fits:.2f} m fits"


def _place(body: RobotBody, sole: Sole, posture: Configuration) -> Array:
    kinematics = body.kinematics
    kinematics.update(posture)
    frame = kinematics.frame(sole.link)
    place = kinematics.position(frame) + kinematics.rotation(frame) @ sole.link_p_sole
    return np.array(place)


def _point(body: RobotBody, segment: str) -> Array:
    """Return where a joint centre is, at the last update (3,) [m]."""
    link, point = body.points[segment]
    frame = body.kinematics.frame(link)
    place = body.kinematics.position(frame) + body.kinematics.rotation(frame) @ point
    return np.array(place)
