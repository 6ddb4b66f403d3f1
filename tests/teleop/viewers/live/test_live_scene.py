"""Where cameras of browsers look, with a server that only remembers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from telexist.retarget.human.adult_size import adult_size
from telexist.robots.description.robot_model import load_robot
from telexist.teleop.viewers.live.live_scene import LiveScene
from telexist.teleop.viewers.live.page_update import PageUpdate


class Camera:
    """As viser has it: who moves it moves what it looks at."""

    def __init__(self) -> None:
        self._position, self.look_at = np.array([3.0, 3.0, 3.0]), np.zeros(3)

    @property
    def position(self) -> np.ndarray:
        return self._position

    @position.setter
    def position(self, value: np.ndarray) -> None:
        self.look_at = self.look_at + value - self._position
        self._position = np.array(value)


class Server:
    """A viser server that draws nothing."""

    def __init__(self) -> None:
        self.scene: Any = MagicMock()
        self.initial_camera = SimpleNamespace()
        self.clients: dict[int, Any] = {}

    def get_clients(self) -> dict[int, Any]:
        return self.clients

    def join(self, number: int) -> Camera:
        camera = Camera()
        self.clients[number] = SimpleNamespace(camera=camera)
        return camera


@pytest.fixture
def stage() -> tuple[LiveScene, Server]:
    server = Server()
    scene = LiveScene(server, adult_size(), 1.0)
    scene.add_robot(load_robot("icub"))
    return scene, server


def at(x: float) -> PageUpdate:
    body = load_robot("icub").body
    return PageUpdate(
        stamp=0.0,
        state="active",
        q=body.neutral.q,
        world_p_base=np.array([x, 0.0, 0.6]),
        world_R_base=np.eye(3),
        segments=(),
        human_R=None,
        human_p=None,
        readings={},
        notice="",
        marks={},
        events=(),
    )


def test_a_new_browser_sees_the_robot_from_in_front_wherever_it_is(
    stage: tuple[LiveScene, Server],
) -> None:
    scene, server = stage
    eye, aim = server.initial_camera.position, server.initial_camera.look_at
    scene.show(at(-0.05))
    camera = server.join(0)
    scene.show(at(-0.05))
    np.testing.assert_allclose(camera.position, eye + [-0.05, 0.0, 0.0])
    np.testing.assert_allclose(camera.look_at, aim + [-0.05, 0.0, 0.0])
    scene.show(at(4.0))
    late = server.join(1)
    scene.show(at(4.0))
    np.testing.assert_allclose(late.position, eye + [4.0, 0.0, 0.0])
    np.testing.assert_allclose(camera.position, eye + [4.0, 0.0, 0.0])


def test_a_camera_that_somebody_turned_keeps_its_view_of_a_robot_that_walks(
    stage: tuple[LiveScene, Server],
) -> None:
    scene, server = stage
    camera = server.join(0)
    scene.show(at(0.0))
    camera.position = np.array([0.0, 5.0, 2.0])
    before = camera.look_at - camera.position
    scene.show(at(1.0))
    np.testing.assert_allclose(camera.position, [1.0, 5.0, 2.0])
    np.testing.assert_allclose(camera.look_at - camera.position, before)
    scene.follows = False
    scene.show(at(2.0))
    np.testing.assert_allclose(camera.position, [1.0, 5.0, 2.0])
