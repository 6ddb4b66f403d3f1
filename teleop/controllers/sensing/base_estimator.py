"""Where the base is, from what a real robot has: encoders, one IMU, forces under feet.

Attitude and turning come from the IMU. Position and velocity are integrated from its
accelerometer and pulled to what the loaded legs say: the point of a sole at which it
carries weight stands still, also when the sole rocks on its edge. A foot that has just
landed, or that moves against what the accelerometer says, counts less: it may slip.
Joint velocities are smoothed with the accelerations that the controller itself asked
for, unless a push makes them differ by more than noise. Soles and floor give under load
after a foot has been believed, which would let the base climb by a millimetre a step:
a foot that lands near the plane in which the other one stands is taken to stand in it.
Heading and place drift slowly, as on any real robot; what matters for balance is
relative to the feet.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from telexist.retarget.compiled import jit_hold_gil, jit_internal
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel

__all__ = ["LOADED", "BaseEstimator"]

UNLOADED, LOADED = 0.05, 0.25  # of body weight: trust in a foot grows from 0 to 1
VELOCITY_TIME = 0.03  # [s] in which the legs' velocity overrules the accelerometer
POSITION_TIME = 0.02  # [s] in which the legs' position overrules the integral
JOINT_TIME = 0.012  # [s] in which measured joint velocities overrule the predicted ones
JOINT_SURPRISE = 0.1  # [rad/s] of a joint velocity that no noise explains
SETTLE_TIME = 0.04  # [s] after landing in which a foot comes to stand
SLIP = 0.15  # [m/s] of a foot that counts half
GIVE = 0.01  # [m] that a foothold may be off the plane of the floor for its give
NORMAL_TIME = 5.0  # [s] in which the plane's normal is learnt from the soles


class BaseEstimator:
    """Keeps a running estimate of the whole state.

    Attributes:
        trust: In the left and the right sole, 0 in the air to 1 (2,).
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Use a model of its own, so that the controller's stays as it is."""
        self._model = model
        self._weight = model.mass * GRAVITY
        soles = (model.robot.body.soles[side] for side in model.sides)
        self._half = np.array([[0.5 * s.length, 0.5 * s.width] for s in soles])
        self.trust = np.ones(2)
        self._p, self._v = np.zeros(3), np.zeros(3)
        self._footholds, self._anchors = np.zeros((2, 3)), np.zeros((2, 3))
        self._rocking, self._pressure = np.zeros((2, 3)), np.zeros((2, 3))
        self._standing_for = np.full(2, SETTLE_TIME)
        self._normal = np.array([0.0, 0.0, 1.0])
        self._dq = np.zeros(model.n)
        self._load_compiled()

    def _load_compiled(self) -> None:
        """Take a step: what is compiled is loaded before time matters."""
        n, zero = self._model.n, np.zeros(3)
        still = RobotState(
            stamp=0.0,
            q=np.zeros(n),
            dq=np.zeros(n),
            tau=np.zeros(n),
            imu_acceleration=zero,
            imu_angular_velocity=zero,
            imu_world_R_base=np.eye(3),
            foot_wrenches=np.zeros((2, 6)),
        )
        self.step(still, np.zeros(n), 1.0)
        self.reset(still)

    def reset(self, state: RobotState) -> BodyState:
        """Start at rest with the soles' middle at the origin."""
        self._dq = np.array(state.dq)
        body_state = self._seen_from_base(state)
        legs = self._model.sole_p
        self._p = -legs.mean(axis=0)
        self._p[2] = -legs[:, 2].min()
        self._v = np.zeros(3)
        self._footholds = self._p + legs
        self._anchors = self._footholds.copy()
        self.trust = np.ones(2)
        self._standing_for = np.full(2, SETTLE_TIME)
        self._normal = self._model.sole_up.mean(axis=0)
        return replace(body_state, world_p_base=self._p.copy())

    def step(self, state: RobotState, ddq: Array, dt: float) -> BodyState:
        """Take a new reading.

        Args:
            state: What the sensors say.
            ddq: Joint accelerations that were asked for since the last reading (n,).
            dt: Time since the last reading [s].
        """
        predicted = self._dq + ddq * dt
        innovation = state.dq - predicted
        gain = dt / (dt + JOINT_TIME) + np.square(innovation / JOINT_SURPRISE)
        self._dq = predicted + np.minimum(gain, 1.0) * innovation
        body_state, model = self._seen_from_base(state), self._model
        wrenches = _owned(state.foot_wrenches)
        least = UNLOADED * self._weight
        _rock(
            model.sole_R,
            model.sole_v,
            wrenches,
            least,
            self._half,
            self._rocking,
            self._pressure,
        )
        _follow(
            body_state.world_R_base,
            _owned(state.imu_acceleration),
            wrenches[:, 2] / self._weight,
            model.sole_p,
            model.sole_v,
            self._rocking,
            dt,
            self._p,
            self._v,
            self._footholds,
            self.trust,
            self._standing_for,
            model.sole_up,
            self._pressure,
            self._anchors,
            self._normal,
        )
        body_state.world_p_base[:] = self._p
        body_state.world_v_base[:] = self._v
        return body_state

    def _seen_from_base(self, state: RobotState) -> BodyState:
        """Return a state with the base's origin at rest at zero; the model is at it."""
        R = _owned(state.imu_world_R_base)
        seen = BodyState(
            world_p_base=np.zeros(3),
            world_R_base=R,
            q=_owned(state.q),
            world_v_base=np.zeros(3),
            world_w_base=R @ state.imu_angular_velocity,
            dq=self._dq.copy(),
        )
        self._model.update_positions(seen)
        return seen


