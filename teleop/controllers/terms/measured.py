"""What balancing and walking look at in one control step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel

__all__ = ["Measured", "measure"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The robot in terms of balance; world axes.

    Attributes:
        com: Centre of mass (3,) [m].
        com_vel: Its velocity (3,) [m/s].
        dcm: Divergent component of motion, on the floor (2,) [m].
        angular_momentum: About the centre of mass (3,) [kg m^2/s].
        sole_p: Middles of the left and the right sole (2, 3) [m].
        sole_R: Axes of the soles (2, 3, 3).
        sole_up: Where the soles have up, without a roll that is only the leg's (2, 3).
        sole_edge: From the soles' middles to what of them touches the floor (2, 3) [m].
        sole_v: Velocities of the soles, linear first (2, 6).
        sole_yaw: Headings of the soles (2,) [rad].
        load: Vertical force on each sole, in body weights (2,).
    """

    com: Array
    com_vel: Array
    dcm: Array
    angular_momentum: Array
    sole_p: Array
    sole_R: Array
    sole_up: Array
    sole_edge: Array
    sole_v: Array
    sole_yaw: Array
    load: Array

    def pivot(self, foot: int) -> Array:
        """Return where on the floor a foot stands, or would with its roll (2,) [m]."""
        return self.sole_p[foot, :2] + self.sole_edge[foot, :2]


def measure(model: DynamicsModel, foot_wrenches: Array, omega: float) -> Measured:
    """Collect everything at the model's last update.

    Args:
        model: The robot.
        foot_wrenches: From the sensors (2, 6) [N].
        omega: Of the pendulum [1/s].
    """
    R = model.sole_R.copy()
    return Measured(
        com=model.com.copy(),
        com_vel=model.com_vel.copy(),
        dcm=model.com[:2] + model.com_vel[:2] / omega,
        angular_momentum=model.angular_momentum.copy(),
        sole_p=model.sole_p.copy(),
        sole_R=R,
        sole_up=model.sole_up.copy(),
        sole_edge=model.sole_edge.copy(),
        sole_v=model.sole_v.copy(),
        sole_yaw=np.arctan2(R[:, 1, 0], R[:, 0, 0]),
        load=foot_wrenches[:, 2] / (model.mass * GRAVITY),
    )
