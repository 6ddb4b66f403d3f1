"""From an intent to what the whole body is asked to do in one control step."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import about_z, rotation_vector
from telexist.teleop.controllers.operator import OperatorPosture
from telexist.teleop.controllers.parameters import ControlParameters
from telexist.teleop.controllers.stepping import WALKING_SHARE
from telexist.teleop.controllers.terms import (
    FRICTION,
    Intent,
    Measured,
    TaskWeights,
    WholeBodyTasks,
)

__all__ = ["BodyGoals"]

BASE_STIFFNESS, BASE_DAMPING = 80.0, 18.0  # [1/s^2], [1/s] of the base's orientation
STANDING_COM_WEIGHT = 1e4  # whatever the operator's joints do, balance comes first
WALKING_COM_WEIGHT = 1e3  # the swing leg must come along
SWING_WEIGHT = 100.0  # of a foot that steps
BASE_WEIGHT, HURRIED_BASE_WEIGHT = 20.0, 40.0  # of the base's tilt
STANDING_SHARE = 0.9  # of the soles, for the centre of pressure
HURRIED_FRICTION = 0.5  # of the floor that is trusted when the robot would fall
MOST_RISE = 4.0  # [m/s^2] of the centre of mass, up or down
CROUCH = 0.05  # of the height by which a robot that is to be caught goes down
CROUCH_TIME = 0.05  # [s] in which it does
RISE_TIME = 0.5  # [s] in which it comes up again


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
        hurry: bool,
    ) -> WholeBodyTasks:
        """Return the goals of the next dt.

        Args:
            intent: What standing or walking decided.
            measured: The robot, with the centre of mass where forces say it is.
            state: Of the robot.
            com_error: Of the computed centre of mass (2,) [m].
            dt: Step [s].
            walking: Whether it walks.
            hurry: Whether it walks to be caught.
        """
        p, weights, joints = self._p, self._weights, self._operator.joints
        joint_weight = joints.weights(walking=walking, dt=dt)
        less = (WALKING_COM_WEIGHT / STANDING_COM_WEIGHT) ** joints.walking_share
        weights.com = STANDING_COM_WEIGHT * less
        weights.swing = SWING_WEIGHT
        weights.base = HURRIED_BASE_WEIGHT if hurry else BASE_WEIGHT
        com_acc = np.empty(3)
        # The program's pendulum has the computed centre of mass, not the true one.
        com_acc[:2] = p.omega**2 * (measured.com[:2] + com_error - intent.zmp)
        com_acc[2] = self._rise(intent, measured, dt, hurry=hurry)
        return WholeBodyTasks(
            com_acc=com_acc,
            angular_rate=-p.angular_gain * measured.angular_momentum,
            feet=intent.feet,
            base_acc=self._base_acceleration(intent, state),
            joint_acc=joints.accelerations(state, self._model),
            joint_weight=joint_weight,
            sole_share=WALKING_SHARE if walking else STANDING_SHARE,
            friction=HURRIED_FRICTION if hurry else FRICTION,
            weights=weights,
        )

    def _rise(
        self, intent: Intent, measured: Measured, dt: float, *, hurry: bool
    ) -> float:
        """Return the vertical acceleration of the centre of mass [m/s^2]."""
        p, trunk = self._p, self._operator.trunk
        goal, time = (CROUCH * p.com_height, CROUCH_TIME) if hurry else (0.0, RISE_TIME)
        self._crouch += dt / (dt + time) * (goal - self._crouch)
        height = intent.floor + trunk.height - self._crouch - float(measured.com[2])
        speed = trunk.rate - float(measured.com_vel[2])
        rise = trunk.rise + p.com_height_gain * height + self._damping * speed
        return min(max(rise, -MOST_RISE), MOST_RISE)

    def _base_acceleration(self, intent: Intent, state: BodyState) -> Array:
        """Return the base's angular acceleration (3,) [rad/s^2]."""
        trunk, heading = self._operator.trunk, about_z(intent.yaw)
        turn = rotation_vector(heading @ trunk.floor_R_base @ state.world_R_base.T)
        spin = heading @ trunk.turn_rate - state.world_w_base
        return BASE_STIFFNESS * turn + BASE_DAMPING * spin