def _owned(values: Array) -> Array:
    """Return a copy that lies in memory as compiled functions know it."""
    return np.array(values, dtype=float, order="C")


@jit_hold_gil
def _rock(
    R: Array,
    v: Array,
    wrenches: Array,
    least: float,
    half: Array,
    rocking: Array,
    pressure: Array,
) -> None:
    """Write what the points under pressure are faster by than the soles' middles.

    Args:
        R: Axes of the soles (2, 3, 3).
        v: Velocities of the soles' middles, linear first (2, 6).
        wrenches: On the soles, in their axes (2, 6).
        least: Force that counts at least [N].
        half: Lengths and widths of the soles, halved (2, 2) [m].
        rocking: Is written (2, 3) [m/s].
        pressure: Is written: those points from the soles' middles (2, 3) [m].
    """
    for i in range(2):
        force = max(wrenches[i, 2], least)
        along = min(max(-wrenches[i, 4] / force, -half[i, 0]), half[i, 0])
        aside = min(max(wrenches[i, 3] / force, -half[i, 1]), half[i, 1])
        x = R[i, 0, 0] * along + R[i, 0, 1] * aside
        y = R[i, 1, 0] * along + R[i, 1, 1] * aside
        z = R[i, 2, 0] * along + R[i, 2, 1] * aside
        pressure[i, 0], pressure[i, 1], pressure[i, 2] = x, y, z
        a, b, c = v[i, 3], v[i, 4], v[i, 5]
        rocking[i, 0] = b * z - c * y
        rocking[i, 1] = c * x - a * z
        rocking[i, 2] = a * y - b * x


@jit_internal
def _height(anchor: Array, normal: Array, x: float, y: float) -> float:
    """Return the height at a place of the plane through an anchor."""
    slope = normal[0] * (x - anchor[0]) + normal[1] * (y - anchor[1])
    return anchor[2] - slope / normal[2]


