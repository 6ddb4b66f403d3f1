"""The head camera in its own process, and what happens when it dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import numpy as np
import pytest
from telexist.robots.base import CameraWishes
from telexist.robots.base.interface import RobotFeedback
from telexist.robots.description.robot_model import load_robot
from telexist.robots.mujoco.camera import head_camera
from telexist.robots.mujoco.camera.head_camera import HeadCamera
from telexist.robots.mujoco.robot.mujoco_robot import MujocoRobot

pytestmark = pytest.mark.slow

PATIENCE = 120.0  # [s] software rendering on a busy machine is slow


def wait_for(condition: Callable[[], object], what: str) -> object:
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)
    return found


def test_pictures_come_and_their_end_does_not_matter() -> None:
    robot = load_robot("icub")
    camera = HeadCamera(
        robot,
        now=time.perf_counter,
        wishes=CameraWishes(width=160, height=120),
    )
    simulated = MujocoRobot(
        robot, now=time.perf_counter, sleep=time.sleep, camera=camera
    )
    simulated.connect()
    try:
        found = wait_for(
            lambda: simulated.read_feedback() or camera.problem, "a picture"
        )
        if not isinstance(found, RobotFeedback) or found.camera_problem:
            pytest.skip(f"no graphics here: {camera.problem}")
        assert found.image is not None
        assert found.image.shape == (120, 160, 3)
        top, bottom = found.image[:20].astype(float), found.image[-30:].astype(float)
        assert np.ptp(found.image) > 50  # tiles, sky
        assert top.mean(axis=(0, 1))[2] > top.mean(axis=(0, 1))[0]  # the sky is blue
        assert bottom.std() > 1.0
        assert found.stamp <= time.perf_counter()
        assert camera.process_id is not None
        os.kill(camera.process_id, signal.SIGKILL)
        said = []

        def told() -> bool:
            said.append(simulated.read_feedback())
            return said[-1] is not None and said[-1].camera_problem != ""

        wait_for(told, "the robot to say that its camera is gone")
        assert "the process that renders has ended" in said[-1].camera_problem
        assert simulated.read_feedback() is None  # told once
        before = simulated.read_state()
        assert before is not None

        def lives_on() -> bool:
            state = simulated.read_state()
            return state is not None and state.stamp > before.stamp + 0.2

        wait_for(lives_on, "the robot to live on")
    finally:
        simulated.disconnect()


def test_a_machine_without_graphics_has_a_blind_robot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(head_camera, "BACKENDS", ("none",))
    camera = HeadCamera(load_robot("icub"), now=time.perf_counter)
    camera.start()
    try:
        wait_for(lambda: camera.problem, "the reason")
        assert "none" in camera.problem
        camera.offer(np.zeros(3), 1.0)
        assert camera.take() is None
    finally:
        camera.stop()
        camera.stop()
