"""Forces at the hands from the arms' own torques, with how far they may be off.

The arm's rows of the equations of motion, with the base's acceleration from the IMU:

    J_a' f = M_a dnu + h_a - tau_a - friction =: r

All of r passes one low-pass filter of time T: so dnu is (nu - filtered nu) / T, without
a derivative of noise, and f lags by T. f is the most likely wrench, (J R^-1 J' + S^-1)
f = J R^-1 r, with R the variance of what the joints' rows do not know, above all dry
friction, and S that of wrenches that hands feel. Where an arm is stretched, the
deviation is as great as that.

A joint at its stop tells nothing. While joints move, dry friction is seen and learnt,
and taken off; while they stand it may be anything below. What is left at rest in the
first moments after a reset, when nobody is expected to touch, is tared, and so is,
slowly, what is too small to tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.description import RobotModel, joint_groups
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel

__all__ = ["HandEstimate"]

LAG = 0.05  # [s] of the filter
SETTLING = 0.2  # [s] after a reset until the filter tells
TARE = 0.3  # [s] of rest after that in which nobody touches
PATIENCE = 1.0  # [s] after a reset: a robot that moves all the time is not tared
CREEP = 20.0  # [s] in which what cannot be told from nothing is tared
FORCE, MOMENT = 60.0, 0.2  # [N], [N m] deviations of what hands feel
DOUBT = 0.05  # of a joint's effort, but at most the next: friction nobody has seen yet
MOST_DOUBT = 0.3  # [N m]
LEAST_DOUBT = 0.004  # of a joint's effort: of torques and model
STILL = 0.05  # [rad/s] of joints at rest, in the filter
MOVING = 0.05  # [rad/s] from which dry friction shows
SURELY = 0.7  # of the filtered sign of a velocity with which friction is learnt
LEARNING = 10.0  # [s] of motion in which friction is learnt, both ways: forces cancel
KNOWN = 1.0  # [s] of motion after which what was learnt counts
MOST_FRICTION = 0.2  # of a joint's effort
NEAR_STOP = 0.02  # [rad] of a joint's limit, where its stop may carry anything
LONGEST = 0.1  # [s] between two states; after more it begins anew


@dataclass(slots=True)
class _Arm:
    """One arm: its hand's frame and row, its joints, their doubts and offsets."""

    row: int
    frame: int
    joints: np.ndarray
    offset: Array


