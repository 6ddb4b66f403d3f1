"""Whether the joints stay inside their limits, and how often they are at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from telexist.retarget.metrics.link_motion import joints_in_order
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array

__all__ = ["LimitsReport", "measure_limits"]

AT_LIMIT = 1e-3  # [rad] or [m] nearer than this is "at" a limit
SPEED_FACTOR = 1.001  # of a velocity limit, for rounding
COUPLING_TOLERANCE = 1e-9  # [rad] rounding of a sum of a few joints


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsReport:
    """Limits touched and limits broken.

    Attributes:
        share: Share of all samples of joints that move in which the joint is at one
            of its position limits.
        share_any: Share of time in which at least one joint is.
        share_by_joint: Share of time for each joint that is ever at a limit.
        position_violations: Samples beyond a position limit, without tolerance.
        velocity_violations: Samples beyond a velocity limit times 1.001, in the saved
            velocities or the differences of the saved positions.
        coupling_violations: Samples beyond a coupling between joints.
        worst: Name of the joint or coupling broken most often; empty if none is.
    """

    share: float
    share_any: float
    share_by_joint: Mapping[str, float]
    position_violations: int
    velocity_violations: int
    coupling_violations: int
    worst: str

    @property
    def violations(self) -> int:
        """All samples beyond any limit."""
        return (
            self.position_violations
            + self.velocity_violations
            + self.coupling_violations
        )

    def to_json(self) -> dict[str, object]:
        """Return plain tables."""
        return {
            "share_at_limits": self.share,
            "share_of_time_any_joint_at_limit": self.share_any,
            "share_at_limits_by_joint": dict(self.share_by_joint),
            "position_violations": self.position_violations,
            "velocity_violations": self.velocity_violations,
            "coupling_violations": self.coupling_violations,
            "worst": self.worst,
        }


def measure_limits(body: RobotBody, motion: RobotMotion) -> LimitsReport:
    """Hold a motion against the robot's limits."""
    names = body.kinematics.joints
    q = joints_in_order(body, motion, motion.joint_positions)
    dq = joints_in_order(body, motion, motion.joint_velocities)
    moving = [i for i, name in enumerate(names) if name not in body.locked]
    at = (q - body.lower < AT_LIMIT) | (body.upper - q < AT_LIMIT)
    at = at[:, moving]
    shares = at.mean(axis=0)
    beyond = (q < body.lower) | (q > body.upper)
    fast = _too_fast(q, dq, motion.time, body.velocity)
    sums, labels = _coupling_breaks(body, q)
    counts = dict(zip(names, (beyond | fast).sum(axis=0).tolist(), strict=True))
    counts |= dict(zip(labels, sums.sum(axis=0).tolist(), strict=True))
    worst = max(counts, key=lambda name: counts[name], default="")
    return LimitsReport(
        share=float(at.mean()) if at.size else 0.0,
        share_any=float(at.any(axis=1).mean()) if at.size else 0.0,
        share_by_joint={
            names[i]: float(s) for i, s in zip(moving, shares, strict=True) if s > 0.0
        },
        position_violations=int(beyond.sum()),
        velocity_violations=int(fast.sum()),
        coupling_violations=int(sums.sum()),
        worst=worst if counts.get(worst, 0) else "",
    )


def _too_fast(q: Array, dq: Array, time: Array, velocity: Array) -> np.ndarray:
    allowed = velocity * SPEED_FACTOR
    fast = np.abs(dq) > allowed
    if len(time) > 1:
        fast[1:] |= np.abs(np.diff(q, axis=0)) > allowed * np.diff(time)[:, None]
    return fast


def _coupling_breaks(body: RobotBody, q: Array) -> tuple[np.ndarray, list[str]]:
    broken = np.zeros((len(q), len(body.couplings)), dtype=bool)
    for k, coupling in enumerate(body.couplings):
        columns = [body.kinematics.index(name) for name in coupling.joints]
        total = q[:, columns] @ np.array(coupling.coefficients)
        broken[:, k] = (total < coupling.lower - COUPLING_TOLERANCE) | (
            total > coupling.upper + COUPLING_TOLERANCE
        )
    return broken, [" + ".join(coupling.joints) for coupling in body.couplings]
