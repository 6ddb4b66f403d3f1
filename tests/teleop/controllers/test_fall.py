"""What is a fall, and what is only a deep bow."""

from __future__ import annotations

import numpy as np
import pytest

from teleop.controllers.fall import fall_reason
from teleop.controllers.measured import Measured

HEIGHT = 0.6  # [m]
UP = np.array([0.0, 0.0, 1.0])


def robot(*, height: float = HEIGHT, dcm: tuple[float, float] = (0.0, 0.0)) -> Measured:
    return Measured(
        com=np.array([0.0, 0.0, height]),
        com_vel=np.zeros(3),
        dcm=np.array(dcm),
        angular_momentum=np.zeros(3),
        sole_p=np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]),
        sole_R=np.array([np.eye(3), np.eye(3)]),
        sole_up=np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]),
        sole_edge=np.zeros((2, 3)),
        sole_v=np.zeros((2, 6)),
        sole_yaw=np.zeros(2),
        load=np.array([0.5, 0.5]),
    )


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
    tilt: float, dcm: tuple[float, float], falls: bool
) -> None:
    reason = fall_reason(robot(dcm=dcm), pitched(tilt), UP, HEIGHT)
    assert bool(reason) is falls
    assert not reason or f"{np.rad2deg(abs(tilt)):.0f} degrees" in reason


def test_a_body_that_sinks_is_a_fall() -> None:
    assert "60%" in fall_reason(robot(height=0.6 * HEIGHT), np.eye(3), UP, HEIGHT)


def test_a_state_that_is_not_finite_is_a_fall() -> None:
    assert fall_reason(robot(height=np.nan), np.eye(3), UP, HEIGHT)
