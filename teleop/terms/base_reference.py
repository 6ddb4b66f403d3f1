"""Where the operator's motion brings the robot's base."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.so3 import Array

__all__ = ["BaseReference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseReference:
    """The base of the retargeted motion, smoothed, from where the robot was engaged.

    Attributes:
        world_p_base: Position (3,) [m]; its height is that over the floor.
        world_R_base: Orientation (3, 3).
        world_v_base: Velocity of the base's origin, world axes (3,) [m/s].
        world_w_base: Angular velocity, world axes (3,) [rad/s].
    """

    world_p_base: Array
    world_R_base: Array
    world_v_base: Array
    world_w_base: Array
