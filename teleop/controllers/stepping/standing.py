"""Standing on two feet or one; the support changes with the operator's feet.

Before a foot is lifted the centre of mass goes over the other one, then the load is
taken off the foot, then it rises and follows the operator's. It comes down the same way
backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.geometry import (
    LegReach,
    SupportPolygon,
    sole_corners_on_floor,
)
from telexist.teleop.controllers.operator import FreeFoot, SoleGoal, StandingFoot
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping.footsteps import LEFT, RIGHT, side_of
from telexist.teleop.controllers.terms import (
    FootTask,
    Intent,
    Measured,
    dcm_feedback,
    stay,
)

__all__ = ["Standing"]

Stage = Literal["both", "shift", "unload", "one", "lower"]
Reach = Callable[[int], SoleGoal]
"""Where the operator's leg has the left (0) or the right (1) sole."""

UNLOAD_TIME = 0.3  # [s]
CLEARANCE = 0.7  # of a step's height that a lifted foot keeps from the floor
TOUCH = 0.05  # of body weight that says a lowered foot has landed
LATEST = 0.3  # [s] after its time a lowered foot counts as landed
HIP_SHARE = 0.05  # of the height by which the ZMP may be asked for beyond the soles
ARRIVED = 0.02  # [m] of the centre of mass from where it should be
APPROACH = 5.0  # [1/s] at which the DCM comes to its place
SHIFT_SHARE = 0.4  # of the feet's spacing by which the ZMP leads a shift
SHIFT_ACC = 3.0  # [m/s^2] of the DCM
STILL = 0.01  # [m/s] of a DCM whose ZMP is as good as below it
PLAN_SHARE = 0.7  # of the soles in which the ZMP is planned


