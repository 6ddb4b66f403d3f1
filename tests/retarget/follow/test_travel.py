"""The base travels as the person does: it does not jump when feet are dragged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.recordings.format import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

Body = Callable[[str], RobotBody]

RATE = 120.0  # [Hz]
ABOVE = 0.03  # [m] over the floor at which a person who stands may be recorded
CREEP = 0.1  # [m/s] at which feet count as standing
RISE = 1.0  # [m/s] of a base that gets to its height over a tenth of a second
FASTEST = 2.6  # [m/s] beside the person: 1.0, and a sole that lands from 0.04 m at 40/s


def creeping_person() -> HumanClip:
    """Return a person who stands a little too high and is pushed along, for 2 s."""
    size, t = adult_size(), int(2.0 * RATE)
    time = np.arange(t) / RATE
    rotations = np.tile(np.eye(3), (t, len(SEGMENTS), 1, 1))
    pelvis = np.tile(size.joints["Pelvis"] + [0.0, 0.0, ABOVE], (t, 1))
    pelvis[:, 0] += CREEP * np.maximum(time - 0.5, 0.0)
    positions = size.positions(rotations, pelvis)
    return HumanClip(
        name="made",
        source="test",
        time=time,
        rotations=rotations,
        angular_velocities=np.zeros_like(positions),
        positions=positions,
        linear_velocities=np.gradient(positions, time, axis=0),
        size=size,
    )


def beside_the_person(body: RobotBody, clip: HumanClip) -> Array:
    """Return the base's velocity beside the person's on its scale (t - 1, 3)."""
    motion = Retargeter(body, clip.size).run(clip)
    scale = body.leg_length / clip.size.leg_length
    person = scale * clip.positions[:, SEGMENTS.index("Pelvis")]
    away: Array = np.diff(motion.base_position - person, axis=0)
    return away / np.diff(clip.time)[:, None]


@pytest.mark.parametrize("name", ["icub", "g1", "talos", "human66"])
def test_a_robot_whose_feet_are_dragged_stands_on_them_and_does_not_jump(
    name: str, body_of: Body
) -> None:
    body, clip = body_of(name), creeping_person()
    motion = Retargeter(body, clip.size).run(clip)
    speed = np.diff(motion.base_position[:, 2]) * RATE
    landed = clip.time > 0.2
    assert motion.contact_left[landed].all() and motion.contact_right[landed].all()
    away = motion.base_position[-1, 0] - motion.base_position[60, 0]
    assert away > 0.25 * CREEP * 1.5 * body.leg_length / clip.size.leg_length
    assert np.abs(speed).max() < RISE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("human66", "cmu/69_70.bvh"),
        ("valkyrie", "cmu/69_70.bvh"),
        ("g1", "cmu/35_01.bvh"),
        ("h1", "cmu/35_01.bvh"),
        ("atlas", "cmu/13_29.bvh"),
        ("h1", "cmu/13_29.bvh"),
        ("h1", "bandai_namco/dataset-1_kick_normal_001.bvh"),
        ("atlas", "bandai_namco/dataset-1_kick_normal_001.bvh"),
    ],
)
def test_the_base_is_never_much_faster_than_the_person(
    name: str, file: str, body_of: Body, shared_motions: Path
) -> None:
    away = beside_the_person(body_of(name), read_clip(shared_motions / file))
    assert np.linalg.norm(away, axis=-1).max() < FASTEST
