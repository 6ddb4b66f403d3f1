from __future__ import annotations

import numpy as np
from telexist.teleop.controllers.parameters.walking_parameters import (
    WalkingParameters,
)
from telexist.teleop.controllers.walking.load_transfer import (
    handed_over,
    leaving,
)

USUAL = WalkingParameters()


def test_load_goes_from_foot_to_foot_without_a_jump_and_can_always_be_carried() -> None:
    shares = np.linspace(0.0, 1.0, 101)
    loads = np.array([handed_over(s, s, 1.0 - s, USUAL) for s in shares])
    assert np.all(np.diff(loads[:, 0]) > 0.0) and np.all(np.diff(loads[:, 1]) <= 0.0)
    assert np.abs(np.diff(loads, axis=0)).max() < 0.04
    assert loads.sum(axis=1).min() >= 1.0  # together they carry the robot
    assert loads[-1, 1] == USUAL.leaving_load


def test_a_foot_that_has_left_the_floor_is_not_asked_to_carry() -> None:
    assert handed_over(0.0, 0.0, 0.0, USUAL)[1] == 0.2
    assert leaving(0.0, USUAL) == USUAL.standing_load
    assert leaving(1.0, USUAL) == USUAL.leaving_load