class Standing:
    """Keeps the centre of mass over the support.

    Attributes:
        stage: What is going on.
        support: The only foot that carries, or None for both.
        dcm: Where the DCM is to be (2,) [m].
    """

    def __init__(
        self, parameters: ControlParameters, soles: tuple[Sole, Sole], reach: LegReach
    ) -> None:
        """Prepare; `start` comes first."""
        self._p, self._reach = parameters, reach
        self._soles = soles
        self._clearance = CLEARANCE * parameters.step_height
        self._seen: tuple[Measured, tuple[int, ...], SupportPolygon] | None = None
        self.stage: Stage = "both"
        self.support: int | None = None

    def start(self, measured: Measured, *, yaw: float, dcm: Array) -> None:
        """Begin to stand where the robot is, on both feet.

        Args:
            measured: The robot.
            yaw: Heading of the base [rad].
            dcm: Where the DCM is to be at first (2,) [m]; kept inside the soles.
        """
        self.stage, self.support = "both", None
        self.yaw, self._time = yaw, 0.0
        polygon = self._polygon(measured, (LEFT, RIGHT))
        self.dcm, self._dcm_vel = polygon.nearest(dcm), np.zeros(2)
        self._floor = float(measured.sole_p[:, 2].mean())
        self._loads = [2.0, 2.0]
        self._normal = _normal(measured, (LEFT, RIGHT))

    def step(
        self,
        measured: Measured,
        planted: tuple[bool, bool],
        reach: Reach,
        dt: float,
        push: Array,
    ) -> Intent:
        """Go on for dt and say what to do.

        Args:
            measured: The robot.
            planted: Whether the operator stands on the left and the right foot.
            reach: Where the operator's legs have the soles.
            dt: Step [s].
            push: What pushes the robot (2,), in body weights.
        """
        self._time += dt
        self._change_stage(measured, planted)
        seen = _normal(measured, self._carrying())
        self._normal = self._normal + dt / (dt + 1.0) * (seen - self._normal)
        self._move_dcm(measured, dt)
        feet = tuple(self._foot(i, measured, reach, dt) for i in (LEFT, RIGHT))
        carrying = (LEFT, RIGHT) if self.support is None else (self.support,)
        self._floor += (
            dt
            / (dt + 0.3)
            * (float(measured.sole_p[list(carrying), 2].mean()) - self._floor)
        )
        p = self._p
        dcm, zmp = self.dcm, self.dcm - self._dcm_vel / p.omega
        asked = dcm_feedback(measured.dcm, dcm, zmp, gain=p.dcm_gain, omega=p.omega)
        asked = asked + p.com_height * push
        return Intent(
            zmp=self._limited(asked, measured),
            zmp_plan=zmp,
            dcm_plan=dcm,
            feet=(feet[0], feet[1]),
            yaw=self._turned(measured, dt),
            floor=self._floor,
        )

    def leave(self) -> None:
        """End standing: whoever steps holds no foot up."""
        self._enter("both", None)

    @property
    def lifted(self) -> int | None:
        """The foot that is held up in the air, if one is; not one on its way down."""
        return (
            1 - self.support
            if self.stage == "one" and self.support is not None
            else None
        )

    def tallest(self, measured: Measured) -> float:
        """Return how high the centre of mass can be where it is to go [m]."""
        feet = (LEFT, RIGHT) if self.stage != "one" else self._carrying()
        place = self._place(measured)
        return self._reach.tallest(place, self.yaw, measured.sole_p, feet)

    def falling(self, measured: Measured) -> bool:
        """Whether no centre of pressure within the soles can stop the robot."""
        beyond = self._support(measured).outside(measured.dcm)
        if len(self._on_floor()) == 1:
            # On one foot a step comes late in any case: hips and arms may do it.
            return beyond > 0.4 * HIP_SHARE * self._p.com_height
        return beyond > 0.0

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
        elif stage == "shift":
            place = self._place(measured)
            if (
                _distance(measured.com[:2], place) + _distance(self.dcm, place)
                < ARRIVED
            ):
                self._enter("unload", self.support)
        elif stage == "unload" and self._time > UNLOAD_TIME:
            self._lift(measured)
        elif stage == "one" and wanted != self.support:
            self._enter("lower", self.support)
        elif stage == "lower":
            swing = 1 - (self.support or 0)
            down = self._free.world_p_sole[2] < self._floor + 0.5 * self._clearance
            touched = down and measured.load[swing] > TOUCH
            if touched or self._free.pressing > LATEST:
                self._enter("both", None)

    def _enter(self, stage: Stage, support: int | None) -> None:
        self.stage, self.support, self._time = stage, support, 0.0

    def _lift(self, measured: Measured) -> None:
        swing = 1 - (self.support or 0)
        self._free = FreeFoot(
            measured.sole_p[swing],
            measured.sole_R[swing],
            sole=self._soles[swing],
            side=side_of(swing),
            clearance=self._clearance,
            width=self._p.min_step_width,
        )
        self._enter("one", self.support)

    def _move_dcm(self, measured: Measured, dt: float) -> None:
        """Plan the DCM's way over the support: fast, but the ZMP stays in the soles.

        zmp = dcm - dcm_vel / omega; a DCM inside the soles can be stopped at any time.
        """
        omega = self._p.omega
        most = SHIFT_SHARE * omega * self._p.stance_spacing
        wanted = APPROACH * (self._place(measured) - self.dcm)
        wanted *= min(1.0, most / max(float(np.hypot(*wanted)), 1e-9))
        change = wanted - self._dcm_vel
        change *= min(1.0, SHIFT_ACC * dt / max(float(np.hypot(*change)), 1e-9))
        velocity = self._dcm_vel + change
        if (
            max(abs(velocity[0]), abs(velocity[1])) < STILL
        ):  # it stands: no need to look
            self.dcm, self._dcm_vel = self.dcm + dt * velocity, velocity
            return
        inside = self._polygon(measured, self._on_floor(), share=PLAN_SHARE)
        zmp = inside.nearest(self.dcm - velocity / omega)
        self._dcm_vel = omega * (self.dcm - zmp)
        self.dcm = inside.nearest(self.dcm + dt * self._dcm_vel)

    def _place(self, measured: Measured) -> Array:
        """Return where the robot is to stand (2,) [m]."""
        feet = list(self._carrying())
        return (measured.sole_p[feet, :2] + measured.sole_edge[feet, :2]).mean(axis=0)

    def _foot(self, i: int, measured: Measured, reach: Reach, dt: float) -> FootTask:
        if self.support is None or i == self.support:
            self._loads[i] = min(2.0, self._loads[i] + 4.0 * dt)
            return stay(measured, i, self._normal, self._loads[i])
        if self.stage == "shift":
            return stay(measured, i, self._normal)
        if self.stage == "unload":
            self._loads[i] = max(0.02, 1.0 - self._time / UNLOAD_TIME)
            return stay(measured, i, self._normal, self._loads[i])
        p, yaw = measured.sole_p[self.support], float(measured.sole_yaw[self.support])
        standing = StandingFoot(p=p, yaw=yaw, floor=self._floor)
        if self.stage == "one":
            self._free.follow(reach(i), standing, dt, now=measured.sole_R[i])
        else:
            self._free.lower(standing, dt)
        self._loads[i] = 0.1
        place, R, v = measured.sole_p[i], measured.sole_R[i], measured.sole_v[i]
        acc = self._free.acceleration(place, R, v)
        return FootTask(load=0.0, acc=acc, tips=not self._free.lowering)

    def _limited(self, zmp: Array, measured: Measured) -> Array:
        """Keep the ZMP near the support: beyond it only hips and arms can help."""
        polygon = self._support(measured)
        near = polygon.nearest(zmp)
        beyond = zmp - near
        distance = float(np.linalg.norm(beyond))
        most = HIP_SHARE * self._p.com_height
        return near + beyond * min(1.0, most / distance) if distance > 0.0 else zmp

    def _support(self, measured: Measured) -> SupportPolygon:
        """Return the polygon of the feet on the floor, found once a step."""
        feet = self._on_floor()
        if self._seen is None or self._seen[0] is not measured or self._seen[1] != feet:
            self._seen = (measured, feet, self._polygon(measured, feet))
        return self._seen[2]

    def _polygon(
        self, measured: Measured, feet: tuple[int, ...], share: float = 1.0
    ) -> SupportPolygon:
        return SupportPolygon(
            np.vstack(
                [
                    sole_corners_on_floor(
                        self._soles[i],
                        measured.sole_p[i],
                        measured.sole_R[i],
                        share=share,
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


def _distance(a: Array, b: Array) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _normal(measured: Measured, feet: tuple[int, ...]) -> Array:
    """Return the floor's normal (3,) as the soles lie on it."""
    normal = measured.sole_up[list(feet)].mean(axis=0)
    return normal / np.linalg.norm(normal)
