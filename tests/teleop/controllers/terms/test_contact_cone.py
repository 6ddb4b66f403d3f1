from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.robots.description.robot_model import RobotModel
from telexist.teleop.controllers.terms.contact_cone import (
    CONE_ROWS,
    FRICTION,
    contact_cone,
)


@pytest.fixture
def cone(robot_of: Callable[[str], RobotModel]) -> np.ndarray:
    return contact_cone(robot_of("icub").body.soles["left"], share=1.0)


def test_no_force_beyond_the_floors_friction_is_allowed(cone: np.ndarray) -> None:
    rng = np.random.default_rng(0)
    f = np.zeros((2000, 6))
    f[:, :2], f[:, 2] = rng.uniform(-1.0, 1.0, (2000, 2)), 1.0
    allowed = (f @ cone.T <= 0.0).all(axis=1)
    sideways = np.hypot(f[:, 0], f[:, 1])
    assert sideways[allowed].max() <= FRICTION
    assert allowed[sideways < 0.92 * FRICTION].all()


@pytest.mark.parametrize("angle", np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False))
def test_friction_is_nearly_the_same_in_all_directions(
    angle: float, cone: np.ndarray
) -> None:
    direction = np.array([np.cos(angle), np.sin(angle), 0.0, 0.0, 0.0, 0.0])
    load = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    most = (-cone @ load)[:8] / np.maximum((cone @ direction)[:8], 1e-12)
    assert 0.92 * FRICTION < most.min() <= FRICTION * (1.0 + 1e-12)


def test_pressure_stays_inside_the_sole(
    cone: np.ndarray, robot_of: Callable[[str], RobotModel]
) -> None:
    sole = robot_of("icub").body.soles["left"]
    assert cone.shape == (CONE_ROWS, 6)
    for x, y in [(0.49, 0.0), (-0.49, 0.49), (0.0, -0.49)]:
        at = np.array([x * sole.length, y * sole.width])
        f = np.array([0.0, 0.0, 1.0, at[1], -at[0], 0.0])
        assert (cone @ f <= 0.0).all()
        assert (cone @ (f * [1, 1, 1, 1.1 / 0.98, 1.1 / 0.98, 1]) > 0.0).any()
    assert (cone @ np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]) > 0.0).any()