@jit_internal
def _lay_on_floor(
    footholds: Array,
    pressure: Array,
    anchors: Array,
    i: int,
    trust: Array,
    normal: Array,
) -> None:
    """Keep the point at which a sole carries at the height at which it was believed.

    The sole itself may tip. A foot that lands as near to the other's plane as the
    floor gives is taken to stand in it.
    """
    x, y = footholds[i, 0] + pressure[i, 0], footholds[i, 1] + pressure[i, 1]
    if trust[i] < 1.0:
        anchor = anchors[i]
        anchor[0], anchor[1], anchor[2] = x, y, footholds[i, 2] + pressure[i, 2]
        plane = _height(anchors[1 - i], normal, x, y)
        if trust[1 - i] > 0.0 and abs(anchor[2] - plane) < GIVE:
            anchor[2] = plane
    if trust[i] > 0.0:
        footholds[i, 2] = _height(anchors[i], normal, x, y) - pressure[i, 2]


@jit_hold_gil
def _follow(
    R: Array,
    specific_force: Array,
    load: Array,
    legs: Array,
    legs_v: Array,
    rocking: Array,
    dt: float,
    p: Array,
    v: Array,
    footholds: Array,
    trust: Array,
    standing: Array,
    up: Array,
    pressure: Array,
    anchors: Array,
    normal: Array,
) -> None:
    """Integrate the accelerometer, then pull to what the loaded legs say.

    Args:
        R: Attitude of the base (3, 3).
        specific_force: From the accelerometer (3,) [m/s^2].
        load: Of the soles, in body weights (2,).
        legs: Middles of the soles from the base, world axes (2, 3) [m].
        legs_v: Their velocities from the base, linear first (2, 6).
        rocking: What the points under pressure are faster by (2, 3) [m/s].
        dt: Step [s].
        p: Position of the base (3,) [m]; is changed, as all that follows.
        v: Velocity of the base (3,) [m/s].
        footholds: Where the soles stand (2, 3) [m].
        trust: In the soles (2,).
        standing: How long each sole has carried load (2,) [s].
        up: Where the soles have up (2, 3).
        pressure: Where they carry, from their middles (2, 3) [m].
        anchors: Where they carried when they were believed (2, 3) [m].
        normal: Of the floor (3,).
    """
    for k in range(3):
        acceleration = 0.0 if k < 2 else -GRAVITY
        for m in range(3):
            acceleration += R[k, m] * specific_force[m]
        p[k] += dt * v[k] + 0.5 * dt * dt * acceleration
        v[k] += dt * acceleration
    apart = 0.0
    for k in range(3):
        apart += (legs_v[0, k] + rocking[0, k] - legs_v[1, k] - rocking[1, k]) ** 2
    weight, total = np.empty(2), 0.0
    for i in range(2):
        now = min(max((load[i] - UNLOADED) / (LOADED - UNLOADED), 0.0), 1.0)
        trust[i] = now
        for k in range(3):
            normal[k] += now * dt / (dt + NORMAL_TIME) * (up[i, k] - normal[k])
        standing[i] = standing[i] + dt if now > 0.0 else 0.0
        slip = 0.0
        for k in range(3):
            slip += (legs_v[i, k] + rocking[i, k] + v[k]) ** 2
            here = p[k] + legs[i, k]
            # A sole that rocks turns about the point under pressure: its middle moves.
            footholds[i, k] -= dt * rocking[i, k]
            # A foot that carries little may still be settling.
            footholds[i, k] += (1.0 - now) * (here - footholds[i, k])
        _lay_on_floor(footholds, pressure, anchors, i, trust, normal)
        if load[1 - i] > LOADED:  # feet that agree do not slip: the base moves
            slip = min(slip, apart)
        settled = min(standing[i] / SETTLE_TIME, 1.0)
        weight[i] = now * settled / (1.0 + slip / SLIP**2)
        total += weight[i]
    if total < 1e-6:
        return
    strength = min(1.0, total)
    for k in range(3):
        still = place = 0.0
        for i in range(2):
            share = weight[i] / total
            still -= share * (legs_v[i, k] + rocking[i, k])
            place += share * (footholds[i, k] - legs[i, k])
        v[k] += strength * dt / (dt + VELOCITY_TIME) * (still - v[k])
        p[k] += strength * dt / (dt + POSITION_TIME) * (place - p[k])
