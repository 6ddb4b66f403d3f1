"""Where the robot's soles should be: planted ones stay, lifted ones follow.

A foot of the person stands flat, on the heel, on the ball, or not at all. The robot's
sole then holds its middle, its heel edge or its toe edge still ([L] (7)-(10): the base
moves so that the stance foot does not), and turns flat while the person's foot is flat.
A lifted sole follows the height of the person's foot, scaled by leg length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.contacts import FootContact
from retarget.ik.targets import PointTarget
from retarget.kinematics import Kinematics
from retarget.robot_body import Sole
from retarget.so3 import Array, rotation_z, yaw_of

__all__ = ["Foot", "FootTargets"]

HOLD_WEIGHT = 1e4  # [1/m^2] of a standing point; orientation of a limb has 1 / rad^2


FLAT_WEIGHT = 1e3  # [1/rad^2] of a planted sole's orientation
LIFT_WEIGHT = 1e-2  # [1/m^2] of a lifted sole's height, below all else
LANDING_GAIN = 40.0  # [1/s] at which a sole that lands gets to the floor
MAX_TWIST = np.deg2rad(20.0)  # the person's foot may turn this far on the spot
MAX_DRIFT = 0.02  # [m] or creep this far, for a leg of 0.9 m, before it is let go
REST = 0.1  # [s] for which a foot that was let go is not planted again
SETTLED_TILT = np.deg2rad(1.0)  # a sole flatter than this counts as planted
SETTLED_HEIGHT = 0.003  # [m] and lower than this


@dataclass(frozen=True, slots=True, kw_only=True)
class FootTargets:
    """What one foot asks of the next step.

    Attributes:
        points: Places of points of the sole.
        world_R_link: Orientation of the sole's link while it stands flat, else None.
        corners: Corners that must not sink into the floor (c, 3), link axes.
    """

    points: tuple[PointTarget, ...]
    world_R_link: Array | None
    corners: Array


class Foot:
    """Follows one foot of the person with one sole of the robot."""

    def __init__(self, kinematics: Kinematics, sole: Sole, scale: float) -> None:
        """Prepare.

        Args:
            kinematics: Of the robot.
            sole: The sole to move.
            scale: Robot's leg length over the person's.
        """
        self._kinematics = kinematics
        self._sole = sole
        self._scale = scale
        self.frame = kinematics.frame(sole.link)
        self._link_corners = sole.link_p_sole + sole.corners() @ sole.link_R_sole.T
        x = np.array([sole.length / 2.0, 0.0, 0.0])
        self._pivots = {
            "flat": sole.link_p_sole,
            "heel": sole.link_p_sole - sole.link_R_sole @ x,
            "toe": sole.link_p_sole + sole.link_R_sole @ x,
        }
        self.reset()

    def reset(self) -> None:
        """Forget where the foot stood."""
        self._state = "swing"
        self._anchor = np.zeros(3)
        self._yaw = 0.0
        self._human_place = np.zeros(2)
        self._human_yaw = 0.0
        self._rest = 0.0

    def targets(
        self, contact: FootContact, world_R_wanted: Array, dt: float
    ) -> FootTargets:
        """Return the targets of the next step; kinematics must be at its start.

        Args:
            contact: How the person's foot meets the floor.
            world_R_wanted: Orientation of the sole's link that follows the person.
            dt: Length of the step [s].
        """
        human_yaw = float(yaw_of(world_R_wanted @ self._sole.link_R_sole))
        self._enter(self._wanted_state(contact, human_yaw, dt), contact, human_yaw)
        upright = None
        if self._state == "flat":
            upright = rotation_z(self._yaw) @ self._sole.link_R_sole.T
        if self._state == "swing":
            height = self._height(world_R_wanted, self._scale * contact.height)
            points: tuple[PointTarget, ...] = (height,)
        else:
            rotation = self._kinematics.rotation(self.frame)
            left = self.lowest_corner() * np.exp(-LANDING_GAIN * dt)
            points = (self._hold(), self._height(rotation, left, HOLD_WEIGHT))
        return FootTargets(
            points=points, world_R_link=upright, corners=self._link_corners
        )

    def planted(self) -> bool:
        """Return whether the sole now stands flat; kinematics must be up to date."""
        if self._state != "flat":
            return False
        up = self._kinematics.rotation(self.frame) @ self._sole.link_R_sole[:, 2]
        tilt = np.arccos(np.clip(up[2], -1.0, 1.0))
        height = abs(self._world(self._sole.link_p_sole)[2])
        return bool(tilt < SETTLED_TILT and height < SETTLED_HEIGHT)

    def lowest_corner(self) -> float:
        """Return the height of the sole's lowest corner at the last update [m]."""
        return float(min(self._world(corner)[2] for corner in self._link_corners))

    def _wanted_state(self, contact: FootContact, human_yaw: float, dt: float) -> str:
        self._rest = max(self._rest - dt, 0.0)
        state = "swing"
        if contact.flat:
            state = "flat"
        elif contact.heel:
            state = "heel"
        elif contact.ball:
            state = "toe"
        if state == "swing" or self._rest > 0.0:
            return "swing"
        if self._state != "swing":
            turn = abs((human_yaw - self._human_yaw + np.pi) % (2.0 * np.pi) - np.pi)
            creep = np.linalg.norm(contact.place - self._human_place)
            if turn > MAX_TWIST or creep * self._scale > MAX_DRIFT:
                self._rest = REST
                return "swing"
        return state

    def _enter(self, state: str, contact: FootContact, human_yaw: float) -> None:
        if state == self._state:
            return
        self._human_place, self._human_yaw = contact.place, human_yaw
        self._state = state
        if state == "swing":
            return
        self._anchor = self._world(self._pivots[state])
        self._anchor[2] = 0.0
        rotation = self._kinematics.rotation(self.frame)
        self._yaw = float(yaw_of(rotation @ self._sole.link_R_sole))

    def _hold(self) -> PointTarget:
        """Hold the pivot where it is on the floor."""
        return PointTarget(
            frame=self.frame,
            link_p_point=self._pivots[self._state],
            world_p_goal=self._anchor,
            weights=np.array([HOLD_WEIGHT, HOLD_WEIGHT, 0.0]),
        )

    def _height(
        self, world_R_link: Array, height: float, weight: float = LIFT_WEIGHT
    ) -> PointTarget:
        """Hold the lowest corner of the sole, when turned so, at a height."""
        lowest = np.argmin((self._link_corners @ world_R_link.T)[:, 2])
        return PointTarget(
            frame=self.frame,
            link_p_point=self._link_corners[lowest],
            world_p_goal=np.array([0.0, 0.0, height]),
            weights=np.array([0.0, 0.0, weight]),
        )

    def _world(self, link_p_point: Array) -> Array:
        rotation = self._kinematics.rotation(self.frame)
        return self._kinematics.position(self.frame) + rotation @ link_p_point
