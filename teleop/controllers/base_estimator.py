"""Where the base is, from what a real robot has: encoders, one IMU, forces under feet.

Attitude and turning come from the IMU. Position and velocity are integrated from its
accelerometer and pulled to what the loaded legs say: the point of a sole at which it
carries weight stands still, also when the sole rocks on its edge. Joint velocities are
smoothed with the accelerations that the controller itself asked for. Heading and place
drift slowly, as on any real robot; what matters for balance is relative to the feet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.so3 import Array
from robots.actuators import GRAVITY
from robots.dynamics_model import BodyState, DynamicsModel
from robots.interface import RobotState

__all__ = ["BaseEstimator"]

UNLOADED, LOADED = 0.05, 0.25  # of body weight: trust in a foot grows from 0 to 1
VELOCITY_TIME = 0.03  # [s] in which the legs' velocity overrules the accelerometer
POSITION_TIME = 0.02  # [s] in which the legs' position overrules the integral
JOINT_TIME = 0.012  # [s] in which measured joint velocities overrule the predicted ones
FLOOR_SHARE = 0.1  # of a new foothold's height that is forgotten: the floor is level


@dataclass(frozen=True, slots=True, kw_only=True)
class _Legs:
    """The soles from the base, world axes.

    Attributes:
        p: Their middles (2, 3) [m].
        v: Velocities of the middles (2, 3) [m/s].
        rocking: What the points under pressure are faster by (2, 3) [m/s].
    """

    p: Array
    v: Array
    rocking: Array


class BaseEstimator:
    """Keeps a running estimate of the whole state.

    Attributes:
        trust: In the left and the right sole, 0 in the air to 1 (2,).
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Use a model of its own, so that the controller's stays as it is."""
        self._model = model
        self._frames = list(model.sole_frames())
        self._weight = model.mass * GRAVITY
        soles = (model.robot.body.soles[side] for side in model.sides)
        self._half = np.array([[0.5 * s.length, 0.5 * s.width] for s in soles])
        self.trust = np.ones(2)
        self._p, self._v = np.zeros(3), np.zeros(3)
        self._footholds = np.zeros((2, 3))
        self._dq = np.zeros(model.n)

    def reset(self, state: RobotState) -> BodyState:
        """Start at rest with the soles' middle at the origin."""
        self._dq = np.array(state.dq)
        legs = self._legs(state, state.imu_R_base, state.dq).p
        self._p = -legs.mean(axis=0)
        self._p[2] = -legs[:, 2].min()
        self._v = np.zeros(3)
        self._footholds = self._p + legs
        self.trust = np.ones(2)
        return self._body_state(state)

    def step(self, state: RobotState, ddq: Array, dt: float) -> BodyState:
        """Take a new reading.

        Args:
            state: What the sensors say.
            ddq: Joint accelerations that were asked for since the last reading (n,).
            dt: Time since the last reading [s].
        """
        gain = dt / (dt + JOINT_TIME)
        predicted = self._dq + ddq * dt
        self._dq = predicted + gain * (state.dq - predicted)
        R = state.imu_R_base
        acceleration = R @ state.imu_acceleration
        acceleration[2] -= GRAVITY
        p = self._p + dt * self._v + 0.5 * dt * dt * acceleration
        v = self._v + dt * acceleration
        legs = self._legs(state, R, self._dq)
        load = state.foot_wrenches[:, 2] / self._weight
        trust = (load - UNLOADED) / (LOADED - UNLOADED)
        trust = np.minimum(np.maximum(trust, 0.0), 1.0)
        landed = (self.trust == 0.0) & (trust > 0.0)
        self.trust = trust
        # A sole that rocks turns about the point under pressure: its middle moves.
        self._footholds -= dt * legs.rocking
        now = p + legs.p
        for i in np.flatnonzero(landed):
            self._footholds[i] = now[i]
            self._footholds[i, 2] *= 1.0 - FLOOR_SHARE
        # A foot that carries little may still be settling.
        self._footholds += (1.0 - trust)[:, None] * (now - self._footholds)
        total = trust.sum()
        if total > 0.0:
            share = trust / total
            strength = min(1.0, total)
            still = -(share @ (legs.v + legs.rocking))
            v += strength * dt / (dt + VELOCITY_TIME) * (still - v)
            place = share @ (self._footholds - legs.p)
            p += strength * dt / (dt + POSITION_TIME) * (place - p)
        self._p, self._v = p, v
        return self._body_state(state)

    def _legs(self, state: RobotState, R: Array, dq: Array) -> _Legs:
        """Return where the soles are seen from the base, and how they move."""
        zero = np.zeros(3)
        model = self._model
        model.update_positions(
            BodyState(
                world_p_base=zero,
                world_R_base=R,
                q=state.q,
                world_v_base=zero,
                world_w_base=R @ state.imu_angular_velocity,
                dq=dq,
            )
        )
        p = np.array([model.position(frame) for frame in self._frames])
        v = np.array([model.velocity(frame) for frame in self._frames])
        rocking = np.zeros((2, 3))
        force = np.maximum(state.foot_wrenches[:, 2], UNLOADED * self._weight)
        cop = state.foot_wrenches[:, [4, 3]] * (-1.0, 1.0) / force[:, None]
        cop = np.minimum(np.maximum(cop, -self._half), self._half)
        for i, frame in enumerate(self._frames):
            x, y, z = model.rotation(frame)[:, :2] @ cop[i]
            a, b, c = v[i, 3:]
            rocking[i] = (b * z - c * y, c * x - a * z, a * y - b * x)
        return _Legs(p=p, v=v[:, :3], rocking=rocking)

    def _body_state(self, state: RobotState) -> BodyState:
        R = state.imu_R_base
        return BodyState(
            world_p_base=self._p.copy(),
            world_R_base=R,
            q=state.q,
            world_v_base=self._v.copy(),
            world_w_base=R @ state.imu_angular_velocity,
            dq=self._dq.copy(),
        )
