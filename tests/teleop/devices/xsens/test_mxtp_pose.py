"""Axes and handedness: a left arm that points ahead stays a left arm ahead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import exp_so3, rotation_z
from telexist.teleop.devices.base.refused import RefusedMessage
from telexist.teleop.devices.xsens.mxtp import Items
from telexist.teleop.devices.xsens.mxtp_pose import MvnBody, read_body, write_body

HALF = math.sqrt(0.5)
IDS = np.arange(1, 24)
LEFT_ARM = SEGMENT_INDEX["LeftUpperArm"]
UNITY_LEFT_ARM = 14  # "Left Upper Arm" in the specification's table for Unity3D
UNITY_LEFT_SHOULDER = 13
LEFT, AHEAD, UP = np.eye(3)[1], np.eye(3)[0], np.eye(3)[2]


def t_pose(width: int, quaternion_at: int | None) -> np.ndarray:
    values = np.zeros((23, width))
    if quaternion_at is not None:
        values[:, quaternion_at] = 1.0
    return values


def arm_direction(state: MvnBody) -> np.ndarray:
    """Where the left arm points: in T-pose frames it lies along its y axis."""
    assert state.rotations is not None
    return state.rotations[LEFT_ARM] @ LEFT


def test_quaternions_are_z_up() -> None:
    values = t_pose(7, 3)
    values[LEFT_ARM] = [0.3, 0.2, 1.4, HALF, 0.0, 0.0, -HALF]  # turned to the right
    state = read_body("02", Items(ids=IDS, values=values))
    np.testing.assert_allclose(arm_direction(state), AHEAD, atol=1e-12)
    np.testing.assert_allclose(state.positions[LEFT_ARM], [0.3, 0.2, 1.4])


def test_angles_are_y_up_and_right_handed() -> None:
    values = t_pose(6, None)
    # x is left, y up, z ahead; -90 degrees about y takes x (left) to z (ahead)
    values[LEFT_ARM] = [20.0, 140.0, 30.0, 0.0, -90.0, 0.0]
    state = read_body("01", Items(ids=IDS, values=values))
    np.testing.assert_allclose(arm_direction(state), AHEAD, atol=1e-12)
    np.testing.assert_allclose(state.positions[LEFT_ARM], [30.0, 20.0, 140.0])


def test_angles_turn_about_x_then_y_then_z() -> None:
    values = t_pose(6, None)
    values[LEFT_ARM, 3:] = [90.0, 0.0, 90.0]
    state = read_body("01", Items(ids=IDS, values=values))
    # left (x) is turned by z (ahead axis) to up; x does not move it before
    np.testing.assert_allclose(arm_direction(state), UP, atol=1e-12)
    values[LEFT_ARM, 3:] = [0.0, 90.0, 90.0]
    state = read_body("01", Items(ids=IDS, values=values))
    # first y takes left (x) to behind (-z), which z then leaves alone
    np.testing.assert_allclose(arm_direction(state), -AHEAD, atol=1e-12)


def test_unity_is_y_up_left_handed_and_local() -> None:
    values = t_pose(7, 3)
    values[0, :3] = [0.5, 1.0, 2.0]  # half a metre to the right, two ahead
    values[UNITY_LEFT_SHOULDER, :3] = [-0.1, 0.4, 0.0]
    # In Unity +90 degrees about y turns z (ahead) to x (right), -x (left) to z (ahead)
    values[UNITY_LEFT_ARM] = [-0.2, 0.0, 0.0, HALF, 0.0, HALF, 0.0]
    state = read_body("05", Items(ids=IDS, values=values))
    np.testing.assert_allclose(arm_direction(state), AHEAD, atol=1e-12)
    np.testing.assert_allclose(state.positions[0], [2.0, -0.5, 1.0])
    np.testing.assert_allclose(state.positions[LEFT_ARM], [2.0, -0.2, 1.4])


def test_unity_children_turn_with_their_parents() -> None:
    values = t_pose(7, 3)
    values[0, 3:] = [HALF, 0.0, -HALF, 0.0]  # pelvis 90 degrees to the left
    values[UNITY_LEFT_SHOULDER, :3] = [-0.1, 0.0, 0.0]
    state = read_body("05", Items(ids=IDS, values=values))
    np.testing.assert_allclose(
        state.rotations[LEFT_ARM], rotation_z(np.pi / 2), atol=1e-12
    )
    shoulder = state.positions[SEGMENT_INDEX["LeftShoulder"]]
    np.testing.assert_allclose(shoulder, [-0.1, 0.0, 0.0], atol=1e-12)


def test_measured_velocities_are_in_the_world() -> None:
    state = read_body(
        "22", Items(ids=IDS, values=np.tile([1, 0, 0, 0, *range(6)], (23, 1)))
    )
    assert state.angular_velocities[3].tolist() == [0, 1, 2]
    state = read_body("21", Items(ids=IDS, values=np.tile(np.arange(9.0), (23, 1))))
    assert state.positions[3].tolist() == [0, 1, 2]
    assert state.linear_velocities[3].tolist() == [3, 4, 5]


@pytest.mark.parametrize("kind", ["01", "02", "05", "21", "22"])
def test_writing_and_reading_agree(kind: str) -> None:
    random = np.random.default_rng(3)
    state = MvnBody(
        rotations=exp_so3(random.uniform(-1.8, 1.8, (23, 3))),
        positions=random.uniform(-2.0, 2.0, (23, 3)),
        angular_velocities=random.normal(size=(23, 3)),
        linear_velocities=random.normal(size=(23, 3)),
    )
    read = read_body(kind, Items(ids=IDS, values=write_body(kind, state)))
    for name in ("rotations", "positions", "angular_velocities", "linear_velocities"):
        value = getattr(read, name)
        if value is not None:
            np.testing.assert_allclose(value, getattr(state, name), atol=1e-12)


def test_props_and_fingers_are_left_out() -> None:
    values = np.vstack([t_pose(7, 3), np.full((42, 7), 9.0)])
    ids = np.concatenate([IDS, [25, 26], np.arange(26, 66)])
    state = read_body("02", Items(ids=ids, values=values))
    assert state.rotations.shape == (len(SEGMENTS), 3, 3)


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ((4, 1), np.nan, "nan"),
        ((4, 1), np.inf, "nan"),
        ((4, 4), np.nan, "nan"),
        ((4, 3), 1.02, "malformed"),
        ((4, 3), 0.0, "malformed"),
    ],
)
def test_a_bad_number_is_refused(place: tuple, value: float, reason: str) -> None:
    values = t_pose(7, 3)
    values[place] = value
    with pytest.raises(RefusedMessage) as caught:
        read_body("02", Items(ids=IDS, values=values))
    assert caught.value.reason == reason


@pytest.mark.parametrize("ids", [np.arange(2, 25), np.ones(23, dtype=int)])
def test_missing_or_repeated_segments_are_refused(ids: np.ndarray) -> None:
    with pytest.raises(RefusedMessage, match="segments"):
        read_body("02", Items(ids=ids, values=t_pose(7, 3)))
