"""Feet that should stand are judged by the recording, not by the engine's flags."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.metrics.collisions import Collisions
from telexist.retarget.metrics.feet import SoleMotion
from telexist.retarget.metrics.limits import LimitsReport
from telexist.retarget.metrics.playable import obstacles, verdict
from telexist.retarget.metrics.stance import StanceReport, measure_stance
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array

T = 240
TIME = np.arange(T) / 120.0
CORNERS = np.array([[0.1, 0.03, 0], [0.1, -0.03, 0], [-0.1, 0.03, 0], [-0.1, -0.03, 0]])


def standing_person() -> HumanClip:
    size = adult_size()
    rotations = np.tile(np.eye(3), (T, len(SEGMENTS), 1, 1))
    pelvis = np.tile(size.joints["Pelvis"], (T, 1))
    zeros = np.zeros((T, len(SEGMENTS), 3))
    return HumanClip(
        name="made",
        source="test",
        time=TIME,
        rotations=rotations,
        angular_velocities=zeros,
        positions=size.positions(rotations, pelvis),
        linear_velocities=zeros,
        size=size,
    )


def measured(path: Array) -> StanceReport:
    """Measure soles that follow a path (t, 3) and are never said to be planted."""
    sole = SoleMotion(
        centre=path, corners=path[:, None] + CORNERS, planted=np.zeros(T, dtype=bool)
    )
    motion = RobotMotion(
        robot="made",
        source="test",
        time=TIME,
        joint_names=(),
        joint_positions=np.zeros((T, 0)),
        joint_velocities=np.zeros((T, 0)),
        base_position=path,
        base_rotation=np.tile(np.eye(3), (T, 1, 1)),
        contact_left=np.zeros(T, dtype=bool),
        contact_right=np.zeros(T, dtype=bool),
    )
    found = measure_stance(standing_person(), motion, {"left": sole, "right": sole})
    assert found is not None
    return found


def test_soles_in_the_air_or_on_the_move_are_seen_without_any_flag() -> None:
    path = np.zeros((T, 3))
    path[:, 0], path[:, 2] = 0.1 * TIME, 0.03
    found = measured(path)
    assert found.share == pytest.approx(1.0, abs=0.02)
    assert found.slide == pytest.approx(0.1, rel=1e-6)
    assert found.hover == pytest.approx(0.03)
    assert found.held == 0.0
    assert found.floating == 1.0  # it hangs in the air
    fall = np.zeros((T, 3))
    fall[:, 2] = 30.0 - 0.5 * 9.81 * TIME**2
    assert measured(fall).floating == 0.0


def test_the_verdict_names_what_stands_in_the_way() -> None:
    inside = LimitsReport(
        share=0.0,
        share_any=0.0,
        share_by_joint={},
        position_violations=0,
        velocity_violations=0,
        coupling_violations=0,
        worst="",
    )
    standing, free = measured(np.zeros((T, 3))), Collisions(checked=100)
    assert verdict(obstacles(inside, None, free)).startswith("kinematically playable")
    hanging = measured(np.tile([0.0, 0.0, 0.05], (T, 1)))
    line = verdict(obstacles(inside, hanging, Collisions(checked=10, deep_frames=4)))
    assert "hover by 50 mm" in line and "40%" in line and "held" in line
    assert "hover" not in verdict(obstacles(inside, standing, free))
