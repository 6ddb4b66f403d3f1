"""The floor: found under stance, flight and a badly levelled laboratory."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.recordings.recognition.floor import find_floor

RATE = 60.0  # [Hz]
HEIGHT = 0.2  # [m]
TOLERANCE = 0.005  # [m]


def walk(seconds: float = 6.0, speed: float = 0.8) -> tuple[np.ndarray, np.ndarray]:
    """Return heel and toe of two feet that step in turn, and the time."""
    time = np.arange(int(seconds * RATE)) / RATE
    soles = np.zeros((len(time), 4, 3))
    for foot, shift in ((0, 0.0), (1, 0.5)):
        phase = time + shift
        swing = np.clip((phase % 1.0 - 0.6) / 0.4, 0.0, 1.0)
        ahead = speed * (np.floor(phase) + swing - shift)
        lift = 0.15 * np.sin(np.pi * swing)
        for k, x in ((0, -0.05), (1, 0.2)):
            soles[:, 2 * foot + k, 0] = ahead + x
            soles[:, 2 * foot + k, 1] = 0.1 - 0.2 * foot
            soles[:, 2 * foot + k, 2] = HEIGHT + lift
    return soles, time


def test_a_walk_stands_on_its_lowest_level():
    floor = find_floor(*walk())
    assert floor.height == pytest.approx(HEIGHT, abs=TOLERANCE)
    assert not floor.slope.any()


def test_a_jump_does_not_lift_the_floor():
    soles, time = walk(speed=0.0)
    flight = (time > 2.0) & (time < 4.5)
    soles[flight, :, 2] = HEIGHT + 0.4
    assert find_floor(soles, time).height == pytest.approx(HEIGHT, abs=TOLERANCE)


def test_one_bad_frame_does_not_lower_the_floor():
    soles, time = walk()
    soles[100, :, 2] -= 1.0
    assert find_floor(soles, time).height == pytest.approx(HEIGHT, abs=TOLERANCE)


def test_feet_that_never_stand_still_give_their_lowest_level():
    soles, time = walk()
    soles[..., 0] -= 2.0 * time[:, None]  # a fast treadmill
    assert find_floor(soles, time).height == pytest.approx(HEIGHT, abs=0.02)


def test_a_slope_of_calibration_is_found_and_a_ramp_is_not():
    for degrees, found in ((1.0, 1.0), (6.0, 0.0)):
        soles, time = walk()
        soles[..., 2] += np.tan(np.deg2rad(degrees)) * soles[..., 0]
        slope = find_floor(soles, time).slope
        assert np.rad2deg(np.arctan(slope[0])) == pytest.approx(found, abs=0.15)
        assert abs(slope[1]) < 0.002


def test_a_person_on_the_spot_has_no_slope():
    soles, time = walk(speed=0.0)
    soles[:, :2, 2] += 0.01  # one leg longer
    assert not find_floor(soles, time).slope.any()
