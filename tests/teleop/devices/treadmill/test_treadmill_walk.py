"""From the ring to walking commands, and the operator's frame that turns with it."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.so3 import rotation_z
from telexist.teleop.devices.treadmill.treadmill_walk import (
    TreadmillWalk,
    TreadmillWalkSettings,
    WalkStep,
)
from telexist.teleop.devices.walk.walk_shaping import WalkLimits
from telexist.teleop.loop.ring_frame import ring_turns_frame
from telexist.teleop.terms.device_sample import Treadmill
from telexist.teleop.terms.walk_command import WalkCommand

STAND = Treadmill(yaw=0.0, speed=0.0, direction=0.0, height=0.0)
QUICK = WalkLimits(
    forward=1.0, side=1.0, turn=2.0, acceleration=10.0, turn_acceleration=10.0
)
SETTINGS = TreadmillWalkSettings(limits=QUICK, scale=1.0)
FRAME = builtin_clip(rate=20.0).frame(430)


def run(walk: TreadmillWalk, samples: list[Treadmill], dt: float = 0.02) -> WalkStep:
    steps = [walk.step(sample, dt * k) for k, sample in enumerate(samples)]
    return steps[-1]


@pytest.mark.parametrize(
    ("direction", "vx", "vy"),
    [
        (0.0, 0.8, 0.0),
        (math.pi / 2, 0.0, 0.8),
        (-math.pi / 2, 0.0, -0.8),
        (math.pi, -0.8, 0.0),
    ],
)
def test_walks_where_the_person_walks(direction: float, vx: float, vy: float) -> None:
    sample = dataclasses.replace(STAND, speed=0.8, direction=direction)
    walk = run(TreadmillWalk(SETTINGS), [sample] * 60).walk
    assert walk.vx == pytest.approx(vx, abs=1e-9)
    assert walk.vy == pytest.approx(vy, abs=1e-9)
    assert walk.wz == 0.0


def test_first_sample_never_moves_the_robot() -> None:
    fast = dataclasses.replace(STAND, speed=3.0, yaw=2.0)
    assert TreadmillWalk(SETTINGS).step(fast, 5.0).walk == WalkCommand()


@pytest.mark.parametrize("rate", [0.8, -0.8, 0.05])
def test_turns_as_the_ring_does_across_half_a_turn(rate: float) -> None:
    ring = [
        dataclasses.replace(
            STAND, yaw=math.remainder(math.pi - 0.3 + rate * 0.02 * k, math.tau)
        )
        for k in range(60)
    ]
    step = run(TreadmillWalk(SETTINGS), ring)
    expected = math.copysign(max(abs(rate) - 0.1, 0.0), rate)
    assert step.walk.wz == pytest.approx(expected, abs=1e-9)
    assert step.jump is None


def test_a_leap_of_the_ring_is_said_and_does_not_turn_the_robot() -> None:
    walk = TreadmillWalk(SETTINGS)
    run(walk, [STAND] * 20)
    leapt = dataclasses.replace(STAND, yaw=0.4)
    step = walk.step(leapt, 0.40)
    assert step.jump == pytest.approx(0.4) and step.walk.wz == 0.0
    assert step.heading == 0.0
    assert walk.step(leapt, 0.42) == WalkStep(walk=WalkCommand())
    slow = dataclasses.replace(STAND, yaw=0.6)
    turned = walk.step(slow, 0.62)
    assert turned.jump is None  # 0.2 rad, but in a fifth of a second
    assert turned.heading == pytest.approx(0.2)


def test_speed_and_its_change_are_bounded() -> None:
    walk = TreadmillWalk()
    last = WalkCommand()
    for k in range(100):
        sample = Treadmill(yaw=0.05 * k % 3, speed=5.0, direction=0.3 * k, height=0.0)
        now = walk.step(sample, 0.02 * k).walk
        assert abs(now.vx) <= 0.4 and abs(now.vy) <= 0.2 and abs(now.wz) <= 0.6
        assert abs(now.vx - last.vx) <= 0.8 * 0.02 + 1e-9
        assert abs(now.wz - last.wz) <= 2.0 * 0.02 + 1e-9
        last = now


def test_a_gap_in_time_starts_anew() -> None:
    walk = TreadmillWalk(SETTINGS)
    run(walk, [dataclasses.replace(STAND, speed=1.0)] * 50)
    turned = dataclasses.replace(STAND, speed=1.0, yaw=1.5)
    assert walk.step(turned, 10.0) == WalkStep(walk=WalkCommand())
    assert walk.step(turned, 9.0) == WalkStep(walk=WalkCommand())  # time went back


def test_heading_counts_from_the_first_sample_and_never_leaps() -> None:
    walk = TreadmillWalk(SETTINGS)
    headings = []
    for k in range(400):
        yaw = 2.0 + 0.02 * k + (1.0 if k > 200 else 0.0)  # it slips once
        time = 0.02 * k + (5.0 if k > 300 else 0.0)  # and is silent once
        sample = dataclasses.replace(STAND, yaw=math.remainder(yaw, math.tau))
        headings.append(walk.step(sample, time).heading)
    changes = [
        math.remainder(b - a, math.tau)
        for a, b in zip(headings, headings[1:], strict=False)
    ]
    assert headings[0] == 0.0
    assert all(-1e-9 <= change <= 0.02 + 1e-9 for change in changes)
    assert sum(changes) == pytest.approx(0.02 * 397)
    walk.reset()
    assert walk.step(STAND, 20.0).heading == 0.0


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(BadInput, match="scale"):
        TreadmillWalkSettings(scale=float("nan"))
    with pytest.raises(BadInput, match="window"):
        TreadmillWalkSettings(window=0.0)


@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.5, math.pi])
def test_a_person_who_turns_with_the_ring_stands_still_in_its_frame(yaw: float) -> None:
    R = rotation_z(yaw)
    rate = 0.9
    turn = np.array([0.0, 0.0, rate])
    assert FRAME.positions is not None and FRAME.linear_velocities is not None
    turned = dataclasses.replace(
        FRAME,
        rotations=R @ FRAME.rotations,
        angular_velocities=FRAME.angular_velocities @ R.T + turn,
        positions=FRAME.positions @ R.T,
        linear_velocities=FRAME.linear_velocities @ R.T
        + np.cross(turn, FRAME.positions @ R.T),
    )
    back = ring_turns_frame(turned, yaw, yaw_rate=rate)
    for name in ("rotations", "angular_velocities", "positions", "linear_velocities"):
        want, have = getattr(FRAME, name), getattr(back, name)
        np.testing.assert_allclose(have, want, atol=1e-12, err_msg=name)
    assert back.stamp == FRAME.stamp and back.sequence == FRAME.sequence


def test_the_ring_s_axis_stays_where_it_is() -> None:
    points = np.array([[1.0, 2.0, 0.5]] * len(FRAME.segments))
    frame = dataclasses.replace(FRAME, positions=points)
    turned = ring_turns_frame(frame, 1.0, centre=(1.0, 2.0))
    np.testing.assert_allclose(turned.positions, points, atol=1e-12)


def test_a_frame_without_positions_turns_too() -> None:
    frame = dataclasses.replace(FRAME, positions=None, linear_velocities=None)
    turned = ring_turns_frame(frame, 0.5)
    assert turned.positions is None and turned.linear_velocities is None
    np.testing.assert_allclose(
        turned.rotations, rotation_z(-0.5) @ frame.rotations, atol=1e-12
    )
