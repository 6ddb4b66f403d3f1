"""From an intent to what the whole body is asked to do in one control step."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import about_z, rotation_vector
from telexist.teleop.controllers.operator import OperatorPosture
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.terms import (
    FRICTION,
    Intent,
    Measured,
    TaskWeights,
    WholeBodyTasks,
)

__all__ = ["BodyGoals"]


class BodyGoals:
    """Weighs balance, feet, trunk and joints against each other."""

    def __init__(
        self,
        parameters: ControlParameters,
        operator: OperatorPosture,
        model: DynamicsModel,
    ) -> None:
        """Prepare.

        Args:
            parameters: Of the robot.
            operator: What the operator's posture asks.
            model: The robot, at its state of the step.
        """
        self._p, self._operator, self._model = parameters, operator, model
        self._weights = TaskWeights()
        self._damping = 2.0 * math.sqrt(parameters.com_height_gain)
        self.reset()

    def reset(self) -> None:
        """Begin at full height."""
        self._crouch = 0.0

    def tasks(
        self,
        intent: Intent,
        measured: Measured,
        state: BodyState,
        com_error: Array,
        dt: float,
        *,
        walking: bool,
        recovering: bool,
    ) -> WholeBodyTasks:
        """Return the goals of the next dt.

        Args:
            intent: What standing or walking decided.
            measured: The robot, with the centre of mass where forces say it is.
            state: Of the robot.
            com_error: Of the computed centre of mass (2,) [m].
            dt: Step [s].
            walking: Whether it walks.
            recovering: Whether it walks to be caught.
        """
        p, weights, joints = self._p, self._weights, self._operator.joints
        joint_weight = joints.weights(walking=walking, dt=dt)
        b, standing = p.body, p.body.standing_com_weight
        less = (b.walking_com_weight / standing) ** joints.walking_share
        weights.com = standing * less
        weights.swing = b.swing_weight
        weights.base = b.recovery_base_weight if recovering else b.base_weight
        share = p.walking.pressure_share if walking else b.standing_share
        com_acc = np.empty(3)
        # The program's pendulum has the computed centre of mass, not the true one.
        com_acc[:2] = p.omega**2 * (measured.com[:2] + com_error - intent.zmp)
        com_acc[2] = self._rise(intent, measured, dt, recovering=recovering)
        return WholeBodyTasks(
            com_acc=com_acc,
            angular_rate=-p.angular_gain * measured.angular_momentum,
            feet=intent.feet,
            base_acc=self._base_acceleration(intent, state),
            joint_acc=joints.accelerations(state, self._model),
            joint_weight=joint_weight,
            sole_share=share,
            friction=b.recovery_friction if recovering else FRICTION,
            weights=weights,
        )

    def _rise(
        self, intent: Intent, measured: Measured, dt: float, *, recovering: bool
    ) -> float:
        """Return the vertical acceleration of the centre of mass [m/s^2]."""
        p, b, trunk = self._p, self._p.body, self._operator.trunk
        goal, time = 0.0, b.rise_time
        if recovering:
            goal, time = b.crouch * p.com_height, b.crouch_time
        self._crouch += dt / (dt + time) * (goal - self._crouch)
        height = intent.floor + trunk.height - self._crouch - float(measured.com[2])
        speed = trunk.rate - float(measured.com_vel[2])
        rise = trunk.rise + p.com_height_gain * height + self._damping * speed
        return min(max(rise, -b.most_rise), b.most_rise)

    def _base_acceleration(self, intent: Intent, state: BodyState) -> Array:
        """Return the base's angular acceleration (3,) [rad/s^2]."""
        trunk, heading = self._operator.trunk, about_z(intent.yaw)
        turn = rotation_vector(heading @ trunk.floor_R_base @ state.world_R_base.T)
        spin = heading @ trunk.turn_rate - state.world_w_base
        b = self._p.body
        return b.base_stiffness * turn + b.base_damping * spin
