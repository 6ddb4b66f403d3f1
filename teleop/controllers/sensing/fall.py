"""When a robot is past saving, and what its drives do then."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.terms import Measured

__all__ = ["fall_reason", "limp_torques"]

LOW = 0.7  # of the height that is wanted
TILTED = 0.8  # [rad] of the base from how it should be, if the DCM is astray too
OVER = 1.2  # [rad] of the base from how it should be, whatever the DCM does
ASTRAY = 0.15  # of the height: DCM from the line between the soles' middles
LIMP_DAMPING = 0.1  # [s] of effort per rad/s
LIMP_SHARE = 0.1  # of a joint's velocity that one command takes away at most


def fall_reason(
    measured: Measured, world_R_base: Array, upright: Array, height: float
) -> str:
    """Return why the robot is falling, or "".

    A deep bow is none as long as the DCM is where feet are.

    Args:
        measured: The robot.
        world_R_base: Orientation of the base (3, 3).
        upright: The base's axis (3,) that should point up now.
        height: Wanted of the centre of mass over the lower sole [m].
    """
    (_, _, left), (_, _, right) = measured.sole_p.tolist()
    seen = float(measured.com[2]) - min(left, right)
    if not math.isfinite(seen + left + right):
        return "the state is not finite"
    if seen < LOW * height:
        return f"centre of mass at {seen / height:.0%} of its height"
    tilt = math.acos(min(max(float(world_R_base[2] @ upright), -1.0), 1.0))
    if tilt > OVER or (tilt > TILTED and _from_feet(measured) > ASTRAY * height):
        return f"base tilted by {math.degrees(tilt):.0f} degrees"
    return ""


def _from_feet(measured: Measured) -> float:
    """Return how far the DCM is from the line between the soles' middles [m]."""
    left, right = measured.sole_p[:, :2]
    along, out = right - left, measured.dcm - left
    share = float(along @ out) / max(float(along @ along), 1e-9)
    return float(np.linalg.norm(out - min(max(share, 0.0), 1.0) * along))


def limp_torques(dq: Array, effort: Array, inertia: Array, dt: float) -> Array:
    """Return torques (n,) that only brake: a safe fall.

    Args:
        dq: Velocities (n,); what is not finite counts as 0.
        effort: Of the drives (n,).
        inertia: That each joint moves (n,): light ones are braked less, since a command
            that comes every dt would make them tremble.
        dt: Between two commands [s].
    """
    damping = np.minimum(LIMP_DAMPING * effort, LIMP_SHARE * inertia / dt)
    return np.clip(
        -damping * np.nan_to_num(dq, posinf=0.0, neginf=0.0), -effort, effort
    )
