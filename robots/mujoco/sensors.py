"""What a robot feels: encoders, one inertial unit at the base, forces under the soles.

Noise and constant errors are drawn from a seeded generator, so that a run can be
repeated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState

__all__ = ["NO_NOISE", "SensorNoise", "Sensors"]

LEVER = 0.05  # [m] that turns the error of a sole's force into that of its moment


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorNoise:
    """Standard deviations of white noise and of constant errors, and the delay.

    Attributes:
        position: Of encoders [rad]; 17 bits a turn give 5e-5.
        velocity: Of joint velocities [rad/s].
        gyro: [rad/s].
        gyro_bias: Constant over a run [rad/s]; the heading drifts with it.
        accelerometer: [m/s^2].
        accelerometer_bias: Constant over a run [m/s^2].
        attitude: White noise of the unit's own attitude [rad].
        attitude_bias: Constant error of its tilt [rad]; 2e-3 is 0.1 degree.
        force: Of each force of a sole or a thigh, as a share of body weight.
        hand: Of each force at a hand [N].
        delay: Age of a reading when it is read [s].
    """

    position: float = 1e-4
    velocity: float = 0.02
    gyro: float = 0.005
    gyro_bias: float = 0.001
    accelerometer: float = 0.05
    accelerometer_bias: float = 0.03
    attitude: float = 5e-4
    attitude_bias: float = 2e-3
    force: float = 0.01
    hand: float = 0.3
    delay: float = 0.0025


NO_NOISE = SensorNoise(
    position=0.0,
    velocity=0.0,
    gyro=0.0,
    gyro_bias=0.0,
    accelerometer=0.0,
    accelerometer_bias=0.0,
    attitude=0.0,
    attitude_bias=0.0,
    force=0.0,
    hand=0.0,
    delay=0.0,
)


class Sensors:
    """Turns true readings into what the robot's own computer gets."""

    def __init__(self, noise: SensorNoise, *, weight: float, seed: int) -> None:
        """Draw the constant errors.

        Args:
            noise: How bad the sensors are.
            weight: Of the robot [N].
            seed: Of the generator.
        """
        self.noise = noise
        self._rng = np.random.default_rng([seed, 0x5E])
        self._hand_rng = np.random.default_rng([seed, 0xA4])
        self._thigh_rng = np.random.default_rng([seed, 0x71])
        self._gyro_bias = self._rng.normal(size=3) * noise.gyro_bias
        self._acc_bias = self._rng.normal(size=3) * noise.accelerometer_bias
        self._tilt = self._rng.normal(size=3) * noise.attitude_bias
        self._tilt[2] = 0.0
        force = noise.force * weight
        self._wrench_scale = np.array([force] * 3 + [LEVER * force] * 3)

    def read(self, true: RobotState) -> RobotState:
        """Return a reading with noise; where the base is stays unknown."""
        noise, n = self.noise, len(true.q)
        draws = self._rng.standard_normal(21 + 2 * n)
        drift = self._tilt + noise.attitude * draws[:3]
        drift[2] += float(true.imu_world_R_base[2] @ self._gyro_bias) * true.stamp
        gyro = self._gyro_bias + noise.gyro * draws[3:6]
        acceleration = self._acc_bias + noise.accelerometer * draws[6:9]
        wrenches = self._wrench_scale * draws[9:21].reshape(2, 6)
        return RobotState(
            stamp=true.stamp,
            q=true.q + noise.position * draws[21 : 21 + n],
            dq=true.dq + noise.velocity * draws[21 + n :],
            tau=true.tau,
            imu_acceleration=true.imu_acceleration + acceleration,
            imu_angular_velocity=true.imu_angular_velocity + gyro,
            imu_world_R_base=_small_rotation(drift) @ true.imu_world_R_base,
            foot_wrenches=true.foot_wrenches + wrenches,
            hand_wrenches=self._at_hands(true.hand_wrenches),
            thigh_wrenches=self._at_thighs(true.thigh_wrenches),
        )

    def _at_hands(self, true: Array | None) -> Array | None:
        if true is None:
            return None
        draws = self._hand_rng.standard_normal((2, 6))
        draws[:, 3:] *= LEVER
        return true + self.noise.hand * draws

    def _at_thighs(self, true: Array | None) -> Array | None:
        if true is None:
            return None
        return true + self._wrench_scale * self._thigh_rng.standard_normal((2, 6))


def _small_rotation(w: Array) -> Array:
    """Return exp w (3, 3), in scalars: numpy's overhead would cost more than the rest.

    Args:
        w: Rotation vector (3,) [rad].
    """
    x, y, z = w.tolist()
    angle = math.sqrt(x * x + y * y + z * z)
    if angle < 1e-5:
        s, k = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
    else:
        half = math.sin(0.5 * angle) / angle  # 1 - cos without cancellation
        s, k = math.sin(angle) / angle, 2.0 * half * half
    return np.array(
        [
            [1.0 - k * (y * y + z * z), k * x * y - s * z, k * x * z + s * y],
            [k * x * y + s * z, 1.0 - k * (x * x + z * z), k * y * z - s * x],
            [k * x * z - s * y, k * y * z + s * x, 1.0 - k * (x * x + y * y)],
        ]
    )
