"""The operator's own steps: found in their motion as it comes, and where they lead.

A foot that comes to stand somewhere else has made a step. From then on the path goes
where the pelvis goes, until both feet stay; bows, squats, kicks and weight that shifts
move nobody. Places are those of the retargeted motion, so of the robot's size.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotFrame
from telexist.retarget.so3 import Array, rotation_z, yaw_of
from telexist.teleop.terms import PathReference

__all__ = ["OwnSteps"]

STEP = 0.05  # [m] for each metre of leg: a foot that stands so far off has stepped
TURN = 0.2  # [rad] or one that has turned so far
STAY = 0.4  # [s] that both feet stay at the end
LIFTED = 0.8  # [s] in the air after which a foot is lifted, not on its way
AWAY = 0.2  # [m] for each metre of leg: nobody leans so far without a step
YAW_TIME = 0.15  # [s] in which the pelvis' swing in a stride is averaged


class OwnSteps:
    """Follows the steps of retargeted motion."""

    def __init__(self, body: RobotBody) -> None:
        """Prepare for a robot with two soles."""
        self._body, self._kinematics = body, body.kinematics
        soles = (body.soles["left"], body.soles["right"])
        self._soles = [(s, self._kinematics.frame(s.link)) for s in soles]
        self._neutral = body.neutral.world_R_base
        self._leg = float(body.neutral.world_p_base[2])  # [m] about its length
        self.rest()

    def rest(self) -> None:
        """Forget the path: the next frame begins another."""
        self._begin: tuple[Array, float] | None = None
        self._stepping, self._stayed, self._lifted = False, 0.0, np.zeros(2)
        self._place, self._yaw = np.zeros(2), 0.0

    def follow(self, frame: RobotFrame, dt: float) -> None:
        """Go on with the retargeted motion for dt [s]."""
        p = np.array(frame.world_p_base[:2])
        feet = self._places(
            Configuration(
                world_p_base=frame.world_p_base,
                world_R_base=frame.world_R_base,
                q=frame.q,
            )
        )
        c, s = np.cos(feet[:, 3]).sum(), np.sin(feet[:, 3]).sum()
        heading = float(np.arctan2(s, c))  # the pelvis adds its own turn to the feet's
        if self._begin is None:
            yaw = float(yaw_of(frame.world_R_base @ self._neutral.T))
            self._begin, self._stood = (p, yaw), feet.copy()
            self._seen, self._turned = heading, _wrapped(heading - yaw)
        self._turned += _wrapped(heading - self._seen)
        self._seen = heading
        self._look_at_feet(feet, frame.planted, dt)
        start, yaw = self._begin
        place = rotation_z(-yaw)[:2, :2] @ (p - start)
        if np.linalg.norm(place - self._place) > AWAY * self._leg:
            self._stepping, self._stayed = True, 0.0
        if self._stepping:
            self._place = place
            self._yaw += dt / (dt + YAW_TIME) * (self._turned - self._yaw)

    @property
    def planted(self) -> tuple[bool, bool]:
        """On which feet the operator stands; who walks, stands on both.

        A foot is lifted, not on its way, if it has long been in the air.
        """
        left, right = (self._lifted < LIFTED) | self._stepping
        return bool(left), bool(right)

    def _look_at_feet(self, feet: Array, planted: tuple[bool, bool], dt: float) -> None:
        """Find feet that have come to stand, and whether both have stayed."""
        self._lifted = np.where(planted, 0.0, self._lifted + dt)
        for i in range(2):
            if not planted[i]:
                continue
            gone = np.linalg.norm(feet[i, :2] - self._stood[i, :2])
            turned = abs(_wrapped(feet[i, 3] - self._stood[i, 3]))
            if gone > STEP * self._leg or turned > TURN:
                self._stepping, self._stayed = True, 0.0
                self._stood[i] = feet[i]
        self._stayed = self._stayed + dt if all(planted) else 0.0
        if self._stayed > STAY:
            self._stepping = False

    def _places(self, configuration: Configuration) -> Array:
        """Return places and headings of the soles (2, 4) [m], [rad]."""
        self._kinematics.update(configuration)
        rows = []
        for sole, frame in self._soles:
            R = self._kinematics.rotation(frame)
            p = self._kinematics.position(frame) + R @ sole.link_p_sole
            rows.append([*p, yaw_of(R @ sole.link_R_sole)])
        return np.array(rows)

    @property
    def value(self) -> PathReference | None:
        """The path now; None while nobody is followed."""
        if self._begin is None:
            return None
        return PathReference(
            place=self._place.copy(), yaw=self._yaw, stepping=self._stepping
        )


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)
