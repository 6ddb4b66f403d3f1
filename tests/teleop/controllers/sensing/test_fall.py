"""What is a fall, and what is only a deep bow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.teleop.controllers.parameters.standing_parameters import FallParameters
from telexist.teleop.controllers.sensing.fall import fall_reason

HEIGHT = 0.6  # [m]
UP = np.array([0.0, 0.0, 1.0])


def pitched(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


@pytest.mark.parametrize(
    ("tilt", "dcm", "falls"),
    [
        (0.0, (0.0, 0.0), False),
        (0.7, (0.3, 0.0), False),  # leaning far, caught by a step perhaps
        (0.9, (0.02, 0.1), False),  # a deep bow over one foot
        (0.9, (0.12, 0.0), True),
        (0.9, (0.0, 0.22), True),
        (-1.3, (0.0, 0.0), True),
    ],
)
def test_a_tilt_is_a_fall_where_the_dcm_leaves_the_feet(
    tilt: float, dcm: tuple[float, float], falls: bool, measured: Callable
) -> None:
    robot = measured(dcm=np.array(dcm))
    reason = fall_reason(robot, pitched(tilt), UP, HEIGHT, FallParameters())
    assert bool(reason) is falls
    assert not reason or f"{np.rad2deg(abs(tilt)):.0f} degrees" in reason


def test_a_body_that_sinks_is_a_fall(measured: Callable) -> None:
    robot = measured(com=np.array([0.0, 0.0, 0.6 * HEIGHT]))
    assert "60%" in fall_reason(robot, np.eye(3), UP, HEIGHT, FallParameters())


def test_a_state_that_is_not_finite_is_a_fall(measured: Callable) -> None:
    robot = measured(com=np.array([0.0, 0.0, np.nan]))
    assert fall_reason(robot, np.eye(3), UP, HEIGHT, FallParameters())
