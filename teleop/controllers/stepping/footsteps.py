"""Footsteps of a unicycle: the next foothold from where a foot stands and a command."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.teleop.controllers.parameters import ControlParameters, GaitParameters
from telexist.teleop.controllers.stepping.gait import fastest_walk
from telexist.teleop.controllers.terms import Measured
from telexist.teleop.terms import WalkCommand

__all__ = [
    "LEFT",
    "RIGHT",
    "Foothold",
    "clip_command",
    "first_stance",
    "nearer_foot",
    "next_foothold",
    "planar_rotation",
    "side_by_side",
    "side_of",
    "standing_foothold",
    "step_bounds",
    "turned_towards",
]

LEFT, RIGHT = 0, 1  # row of a foot in all arrays of two


@dataclass(frozen=True, slots=True)
class Foothold:
    """Where a sole's middle stands: place (2,) [m], heading [rad], which foot."""

    p: Array
    yaw: float
    foot: int


def planar_rotation(yaw: float) -> Array:
    """Return the rotation of the plane (2, 2)."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s], [s, c]])


def side_of(foot: int) -> float:
    """Return 1 for the left foot, -1 for the right one: the sign of its y."""
    return 1.0 if foot == LEFT else -1.0


def standing_foothold(measured: Measured, foot: int) -> Foothold:
    """Return where a foot stands now."""
    return Foothold(measured.pivot(foot), float(measured.sole_yaw[foot]), foot)


def clip_command(
    command: WalkCommand, parameters: ControlParameters
) -> tuple[WalkCommand, bool]:
    """Bound a command to what steps can do; not finite counts as 0.

    Returns:
        The command, and whether it had to be changed.
    """
    period = parameters.single_support + parameters.double_support
    sideways = parameters.foot_spacing - parameters.min_step_width
    limits = (
        fastest_walk(parameters),
        parameters.gait.sideways * sideways / period,
        parameters.max_step_turn / period,
    )
    asked = (float(command.vx), float(command.vy), float(command.wz))
    vx, vy, wz = (
        _cut(value, limit) for value, limit in zip(asked, limits, strict=True)
    )
    vx = max(vx, -parameters.gait.backwards * limits[0])
    return WalkCommand(vx=vx, vy=vy, wz=wz), (vx, vy, wz) != asked


def _cut(value: float, limit: float) -> float:
    return 0.0 if math.isnan(value) else min(max(value, -limit), limit)


def next_foothold(
    stance: Foothold, command: WalkCommand, parameters: ControlParameters
) -> Foothold:
    """Return the foothold that brings the robot on by one step.

    The point between the feet moves like a unicycle that can also slide sideways.
    """
    period = parameters.single_support + parameters.double_support
    half = 0.5 * parameters.foot_spacing * side_of(stance.foot)
    turn = command.wz * period
    R = planar_rotation(stance.yaw)
    middle = stance.p - R @ np.array([0.0, half])
    travel = np.array([command.vx, command.vy]) * period
    middle = middle + planar_rotation(stance.yaw + 0.5 * turn) @ travel
    yaw = stance.yaw + turn
    p = middle - planar_rotation(yaw) @ np.array([0.0, half])
    low, high = step_bounds(stance.foot, parameters)
    inside = np.clip(R.T @ (p - stance.p), low, high)
    return Foothold(stance.p + R @ inside, yaw, 1 - stance.foot)


def step_bounds(stance_foot: int, parameters: ControlParameters) -> tuple[Array, Array]:
    """Return where the other foot may go, in the stance foot's axes (2,), (2,) [m]."""
    ahead = parameters.max_step_length
    near, far = parameters.min_step_width, parameters.max_step_width
    if stance_foot == LEFT:
        return np.array([-ahead, -far]), np.array([ahead, -near])
    return np.array([-ahead, near]), np.array([ahead, far])


def first_stance(command: WalkCommand) -> int:
    """Return the foot to stand on first: the other one leads the way."""
    if abs(command.vy) > 1e-3:
        return RIGHT if command.vy > 0.0 else LEFT
    if abs(command.wz) > 1e-3:
        return RIGHT if command.wz > 0.0 else LEFT
    return LEFT


def nearer_foot(measured: Measured) -> int:
    """Return the foot nearer to the DCM: it can carry, the other can step."""
    distance = np.linalg.norm(measured.sole_p[:, :2] - measured.dcm, axis=1)
    return int(np.argmin(distance))


def side_by_side(
    old: Foothold, new: Foothold, spacing: float, tolerance: float
) -> bool:
    """Return whether the feet stand beside each other, as for standing.

    Args:
        old: One foot.
        new: The other.
        spacing: That they should have [m].
        tolerance: Ahead [m]; twice as much aside.
    """
    ahead, aside = planar_rotation(old.yaw).T @ (new.p - old.p)
    return abs(ahead) < tolerance and abs(abs(aside) - spacing) < 2.0 * tolerance


def turned_towards(
    yaw: float, stance: float, step: float, dt: float, gait: GaitParameters
) -> float:
    """Return the base's heading [rad] dt later: it goes to the middle of the feet's.

    Args:
        yaw: Of the base now.
        stance: Of the stance foot.
        step: Of the foot that steps, where it will land.
        dt: [s].
        gait: How fast the base may turn.
    """
    middle = stance + 0.5 * _wrapped(step - stance)
    wanted = gait.turn_gain * _wrapped(middle - yaw)
    rate = np.clip(wanted, -gait.turn_rate, gait.turn_rate)
    return yaw + float(rate) * dt


def _wrapped(angle: float) -> float:
    return float(np.arctan2(np.sin(angle), np.cos(angle)))
