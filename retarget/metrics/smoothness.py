"""How fast and how abruptly the joints move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.metrics.spread import Spread
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["JointMotionReport", "measure_joint_motion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JointMotionReport:
    """Speed and jerk of the joints that move.

    Attributes:
        speed: Of all samples [rad/s]; prismatic joints count in [m/s].
        jerk_rms: Third difference of the positions [rad/s^3]; None below 4 frames.
        jerk_p99: Its 99th percentile in size [rad/s^3].
    """

    speed: Spread | None
    jerk_rms: float | None
    jerk_p99: float | None

    def to_json(self) -> dict[str, object]:
        """Return plain tables, units in the keys."""
        return {
            "speed_rad_s": self.speed.to_json() if self.speed else None,
            "jerk_rms_rad_s3": self.jerk_rms,
            "jerk_p99_rad_s3": self.jerk_p99,
        }


def measure_joint_motion(body: RobotBody, motion: RobotMotion) -> JointMotionReport:
    """Measure speed and jerk; locked joints are left out."""
    moving = [k for k, name in enumerate(motion.joint_names) if name not in body.locked]
    jerk = _jerk(motion.joint_positions[:, moving], motion.time)
    return JointMotionReport(
        speed=Spread.of(np.abs(motion.joint_velocities[:, moving])),
        jerk_rms=float(np.sqrt(np.mean(jerk**2))) if jerk.size else None,
        jerk_p99=float(np.percentile(np.abs(jerk), 99.0)) if jerk.size else None,
    )


def _jerk(q: Array, time: Array) -> Array:
    """Return the third derivative of the cubic through every four samples (t - 3, n).

    Six times the third divided difference: exact for cubics at any spacing.
    """
    differences = q
    for order in range(1, 4):
        if len(differences) < 2:
            return np.empty((0, q.shape[1]))
        gaps = time[order:] - time[:-order]
        differences = np.diff(differences, axis=0) / gaps[:, None]
    return 6.0 * differences
