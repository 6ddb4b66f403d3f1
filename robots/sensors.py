"""What a robot feels: encoders, one inertial unit at the base, forces under the soles.

Noise and constant errors are drawn from a seeded generator, so that a run can be
repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from retarget.so3 import Array, exp_so3
from robots.interface import RobotState

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
        force: Of each force of a sole, as a share of body weight.
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
        self._gyro_bias = self._rng.normal(size=3) * noise.gyro_bias
        self._acc_bias = self._rng.normal(size=3) * noise.accelerometer_bias
        self._tilt = self._rng.normal(size=3) * noise.attitude_bias
        self._tilt[2] = 0.0
        force = noise.force * weight
        self._wrench_scale = np.array([force] * 3 + [LEVER * force] * 3)

    def read(self, true: RobotState) -> RobotState:
        """Return a reading with noise; where the base is stays unknown."""
        noise, normal = self.noise, self._rng.standard_normal
        n = len(true.q)
        drift = self._tilt + noise.attitude * normal(3)
        drift[2] += (true.imu_R_base @ self._gyro_bias)[2] * true.stamp
        w = true.imu_angular_velocity + self._gyro_bias + noise.gyro * normal(3)
        acc = true.imu_acceleration + self._acc_bias + noise.accelerometer * normal(3)
        wrenches = true.foot_wrenches + self._wrench_scale * normal((2, 6))
        return replace(
            true,
            q=true.q + noise.position * normal(n),
            dq=true.dq + noise.velocity * normal(n),
            imu_angular_velocity=w,
            imu_acceleration=acc,
            imu_R_base=_small_rotation(drift) @ true.imu_R_base,
            foot_wrenches=wrenches,
            world_p_base=None,
            world_R_base=None,
            base_v=None,
            base_w=None,
        )


def _small_rotation(w: Array) -> Array:
    return exp_so3(w) if np.any(w) else np.eye(3)