class HandEstimate:
    """Fills in what hands feel for a robot that measures torques alone.

    Attributes:
        lag: Of the estimate [s].
        friction: Dry friction as learnt so far, body's joints (n,) [N m].
    """

    def __init__(self, robot: RobotModel) -> None:
        """Find the arms.

        Args:
            robot: The robot.
        """
        self._model = DynamicsModel(robot)
        self.lag = LAG
        groups = joint_groups(robot.spec, robot.urdf)
        kinematics, n = robot.body.kinematics, self._model.n
        self._effort = np.array(self._model.actuators.effort)
        self._lower, self._upper = (
            np.array(robot.body.lower),
            np.array(robot.body.upper),
        )
        arm = np.array([groups[name] == "arms" for name in kinematics.joints])
        self._arms: list[_Arm] = []
        for row, side in enumerate(("left", "right")):
            if side not in robot.body.hands:
                continue
            link = robot.body.hands[side]
            support = np.zeros(6 + n, dtype=bool)
            support[kinematics.support(kinematics.frame(link))] = True
            joints = np.flatnonzero(support[6:] & arm)
            if len(joints):
                frame = self._model.frame(link)
                self._arms.append(_Arm(row, frame, joints, np.zeros(len(joints))))
        self.reset()

    def reset(self) -> None:
        """Begin anew; nobody touches for the next moments."""
        n = self._model.n
        self.friction = np.zeros(n)
        self._seen = np.zeros(n)  # [s] of motion in which friction was learnt
        self._begin()

    def _begin(self) -> None:
        self._stamp: float | None = None
        self._since, self._rested = 0.0, 0.0
        for arm in self._arms:
            arm.offset[:] = 0.0

    def step(self, state: RobotState) -> RobotState:
        """Return a state with wrenches at the hands.

        One that has them already, or tells no torques of the arms, stays as it is.
        """
        if state.hand_wrenches is not None or not self._tells(state):
            return state
        if self._stamp is not None and not 0.0 < state.stamp - self._stamp < LONGEST:
            if state.stamp == self._stamp:
                return self._filled(state)
            self._begin()
        dt = 0.0 if self._stamp is None else state.stamp - self._stamp
        self._look(state, dt)
        self._stamp, self._since = state.stamp, self._since + dt
        self._estimate(dt)
        return self._filled(state)

    def _filled(self, state: RobotState) -> RobotState:
        return replace(
            state,
            hand_wrenches=self._wrenches.copy(),
            hand_deviations=self._deviations.copy(),
        )

    def _tells(self, state: RobotState) -> bool:
        finite = all(
            np.isfinite(part).all()
            for part in (
                state.q,
                state.dq,
                state.tau,
                state.imu_acceleration,
                state.imu_angular_velocity,
                state.imu_world_R_base,
            )
        )
        return finite and any(state.tau[arm.joints].any() for arm in self._arms)

    def _look(self, state: RobotState, dt: float) -> None:
        """Filter what the arms' torques do not explain (n,), and the velocities."""
        R, model = state.imu_world_R_base, self._model
        past = np.maximum(state.q - self._upper, self._lower - state.q)
        self._stops = np.where(past > -NEAR_STOP, self._effort, 0.0)
        turning = R @ state.imu_angular_velocity
        model.update(
            BodyState(
                world_p_base=np.zeros(3),
                world_R_base=R,
                q=state.q,
                world_v_base=np.zeros(3),  # a steady velocity changes no torque
                world_w_base=turning,
                dq=state.dq,
            )
        )
        falling = R @ state.imu_acceleration - np.array([0.0, 0.0, GRAVITY])
        rates = np.concatenate([turning, state.dq])
        rest = model.h[6:] + model.M[6:, :3] @ falling - state.tau
        if self._stamp is None:
            self._rates, self._rest, self._signs = rates, rest, np.zeros(model.n)
        share = dt / (dt + LAG)
        self._rates = self._rates + share * (rates - self._rates)
        self._rest = self._rest + share * (rest - self._rest)
        signs = np.tanh(state.dq / MOVING)
        self._signs = self._signs + share * (signs - self._signs)
        acceleration = (rates - self._rates) / LAG
        self._left = self._rest + model.M[6:, 3:] @ acceleration
        self._learn(dt)

    def _learn(self, dt: float) -> None:
        """Learn dry friction where joints move, and take it off."""
        signs = self._signs
        moving = (np.abs(signs) > SURELY) & (self._stops == 0.0)
        if moving.any() and self._since > SETTLING:
            seen = -self._left / np.where(moving, signs, 1.0)
            share = dt / (dt + np.clip(self._seen, KNOWN, LEARNING))
            change = np.where(moving, share * (seen - self.friction), 0.0)
            most = MOST_FRICTION * self._effort
            self.friction = np.clip(self.friction + change, 0.0, most)
            self._seen[moving] += dt
        self._left = self._left + self.friction * signs

    def _doubts(self) -> Array:
        """Return the standard deviations of what the rows do not know (n,) [N m]."""
        unseen = np.minimum(DOUBT * self._effort, MOST_DOUBT)
        known = np.minimum(self._seen / KNOWN, 1.0)
        still = 1.0 - np.abs(self._signs)
        learnt = self.friction * (0.2 + 0.4 * still)
        doubt = unseen * (1.0 - known) + learnt * known
        return np.maximum(np.maximum(doubt, LEAST_DOUBT * self._effort), self._stops)

    def _tares(self, dt: float) -> bool:
        """Return whether nobody is expected to touch yet; count moments of rest."""
        if self._since <= SETTLING:
            return True
        if self._rested >= TARE or self._since > PATIENCE:
            return False
        arms = np.concatenate([arm.joints for arm in self._arms])
        still = bool((np.abs(self._rates[3 + arms]) < STILL).all())
        self._rested += dt * still
        return still

    def _estimate(self, dt: float) -> None:
        self._wrenches, self._deviations = np.zeros((2, 6)), np.zeros((2, 6))
        doubts, tares = self._doubts(), self._tares(dt)
        taught = dt / self._rested if tares and self._rested > 0.0 else 0.0
        least = np.diag(np.array([FORCE] * 3 + [MOMENT] * 3) ** -2.0)
        for arm in self._arms:
            r, weight = self._left[arm.joints], doubts[arm.joints] ** -2.0
            J = self._model.jacobian(arm.frame)[:, 6 + arm.joints]
            covariance = np.linalg.inv((J * weight) @ J.T + least)
            arm.offset += taught * (r - arm.offset)
            world_f = covariance @ (J * weight) @ (r - arm.offset)
            if not tares and _within(world_f[:3], covariance[:3, :3]):
                arm.offset += dt / CREEP * (r - arm.offset)
            turned = np.kron(np.eye(2), self._model.rotation(arm.frame))
            if not tares:
                self._wrenches[arm.row] = world_f @ turned
            local = turned.T @ covariance @ turned
            self._deviations[arm.row] = np.sqrt(np.diag(local))


def _within(force: Array, covariance: Array) -> bool:
    """Return whether a force (3,) is less than its own deviation."""
    return float(force @ np.linalg.solve(covariance, force)) < 1.0
