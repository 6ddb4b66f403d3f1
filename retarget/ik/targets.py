"""What inverse kinematics should reach: orientations of links, places of points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array, exp_so3, log_so3

__all__ = ["FloorGuard", "OrientationTargets", "PointTarget", "Targets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OrientationTargets:
    """Wanted orientations of k links at the end of the step.

    Attributes:
        frames: Numbers of the links (k,), see `Kinematics.frame`.
        world_R_link: Wanted orientations (k, 3, 3).
        angular_velocities: How fast they turn over the step, world axes (k, 3)
            [rad/s].
        axes: `world_R_axes` (k, 3, 3), the axes in which `weights` are given.
        weights: Of the squared error [1/rad^2] about each of those axes (k, 3).
    """

    frames: tuple[int, ...]
    world_R_link: Array
    angular_velocities: Array
    axes: Array
    weights: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PointTarget:
    """Wanted place of a point of a link at the end of the step.

    Attributes:
        frame: Number of the link.
        link_p_point: The point (3,) [m].
        world_p_goal: Where it should be (3,) [m]; entries with weight 0 are ignored.
        weights: Of the squared error [1/m^2] along world x, y, z (3,).
    """

    frame: int
    link_p_point: Array
    world_p_goal: Array
    weights: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorGuard:
    """Points of a link that must not sink below the floor z = 0.

    Attributes:
        frame: Number of the link.
        link_p_points: The points (c, 3) [m].
    """

    frame: int
    link_p_points: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """All targets of one step."""

    orientations: OrientationTargets
    points: tuple[PointTarget, ...] = ()
    floor: tuple[FloorGuard, ...] = ()

    def leftovers(self, world_R_link: Array, gain: float, dt: float) -> Array:
        """Return the orientation errors (k, 3) that may be left after this step.

        The discrete form of [R] (9), v* = v + K r: with r the error at the start of
        the step, the links turn with the targets' velocity and the error shrinks by
        exp(-K dt), which is stable for every gain and every dt.

        Args:
            world_R_link: Orientations of the links at the start (k, 3, 3).
            gain: K [1/s].
            dt: Length of the step [s].
        """
        wanted, share = self.orientations, np.exp(-gain * dt)
        if share == 0.0:
            return np.zeros((len(wanted.frames), 3))
        before = exp_so3(-wanted.angular_velocities * dt) @ wanted.world_R_link
        error = log_so3(before @ np.swapaxes(world_R_link, -1, -2))
        return share * error
