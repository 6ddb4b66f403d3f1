"""Limits for every joint: the robot.toml's, else the model's, else stated defaults.

Models are often silent or carry dummies (velocities of 0, 100 or 50000 rad/s). An
engine that bounds speed needs numbers, so the gaps are filled with the defaults below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.robot_body import Mimic
from telexist.retarget.so3 import Array
from telexist.robots.description.spec import LimitSpec
from telexist.robots.urdf import Joint, Urdf

__all__ = ["BodyLimits", "joint_limits", "keep_followers_inside"]

REVOLUTE_RANGE = np.pi  # [rad] either way, where a model states none
CONTINUOUS_RANGE = 4.0 * np.pi  # [rad] two turns either way: finite, never in the way
PRISMATIC_RANGE = 1.0  # [m] either way
REVOLUTE_SPEED = 8.0  # [rad/s] typical of humanoids: Talos 4, iCub legs 5 to 8, NAO 8
PRISMATIC_SPEED = 0.5  # [m/s]
DUMMY_SPEED = 100.0  # [rad/s] or [m/s] no humanoid's joint reaches it
DUMMY_RANGE = 100.0  # [rad] or [m]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyLimits:
    """Limits of all joints (n,) and the names of those that got a default.

    Attributes:
        lower: Lower position limits (n,) [rad] or [m].
        upper: Upper position limits (n,).
        velocity: Velocity limits (n,) [rad/s] or [m/s].
        default_position: Joints whose position limits are the defaults here.
        default_velocity: Joints whose velocity limit is the default here.
    """

    lower: Array
    upper: Array
    velocity: Array
    default_position: tuple[str, ...]
    default_velocity: tuple[str, ...]


def joint_limits(
    urdf: Urdf, joints: Sequence[str], stated: Mapping[str, LimitSpec]
) -> BodyLimits:
    """Return finite limits for `joints`, in their order."""
    rows = [_row(urdf.joints[name], stated.get(name, LimitSpec())) for name in joints]
    table = np.array([row[:3] for row in rows]).reshape(len(joints), 3)
    return BodyLimits(
        lower=table[:, 0].copy(),
        upper=table[:, 1].copy(),
        velocity=table[:, 2].copy(),
        default_position=tuple(j for j, r in zip(joints, rows, strict=True) if r[3]),
        default_velocity=tuple(j for j, r in zip(joints, rows, strict=True) if r[4]),
    )


def _row(joint: Joint, stated: LimitSpec) -> tuple[float, float, float, bool, bool]:
    slides = joint.kind == "prismatic"
    reach = REVOLUTE_RANGE
    if slides:
        reach = PRISMATIC_RANGE
    elif joint.kind == "continuous":
        reach = CONTINUOUS_RANGE
    lower = _first(stated.lower, _sane(joint.limits.lower))
    upper = _first(stated.upper, _sane(joint.limits.upper))
    speed = _first(stated.velocity, _sane_speed(joint.limits.velocity))
    return (
        -reach if lower is None else lower,
        reach if upper is None else upper,
        (PRISMATIC_SPEED if slides else REVOLUTE_SPEED) if speed is None else speed,
        lower is None or upper is None,
        speed is None,
    )


def _first(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def _sane(position: float | None) -> float | None:
    return None if position is None or abs(position) > DUMMY_RANGE else position


def _sane_speed(speed: float | None) -> float | None:
    return None if speed is None or not 0.0 < speed < DUMMY_SPEED else speed


def keep_followers_inside(
    limits: BodyLimits, joints: Sequence[str], mimics: Iterable[Mimic]
) -> BodyLimits:
    """Tighten leaders' limits until their followers stay inside their own.

    A follower that no position of its leader brings inside widens its own limits
    instead: the mechanism is stronger than the number.
    """
    lower, upper = limits.lower.copy(), limits.upper.copy()
    velocity = limits.velocity.copy()
    index = {name: i for i, name in enumerate(joints)}
    for mimic in mimics:
        i, j = index[mimic.leader], index[mimic.joint]
        a, b = mimic.multiplier, mimic.offset
        ends = sorted(((lower[j] - b) / a, (upper[j] - b) / a))
        low, high = max(lower[i], ends[0]), min(upper[i], ends[1])
        if low <= high:
            lower[i], upper[i] = low, high
        velocity[i] = min(velocity[i], velocity[j] / abs(a))
    for mimic in mimics:
        i, j = index[mimic.leader], index[mimic.joint]
        a, b = mimic.multiplier, mimic.offset
        lower[j], upper[j] = sorted((a * lower[i] + b, a * upper[i] + b))
        velocity[j] = max(velocity[j], abs(a) * velocity[i])
    return BodyLimits(
        lower=lower,
        upper=upper,
        velocity=velocity,
        default_position=limits.default_position,
        default_velocity=limits.default_velocity,
    )
