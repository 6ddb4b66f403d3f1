"""The operator's frame on a treadmill: it turns with the ring.

A person who turns in the ring asks the robot to turn by walking. What the arms and the
trunk do is therefore seen from the ring: `teleop_R_segment = Rz(-yaw) world_R_segment`.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import rotation_z

__all__ = ["ring_turns_frame"]


def ring_turns_frame(
    frame: HumanFrame,
    yaw: float,
    *,
    yaw_rate: float = 0.0,
    centre: tuple[float, float] = (0.0, 0.0),
) -> HumanFrame:
    """Return a frame as it is seen from the ring.

    Args:
        frame: The person in the world.
        yaw: Heading of the ring since calibration, counter-clockwise [rad].
        yaw_rate: How fast the ring turns [rad/s]; velocities are relative to it.
        centre: Axis of the ring, x and y in the world [m]; it stays where it is.
    """
    teleop_R_world = rotation_z(-yaw)
    turn = np.array([0.0, 0.0, yaw_rate])
    axis = np.array([centre[0], centre[1], 0.0])
    p, v = frame.positions, frame.linear_velocities
    if v is not None and p is not None:
        v = v - np.cross(turn, p - axis)
    return dataclasses.replace(
        frame,
        rotations=teleop_R_world @ frame.rotations,
        angular_velocities=(frame.angular_velocities - turn) @ teleop_R_world.T,
        positions=None if p is None else (p - axis) @ teleop_R_world.T + axis,
        linear_velocities=None if v is None else v @ teleop_R_world.T,
    )
