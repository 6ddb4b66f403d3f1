"""What the world does to a robot and its controller does not know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.errors import BadInput
from telexist.retarget.so3 import Array, exp_so3, quat_wxyz_from_rotation
from telexist.robots.mujoco.model import MujocoModel
from telexist.robots.mujoco.robot_spec import FLOOR_FRICTION

__all__ = ["Disturbances", "disturb"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbances:
    """Differences between the simulated world and the controller's model.

    Attributes:
        mass_scale: Factor on all masses and inertias.
        joint_friction: Dry friction added to every joint [N m], at most a tenth of
            the joint's effort so that wrists are not welded.
        floor_friction: Coefficient between soles and floor.
        torque_delay: From command to torque [s].
        slope: Angle by which the floor rises along world x [rad].
        drive_effort: Factor on the greatest torques of the drives.
        side_slope: Angle by which the floor rises along world y [rad].
    """

    mass_scale: float = 1.0
    joint_friction: float = 0.0
    floor_friction: float = FLOOR_FRICTION
    torque_delay: float = 0.0
    slope: float = 0.0
    drive_effort: float = 1.0
    side_slope: float = 0.0

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            BadInput: If one of them has no meaning.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if not np.isfinite(value):
                raise BadInput(f"{field.name} must be finite, not {value}")
        if self.mass_scale <= 0.0:
            raise BadInput(f"mass_scale must be positive, not {self.mass_scale}")
        for name in (
            "joint_friction",
            "floor_friction",
            "torque_delay",
            "drive_effort",
        ):
            if getattr(self, name) < 0.0:
                raise BadInput(f"{name} must not be negative: {getattr(self, name)}")

    @property
    def floor(self) -> tuple[float, float, float]:
        """What is of the floor and not of a robot: its slopes and its friction."""
        return self.slope, self.side_slope, self.floor_friction

    @property
    def world_R_floor(self) -> Array:  # noqa: N802
        """Axes of the floor (3, 3): z is its normal."""
        return exp_so3(np.array([self.side_slope, -self.slope, 0.0]))


def disturb(robots: Iterable[tuple[MujocoModel, Disturbances]]) -> Any:
    """Return a changed copy of the compiled model that some robots share.

    Args:
        robots: Each robot with what its controller does not know.

    Raises:
        BadInput: If they differ about the floor, which is one.
    """
    robots = list(robots)
    model = robots[0][0].model.__copy__()
    for robot, disturbances in robots:
        if disturbances.floor != robots[0][1].floor:
            raise BadInput("robots in one world stand on one floor: the same slopes")
        _disturb(model, robot, disturbances)
    floor, on_floor = robots[0][0].floor_geom, robots[0][1]
    model.geom_quat[floor] = quat_wxyz_from_rotation(on_floor.world_R_floor)
    model.geom_friction[floor, 0] = on_floor.floor_friction
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def _disturb(model: Any, robot: MujocoModel, disturbances: Disturbances) -> None:
    model.body_mass[robot.bodies] *= disturbances.mass_scale
    model.body_inertia[robot.bodies] *= disturbances.mass_scale
    added = np.minimum(disturbances.joint_friction, 0.1 * robot.actuators.effort)
    model.dof_frictionloss[robot.dof_of_joints] += added
    model.actuator_forcerange[robot.drives] *= disturbances.drive_effort
    for geom in robot.sole_geoms.values():
        model.geom_friction[geom, 0] = disturbances.floor_friction
