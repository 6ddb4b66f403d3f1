"""What a balancing robot knows of itself: the estimated state, in terms of balance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.sensing.base_estimator import LOADED, BaseEstimator
from telexist.teleop.controllers.sensing.com_bias import ComBias
from telexist.teleop.controllers.sensing.drive_lag import DriveLag
from telexist.teleop.controllers.sensing.hand_forces import HandForces
from telexist.teleop.controllers.terms import Measured, measure

__all__ = ["StateEstimator"]


class StateEstimator:
    """Estimates the base, updates the model, and measures.

    Attributes:
        state: The whole robot, estimated.
        measured: The same in terms of balance, the centre of mass where forces say; it
            is off by the shift that `HandForces` finds while somebody pulls.
    """

    state: BodyState
    measured: Measured

    def __init__(
        self,
        robot: RobotModel,
        model: DynamicsModel,
        *,
        omega: float,
        true_base: bool,
        hands: HandForces,
    ) -> None:
        """Prepare; `reset` comes first.

        Args:
            robot: The robot.
            model: The controller's; every step updates it.
            omega: Of the pendulum [1/s].
            true_base: Whether to take the base's state from the simulator, where it
                gives it.
            hands: Takes in what they feel.
        """
        self._hands = hands
        self._model, self._omega, self._true_base = model, omega, true_base
        self._estimator = BaseEstimator(DynamicsModel(robot))
        self._bias = ComBias(model.mass)

    @property
    def com_error(self) -> Array:
        """Of the model's centre of mass (2,) [m]."""
        return self._bias.value

    def reset(self, state: RobotState) -> None:
        """Begin at rest, with the soles' middle at the origin."""
        self.state = self._estimator.reset(state)
        if self._true_base:
            self.state = _true(state) or self.state
        self._bias.reset()
        self._hands.reset()
        self._model.update(self.state)
        self.measured = measure(self._model, state.foot_wrenches, self._omega)

    def step(
        self,
        state: RobotState,
        lag: DriveLag,
        dt: float,
        *,
        learn: bool,
        planted: bool = False,
    ) -> None:
        """Take a reading.

        Args:
            state: What the sensors say.
            lag: What was asked for since the last reading, and is still under way.
            dt: Time since the last reading [s].
            learn: Whether the robot stands, so that forces tell errors.
            planted: Whether both feet stand still, whatever they carry: it sits.
        """
        true = _true(state) if self._true_base else None
        seen_by_legs = self._planted(state) if planted else state
        now = true or self._estimator.step(seen_by_legs, lag.acting.dnu[6:], dt)
        self.state = lag.lead(now, dt)
        self._model.update(self.state)
        seen = measure(self._model, state.foot_wrenches, self._omega)
        self._hands.step(state)
        shift = self._hands.shift
        self._bias.step(seen, state.foot_wrenches, dt, learn=learn, shift=shift)
        com, com_vel = seen.com, seen.com_vel
        com[:2] += shift - self._bias.value
        com_vel[:2] -= self._bias.velocity
        dcm = com[:2] + com_vel[:2] / self._omega
        self.measured = replace(seen, com=com, com_vel=com_vel, dcm=dcm)

    def _planted(self, state: RobotState) -> RobotState:
        """Return a reading in which both feet carry enough to be believed."""
        wrenches = np.array(state.foot_wrenches)
        least = LOADED * self._model.mass * GRAVITY
        wrenches[:, 2] = np.maximum(wrenches[:, 2], least)
        return replace(state, foot_wrenches=wrenches)

    def turn(self, world_R_base: Array) -> None:
        """Take over an attitude (3, 3) alone: a robot that lies knows no more."""
        self.state = replace(self.state, world_R_base=world_R_base)

    @property
    def yaw(self) -> float:
        """Mean heading of the soles [rad]."""
        yaw = self.measured.sole_yaw
        return float(np.arctan2(np.sin(yaw).mean(), np.cos(yaw).mean()))


def _true(state: RobotState) -> BodyState | None:
    """Return the state that the simulator gives, if it does."""
    p, R, v, w = (
        state.world_p_base,
        state.world_R_base,
        state.world_v_base,
        state.world_w_base,
    )
    if p is None or R is None or v is None or w is None:
        return None
    return BodyState(
        world_p_base=p,
        world_R_base=R,
        q=state.q,
        world_v_base=v,
        world_w_base=w,
        dq=state.dq,
    )
