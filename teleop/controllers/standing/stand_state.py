"""What the phases of standing share: the DCM's way over the support, loads, the floor.

A DCM inside the soles can be stopped at any time, so its way is planned there:
zmp = dcm - dcm_vel / omega stays in the soles, too.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import (
    SupportPolygon,
    sole_corners_on_floor,
)
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping import LEFT, RIGHT
from telexist.teleop.controllers.terms import Measured

__all__ = ["StandState", "place_over"]

Feet = tuple[int, ...]


class StandState:
    """Moves on with every step, whatever the phase.

    Attributes:
        parameters: Of the robot.
        soles: Left and right.
        yaw: Heading of the base [rad].
        dcm: Where the DCM is to be (2,) [m].
        zmp: Where the ZMP is, as planned (2,) [m].
        floor: Height of the floor [m].
        normal: Of the floor, as the soles lie on it (3,).
        loads: That the left and the right foot may carry [body weight].
    """

    dcm: Array
    zmp: Array

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` comes first."""
        self.parameters, self.soles = parameters, soles
        self._seen: tuple[Measured, Feet, SupportPolygon] | None = None

    def start(self, measured: Measured, *, yaw: float, dcm: Array) -> None:
        """Begin where the robot is, on both feet.

        Args:
            measured: The robot.
            yaw: Heading of the base [rad].
            dcm: Where the DCM is to be at first (2,) [m]; kept inside the soles.
        """
        self.yaw = yaw
        self.dcm = self.polygon(measured, (LEFT, RIGHT)).nearest(dcm)
        self._dcm_vel = np.zeros(2)
        self.floor = float(measured.sole_p[:, 2].mean())
        most = self.parameters.walking.standing_load
        self.loads = [most, most]
        self.normal = _normal(measured, (LEFT, RIGHT))

    def step(
        self, measured: Measured, carrying: Feet, on_floor: Feet, dt: float
    ) -> None:
        """Move the DCM on for dt [s].

        Args:
            measured: The robot.
            carrying: Feet that the robot is to stand on.
            on_floor: Feet that can take load now.
            dt: Step [s].
        """
        p = self.parameters.standing
        seen = _normal(measured, carrying)
        self.normal = self.normal + dt / (dt + p.normal_time) * (seen - self.normal)
        self._move_dcm(measured, carrying, on_floor, dt)
        self.zmp = self.dcm - self._dcm_vel / self.parameters.omega

    def settle(self, measured: Measured, carrying: Feet, dt: float) -> None:
        """Let floor and heading follow the feet that are to carry for dt [s]."""
        feet, time = list(carrying), self.parameters.standing.floor_time
        height = float(measured.sole_p[feet, 2].mean())
        self.floor += dt / (dt + time) * (height - self.floor)
        self._turn(measured.sole_yaw[feet], dt)

    def carry(self, foot: int, dt: float) -> float:
        """Return what a foot may carry that stands, more and more."""
        p = self.parameters
        more = self.loads[foot] + p.standing.load_growth * dt
        self.loads[foot] = min(p.walking.standing_load, more)
        return self.loads[foot]

    def limited(self, zmp: Array, measured: Measured, on_floor: Feet) -> Array:
        """Keep a ZMP near the support: beyond it only hips and arms can help."""
        near = self.support(measured, on_floor).nearest(zmp)
        beyond = zmp - near
        distance = float(np.linalg.norm(beyond))
        most = self.parameters.standing.hip_share * self.parameters.com_height
        return near + beyond * min(1.0, most / distance) if distance > 0.0 else zmp

    def support(self, measured: Measured, feet: Feet) -> SupportPolygon:
        """Return the polygon of some feet, found once a step."""
        if self._seen is None or self._seen[0] is not measured or self._seen[1] != feet:
            self._seen = (measured, feet, self.polygon(measured, feet))
        return self._seen[2]

    def polygon(
        self, measured: Measured, feet: Feet, share: float = 1.0
    ) -> SupportPolygon:
        """Return the polygon of a share of some soles."""
        corners = [
            sole_corners_on_floor(
                self.soles[i], measured.sole_p[i], measured.sole_R[i], share=share
            )
            for i in feet
        ]
        return SupportPolygon(np.vstack(corners))

    def _move_dcm(
        self, measured: Measured, carrying: Feet, on_floor: Feet, dt: float
    ) -> None:
        p, omega = self.parameters.standing, self.parameters.omega
        most = p.shift_share * omega * self.parameters.stance_spacing
        wanted = p.approach * (place_over(measured, carrying) - self.dcm)
        wanted *= min(1.0, most / max(float(np.hypot(*wanted)), 1e-9))
        change = wanted - self._dcm_vel
        limit = p.shift_acceleration * dt
        change *= min(1.0, limit / max(float(np.hypot(*change)), 1e-9))
        velocity = self._dcm_vel + change
        if max(abs(velocity[0]), abs(velocity[1])) < p.still:  # no need to look
            self.dcm, self._dcm_vel = self.dcm + dt * velocity, velocity
            return
        inside = self.polygon(measured, on_floor, share=p.plan_share)
        zmp = inside.nearest(self.dcm - velocity / omega)
        self._dcm_vel = omega * (self.dcm - zmp)
        self.dcm = inside.nearest(self.dcm + dt * self._dcm_vel)

    def _turn(self, yaws: Array, dt: float) -> None:
        """Turn the base to the soles' mean heading."""
        mean = float(np.arctan2(np.sin(yaws).mean(), np.cos(yaws).mean()))
        turn = float(np.arctan2(np.sin(mean - self.yaw), np.cos(mean - self.yaw)))
        self.yaw += turn * dt / (dt + self.parameters.standing.turn_time)


def place_over(measured: Measured, feet: Feet) -> Array:
    """Return where a robot is to stand over some feet (2,) [m]."""
    rows = list(feet)
    return (measured.sole_p[rows, :2] + measured.sole_edge[rows, :2]).mean(axis=0)


def _normal(measured: Measured, feet: Feet) -> Array:
    """Return the floor's normal (3,) as the soles lie on it."""
    normal = measured.sole_up[list(feet)].mean(axis=0)
    return normal / np.linalg.norm(normal)
