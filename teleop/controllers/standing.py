"""Standing on two feet or one; the support changes with the operator's feet.

Before a foot is lifted the centre of mass goes over the other one, then the load is
taken off the foot, then it rises. It comes down the same way backwards.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from retarget.robot_body import Sole
from retarget.so3 import Array
from teleop.controllers.footsteps import LEFT, RIGHT
from teleop.controllers.intent import Intent, dcm_feedback, stay
from teleop.controllers.measured import Measured
from teleop.controllers.minimum_jerk import QuinticPoint, at_rest, quintic_step
from teleop.controllers.parameters import ControlParameters
from teleop.controllers.support_polygon import SupportPolygon, sole_corners_on_floor
from teleop.controllers.swing_foot import SwingFoot
from teleop.controllers.whole_body_tasks import FootTask

__all__ = ["Standing"]

Stage = Literal["both", "shift", "unload", "one", "lower"]

UNLOAD_TIME = 0.5  # [s]
RISE_TIME = 0.8  # [s] of the lifted foot
TOUCH = 0.05  # of body weight that says a lowered foot has landed
HIP_SHARE = 0.05  # of the height by which the ZMP may be asked for beyond the soles
ARRIVED = 0.02  # [m] of the centre of mass from where it should be


class Standing:
    """Keeps the centre of mass over the support.

    Attributes:
        stage: What is going on.
        support: The only foot that carries, or None for both.
    """

    def __init__(self, parameters: ControlParameters, soles: tuple[Sole, Sole]) -> None:
        """Prepare; `start` comes first."""
        self._p = parameters
        self._soles = soles
        self.stage: Stage = "both"
        self.support: int | None = None

    def start(self, measured: Measured, *, yaw: float) -> None:
        """Begin to stand where the robot is, on both feet."""
        self.stage, self.support = "both", None
        self.yaw, self._time = yaw, 0.0
        polygon = self._polygon(measured, (LEFT, RIGHT))
        begin = polygon.nearest(measured.com[:2])
        self._com = QuinticPoint(begin, measured.com_vel[:2].copy(), np.zeros(2))
        self._left = self._p.shift_time
        self._floor = float(measured.sole_p[:, 2].mean())
        self._loads = [2.0, 2.0]
        self._normal = _normal(measured, (LEFT, RIGHT))

    def step(self, measured: Measured, planted: tuple[bool, bool], dt: float) -> Intent:
        """Go on for dt and say what to do.

        Args:
            measured: The robot.
            planted: Whether the operator stands on the left and the right foot.
            dt: Step [s].
        """
        self._time += dt
        self._change_stage(measured, planted)
        seen = _normal(measured, self._carrying())
        self._normal = self._normal + dt / (dt + 1.0) * (seen - self._normal)
        self._move_com(measured, dt)
        feet = tuple(self._foot(i, measured, dt) for i in (LEFT, RIGHT))
        carrying = (LEFT, RIGHT) if self.support is None else (self.support,)
        self._floor += (
            dt
            / (dt + 0.3)
            * (float(measured.sole_p[list(carrying), 2].mean()) - self._floor)
        )
        p = self._p
        dcm = self._com.p + self._com.v / p.omega
        zmp = self._com.p - self._com.a / p.omega**2
        asked = dcm_feedback(measured.dcm, dcm, zmp, gain=p.dcm_gain, omega=p.omega)
        return Intent(
            zmp=self._limited(asked, measured),
            zmp_plan=zmp,
            dcm_plan=dcm,
            feet=(feet[0], feet[1]),
            yaw=self._turned(measured, dt),
            floor=self._floor,
        )

    def falling(self, measured: Measured) -> bool:
        """Whether no centre of pressure within the soles can stop the robot."""
        beyond = 0.4 * HIP_SHARE * self._p.com_height  # hips and arms do the rest
        return self._polygon(measured, self._on_floor()).outside(measured.dcm) > beyond

    def _on_floor(self) -> tuple[int, ...]:
        """Return the feet that can take load now."""
        if self.stage in ("both", "shift", "unload") or self.support is None:
            return (LEFT, RIGHT)
        return (self.support,)

    def _carrying(self) -> tuple[int, ...]:
        return (LEFT, RIGHT) if self.support is None else (self.support,)

    def _change_stage(self, measured: Measured, planted: tuple[bool, bool]) -> None:
        wanted = None
        if planted[LEFT] != planted[RIGHT]:
            wanted = LEFT if planted[LEFT] else RIGHT
        stage = self.stage
        if stage == "both" and wanted is not None:
            self._enter("shift", wanted)
        elif stage in ("shift", "unload") and wanted != self.support:
            self._enter("both", None)
        elif stage == "shift" and self._left <= 0.0:
            if np.linalg.norm(measured.com[:2] - self._com.p) < ARRIVED:
                self._enter("unload", self.support)
        elif stage == "unload" and self._time > UNLOAD_TIME:
            self._lift(measured)
        elif stage == "one" and wanted != self.support:
            self._enter("lower", self.support)
            self._goal[2] = self._floor
        elif stage == "lower":
            swing = 1 - (self.support or 0)
            late = self._swing.lateness > 0.3
            if late or (self._swing.phase > 0.5 and measured.load[swing] > TOUCH):
                self._enter("both", None)

    def _enter(self, stage: Stage, support: int | None) -> None:
        if stage in ("shift", "both"):
            self._left = self._p.shift_time
        self.stage, self.support, self._time = stage, support, 0.0

    def _lift(self, measured: Measured) -> None:
        swing = 1 - (self.support or 0)
        p, R = measured.sole_p[swing], measured.sole_R[swing]
        self._swing = SwingFoot(p, R, height=0.0)
        self._goal = np.array([*p[:2], p[2] + self._p.step_height, 0.0])
        self._goal[3] = measured.sole_yaw[swing]
        self._enter("one", self.support)
        self._rise = RISE_TIME

    def _move_com(self, measured: Measured, dt: float) -> None:
        goal = measured.sole_p[list(self._carrying()), :2].mean(axis=0)
        if self._left > dt:
            self._com = quintic_step(self._com, at_rest(goal), self._left, dt)
            self._left -= dt
        else:
            self._left = 0.0
            step = dt / (dt + 1.0) * (goal - self._com.p)
            self._com = at_rest(self._com.p + step)

    def _foot(self, i: int, measured: Measured, dt: float) -> FootTask:
        v = measured.sole_v[i]
        if self.support is None or i == self.support:
            self._loads[i] = min(2.0, self._loads[i] + 4.0 * dt)
            return stay(measured, i, self._normal, self._loads[i])
        if self.stage == "shift":
            return stay(measured, i, self._normal)
        if self.stage == "unload":
            self._loads[i] = max(0.02, 1.0 - self._time / UNLOAD_TIME)
            return stay(measured, i, self._normal, self._loads[i])
        if self.stage == "one":
            left = max(RISE_TIME - self._time, 0.0)
            if left > dt:
                self._swing.step(self._goal, left, dt)
            else:
                self._swing.hover(self._goal)
        else:
            self._swing.step(self._goal, RISE_TIME - self._time, dt)
        acc = self._swing.acceleration(measured.sole_p[i], measured.sole_R[i], v)
        self._loads[i] = 0.1
        return FootTask(load=0.0, acc=acc)

    def _limited(self, zmp: Array, measured: Measured) -> Array:
        """Keep the ZMP near the support: beyond it only hips and arms can help."""
        polygon = self._polygon(measured, self._on_floor())
        near = polygon.nearest(zmp)
        beyond = zmp - near
        distance = float(np.linalg.norm(beyond))
        most = HIP_SHARE * self._p.com_height
        return near + beyond * min(1.0, most / distance) if distance > 0.0 else zmp

    def _polygon(self, measured: Measured, feet: tuple[int, ...]) -> SupportPolygon:
        return SupportPolygon(
            np.vstack(
                [
                    sole_corners_on_floor(
                        self._soles[i], measured.sole_p[i], measured.sole_R[i]
                    )
                    for i in feet
                ]
            )
        )

    def _turned(self, measured: Measured, dt: float) -> float:
        yaws = measured.sole_yaw[list(self._carrying())]
        mean = float(np.arctan2(np.sin(yaws).mean(), np.cos(yaws).mean()))
        turn = float(np.arctan2(np.sin(mean - self.yaw), np.cos(mean - self.yaw)))
        self.yaw += turn * dt / (dt + 0.5)
        return self.yaw


def _normal(measured: Measured, feet: tuple[int, ...]) -> Array:
    """Return the floor's normal (3,) as the soles lie on it."""
    normal = measured.sole_R[list(feet), :, 2].mean(axis=0)
    return normal / np.linalg.norm(normal)
