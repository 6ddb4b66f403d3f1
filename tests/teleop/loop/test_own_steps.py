"""Steps that people make on their own: found as they come, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.follow import Retargeter
from telexist.retarget.recordings import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import RobotFrame, RobotMotion
from telexist.retarget.so3 import yaw_of
from telexist.teleop.loop.own_steps import OwnSteps
from telexist.teleop.terms import PathReference


def frames(motion: RobotMotion) -> list[RobotFrame]:
    return [
        RobotFrame(
            stamp=float(motion.time[i]),
            q=motion.joint_positions[i],
            dq=motion.joint_velocities[i],
            world_p_base=motion.base_position[i],
            world_R_base=motion.base_rotation[i],
            planted=(bool(motion.contact_left[i]), bool(motion.contact_right[i])),
        )
        for i in range(len(motion.time))
    ]


def followed(body: RobotBody, file: Path) -> tuple[RobotMotion, list[PathReference]]:
    clip = read_clip(file)
    motion = Retargeter(body, clip.size).run(clip)
    steps, seen = OwnSteps(body), []
    dt = float(motion.time[1] - motion.time[0])
    for frame in frames(motion):
        steps.follow(frame, dt)
        path = steps.value
        assert path is not None
        seen.append(path)
    return motion, seen


@pytest.mark.parametrize(
    "file",
    [
        "bandai_namco/dataset-1_bow_normal_001.bvh",
        "animated_drawings/wave_hello.bvh",
        "bandai_namco/dataset-2_wave-both-hands_normal_001.bvh",
    ],
)
def test_who_makes_no_step_goes_nowhere(
    file: str, shared_motions: Path, body_of: Callable[[str], RobotBody]
) -> None:
    _, path = followed(body_of("g1"), shared_motions / file)
    assert not any(p.stepping for p in path)
    assert all((p.place == 0.0).all() and p.yaw == 0.0 for p in path)


@pytest.mark.parametrize("robot", ["g1", "icub", "talos"])
def test_the_path_is_the_way_of_the_pelvis_in_the_robots_size(
    robot: str, shared_motions: Path, body_of: Callable[[str], RobotBody]
) -> None:
    body = body_of(robot)
    motion, path = followed(body, shared_motions / "cmu" / "35_01.bvh")
    yaw = yaw_of(motion.base_rotation[0] @ body.neutral.world_R_base.T)
    gone = (motion.base_position[-1] - motion.base_position[0])[:2]
    turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    assert np.linalg.norm(gone) > 1.5  # [m]
    assert path[-1].stepping
    assert np.linalg.norm(path[-1].place - turn @ gone) < 1e-6
    away = np.linalg.norm(np.diff([p.place for p in path], axis=0), axis=1)
    assert away.max() < 0.3  # [m] no more than the first step, seen when it has landed


def test_nothing_to_come_is_needed(
    shared_motions: Path, body_of: Callable[[str], RobotBody]
) -> None:
    body = body_of("g1")
    motion, path = followed(body, shared_motions / "cmu" / "35_01.bvh")
    steps = OwnSteps(body)
    dt = float(motion.time[1] - motion.time[0])
    half = len(path) // 2
    for frame in frames(motion)[:half]:
        steps.follow(frame, dt)
    found = steps.value
    assert found is not None
    assert (found.place == path[half - 1].place).all()


def test_after_a_rest_another_path_begins(
    shared_motions: Path, body_of: Callable[[str], RobotBody]
) -> None:
    body = body_of("g1")
    motion, _ = followed(body, shared_motions / "cmu" / "35_01.bvh")
    steps = OwnSteps(body)
    assert steps.value is None
    steps.follow(frames(motion)[0], 0.01)
    steps.rest()
    assert steps.value is None
    steps.follow(frames(motion)[-1], 0.01)
    found = steps.value
    assert found is not None
    assert (found.place == 0.0).all()
