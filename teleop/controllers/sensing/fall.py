"""When a robot is past saving, and what its drives do then."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import FallParameters
from telexist.teleop.controllers.terms import Measured

__all__ = ["fall_reason", "limp_torques"]


def fall_reason(
    measured: Measured,
    world_R_base: Array,
    upright: Array,
    height: float,
    parameters: FallParameters,
) -> str:
    """Return why the robot is falling, or "".

    A deep bow is none as long as the DCM is where feet are.

    Args:
        measured: The robot.
        world_R_base: Orientation of the base (3, 3).
        upright: The base's axis (3,) that should point up now.
        height: Wanted of the centre of mass over the lower sole [m].
        parameters: When a robot falls.
    """
    p = parameters
    (_, _, left), (_, _, right) = measured.sole_p.tolist()
    seen = float(measured.com[2]) - min(left, right)
    if not math.isfinite(seen + left + right):
        return "the state is not finite"
    if seen < p.low * height:
        return f"centre of mass at {seen / height:.0%} of its height"
    tilt = math.acos(min(max(float(world_R_base[2] @ upright), -1.0), 1.0))
    if tilt > p.over or (tilt > p.tilted and _from_feet(measured) > p.astray * height):
        return f"base tilted by {math.degrees(tilt):.0f} degrees"
    return ""


def _from_feet(measured: Measured) -> float:
    """Return how far the DCM is from the line between the soles' middles [m]."""
    left, right = measured.sole_p[:, :2]
    along, out = right - left, measured.dcm - left
    share = float(along @ out) / max(float(along @ along), 1e-9)
    return float(np.linalg.norm(out - min(max(share, 0.0), 1.0) * along))


def limp_torques(
    dq: Array,
    effort: Array,
    inertia: Array,
    dt: float,
    parameters: FallParameters,
) -> Array:
    """Return torques (n,) that only brake: a safe fall.

    Args:
        dq: Velocities (n,); what is not finite counts as 0.
        effort: Of the drives (n,).
        inertia: That each joint moves (n,): light ones are braked less, since a command
            that comes every dt would make them tremble.
        dt: Between two commands [s].
        parameters: How hard they brake.
    """
    p = parameters
    damping = np.minimum(p.damping * effort, p.share * inertia / dt)
    return np.clip(
        -damping * np.nan_to_num(dq, posinf=0.0, neginf=0.0), -effort, effort
    )
