"""One foot swings; where and when it lands is looked at again and again."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.stepping import (
    LEFT,
    SwingFoot,
    planar_rotation,
    standing_foothold,
)
from telexist.teleop.controllers.terms import (
    FootTask,
    Intent,
    Measured,
    dcm_feedback,
    stay,
)
from telexist.teleop.controllers.walking.coming_to_rest import ComingToRest
from telexist.teleop.controllers.walking.double_support import DoubleSupport
from telexist.teleop.controllers.walking.walk_phase import WalkPhase

__all__ = ["SingleSupport"]


class SingleSupport(WalkPhase):
    """From lift-off to touchdown.

    Attributes:
        swing: The foot in the air.
    """

    both_stand = False

    def start(self, measured: Measured) -> None:
        """Plan the step and lift the foot."""
        state, support = self.state, self.state.support.foot
        state.steps += 1
        state.support = standing_foothold(measured, support)
        state.plan.begin(
            state.support,
            state.command,
            recovering=state.recovering,
            last=state.spacing.last,
        )
        state.pivot.begin(measured.dcm)
        self.swing = SwingFoot(
            measured.sole_p[1 - support],
            measured.sole_R[1 - support],
            height=state.parameters.step_height,
            recovering=state.recovering,
            parameters=state.parameters.swing,
        )
        self._axes = planar_rotation(state.support.yaw)

    def next(self, measured: Measured) -> WalkPhase | None:
        """Return what follows the landing, if the foot has landed."""
        if not self._landed(measured):
            return None
        state = self.state
        left = state.plan.step.time_left
        longest = state.parameters.walking.longest_wait
        wait = min(max(left, 0.0), longest * state.parameters.single_support)
        old, stands = state.land(measured)
        if state.plan.last and stands:
            return ComingToRest(state, old, wait)
        return DoubleSupport(state, old, wait, SingleSupport)

    def take_up(self, measured: Measured) -> None:
        """Swing on from where the foot is, and land as soon as is needed."""
        self.swing.take_up(measured.sole_p[1 - self.state.support.foot])
        self.state.plan.hurry()

    def _landed(self, measured: Measured) -> bool:
        """Return whether the foot feels the floor, or is so late that it must."""
        p, swing = self.state.parameters.walking, 1 - self.state.support.foot
        felt = measured.load[swing] > p.touchdown_load
        if felt and self.swing.phase > p.touchdown_phase:
            return True
        place = measured.sole_p[swing]
        near = place[2] - self.state.floor.at(place[:2]) < p.near_floor
        patience = p.latest * (1.0 if near else p.far_patience)
        return bool(self.swing.lateness > patience)

    def step(self, measured: Measured, dt: float) -> Intent:
        """Adapt the step, keep the DCM on its way, move the foot."""
        state, plan, p = self.state, self.state.plan, self.state.parameters
        plan.adapt(measured, self.time, self.swing.phase, dt)
        place = state.support.p
        decay = np.exp(-p.omega * plan.step.time_left)
        dcm = place + decay * (plan.dcm_end - place)
        asked = dcm_feedback(
            measured.dcm, dcm, place, gain=p.walking_dcm_gain, omega=p.omega
        )
        hips = p.walking.recovery_hips * p.com_height if state.recovering else 0.0
        zmp = self._inside_sole(asked, p.walking.sole_share, hips)
        state.pivot.follow(self._inside_sole(asked, p.walking.pressure_share), dt)
        return state.intent(
            zmp,
            (place, dcm),
            self._feet(measured, dt),
            goal=plan.nominal.yaw,
            footholds=plan.adapted_preview,
            dt=dt,
        )

    def _feet(self, measured: Measured, dt: float) -> tuple[FootTask, FootTask]:
        """Move the swing foot on; return what left and right do."""
        state, plan = self.state, self.state.plan
        support, swing = state.support.foot, 1 - state.support.foot
        middle = plan.step.foothold - measured.sole_edge[swing, :2]
        goal = np.array([*middle, state.floor.at(middle), plan.nominal.yaw])
        around = self._axes if plan.crossing else None
        left, tilt = plan.step.time_left, state.floor.tilt
        self.swing.step(goal, left, dt, tilt=tilt, around=around)
        acc = self.swing.acceleration(
            measured.sole_p[swing], measured.sole_R[swing], measured.sole_v[swing]
        )
        air = FootTask(load=0.0, acc=acc)
        ground = stay(measured, support, state.floor.normal)
        return (ground, air) if support == LEFT else (air, ground)

    def _inside_sole(self, zmp: Array, share: float, beyond: float = 0.0) -> Array:
        """Return a ZMP kept in a share of the support sole, or so far beyond it."""
        support = self.state.support
        sole = self.state.soles[support.foot]
        half = 0.5 * share * np.array([sole.length, sole.width]) + beyond
        local = np.clip(self._axes.T @ (zmp - support.p), -half, half)
        return support.p + self._axes @ local
