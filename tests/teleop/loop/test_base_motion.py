"""The way of the operator's base: smooth, from where the robot is."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation
from telexist.retarget.kinematics import Configuration
from telexist.retarget.signals import RobotFrame
from telexist.teleop.loop.base_motion import BaseMotion

DT = 0.001  # [s]


def frame(time: float) -> RobotFrame:
    """Return somebody who walks a curve somewhere in the room, bowing."""
    angles = [0.1 * np.sin(time), 0.3 * np.sin(2.0 * time), 2.5 + time]
    return RobotFrame(
        stamp=time,
        q=np.zeros(1),
        dq=np.zeros(1),
        world_p_base=np.array([5.0 + time, -3.0 + 0.2 * time, 0.7]),
        world_R_base=Rotation.from_euler("xyz", angles).as_matrix(),
        planted=(True, True),
    )


def test_velocities_are_those_of_the_way_and_it_begins_where_the_robot_is() -> None:
    neutral = Configuration(
        world_p_base=np.array([0.0, 0.0, 0.8]), world_R_base=np.eye(3), q=np.zeros(1)
    )
    motion = BaseMotion(neutral, 0.2)
    before = motion.value
    for k in range(4000):
        motion.follow(frame(k * DT), DT)
        now = motion.value
        moved = now.world_p_base - before.world_p_base
        assert np.abs(moved / DT - now.world_v_base).max() < 0.05  # [m/s] of one step
        turned = Rotation.from_matrix(now.world_R_base @ before.world_R_base.T)
        assert np.abs(turned.as_rotvec() / DT - now.world_w_base).max() < 0.05
        before = now
    # 4 s at (1, 0.2) m/s, seen from a heading that was 2.5 rad: no more than smoothing.
    way = Rotation.from_euler("z", -2.5).apply([4.0, 0.8, 0.0])
    assert np.linalg.norm(before.world_p_base[:2] - way[:2]) < 0.3
    assert abs(before.world_p_base[2] - 0.7) < 0.01
    for _ in range(3000):
        motion.rest(DT)
    assert np.abs(motion.value.world_v_base).max() < 1e-3
    assert np.abs(motion.value.world_w_base).max() < 1e-3
    there = motion.value.world_p_base
    motion.follow(frame(50.0), DT)  # somewhere else by now: no jump
    assert np.abs(motion.value.world_p_base - there).max() < 1e-3
