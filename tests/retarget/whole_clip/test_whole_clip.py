"""Compiled loops over clips against the vectorised and the single-frame functions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import (
    Array,
    angle_between,
    angular_velocities,
    exp_so3,
    log_so3,
)
from telexist.retarget.whole_clip import (
    FollowedLimbs,
    FollowedLinks,
    following_errors,
    limb_angles,
    link_poses,
    turned_stack,
    turning_rates,
)

Body = Callable[[str], RobotBody]
ROUNDING = 1e-9  # [rad], [rad/s]: a logarithm near pi loses half of the digits
T, K = 40, 5


@pytest.fixture()
def stack() -> Array:
    rng = np.random.default_rng(3)
    return exp_so3(rng.normal(0.0, 1.5, (T, K, 3)))


@pytest.fixture()
def time() -> Array:
    return np.cumsum(np.random.default_rng(4).uniform(0.005, 0.02, T))


def test_turning_rates_are_those_of_so3(stack: Array, time: Array) -> None:
    rates = turning_rates(stack, time)
    wanted = angular_velocities(stack, time)
    assert np.abs(rates - wanted).max() < 1e-6 * np.abs(wanted).max()


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_few_frames_have_rates_too(stack: Array, time: Array, frames: int) -> None:
    rates = turning_rates(stack[:frames], time[:frames])
    wanted = angular_velocities(stack[:frames], time[:frames])
    assert np.allclose(rates, wanted, atol=1e-6 * (1.0 + np.abs(wanted).max()))


def test_a_stack_is_turned_as_by_a_product(stack: Array) -> None:
    R = exp_so3([0.3, -1.0, 2.0])
    assert np.abs(turned_stack(R, stack) - R @ stack).max() < 1e-15


@pytest.mark.parametrize("reference", [-1, 2])
def test_errors_of_following_are_those_of_the_logarithm(
    stack: Array, reference: int
) -> None:
    rng = np.random.default_rng(5)
    links, maps = exp_so3(rng.normal(size=(T, 3, 3))), exp_so3(rng.normal(size=(2, 3)))
    pairs = FollowedLinks(
        segments=np.array([4, 1]),
        links=np.array([0, 2]),
        human_R_robot=maps,
        reference=np.array([reference]),
    )
    angle, trace, wanted = following_errors(pairs, stack, links)
    seen = stack[:, [4, 1]]
    if reference >= 0:
        seen = np.swapaxes(stack[:, [reference]], -1, -2) @ seen
    expected = seen @ maps
    error = np.swapaxes(links[:, [0, 2]], -1, -2) @ expected
    assert np.abs(wanted - expected).max() < 1e-14
    assert np.abs(angle - np.linalg.norm(log_so3(error), axis=-1)).max() < ROUNDING
    assert np.abs(trace - (3.0 - np.trace(error, axis1=-2, axis2=-1)) / 2).max() < 1e-14


@pytest.mark.parametrize("reference", [-1, 0])
def test_angles_of_limbs_are_those_between_directions(
    stack: Array, reference: int
) -> None:
    rng = np.random.default_rng(6)
    positions, directions = rng.normal(size=(T, K, 3)), rng.normal(size=(2, 3))
    links = exp_so3(rng.normal(size=(T, 3, 3)))
    limbs = FollowedLimbs(
        starts=np.array([0, 3]),
        ends=np.array([1, 4]),
        links=np.array([2, 1]),
        directions=directions,
        reference=np.array([reference]),
    )
    angles = limb_angles(limbs, (positions, stack), links)
    lines = positions[:, [1, 4]] - positions[:, [0, 3]]
    if reference >= 0:
        lines = (np.swapaxes(stack[:, [reference]], -1, -2) @ lines[..., None])[..., 0]
    robot = (links[:, [2, 1]] @ directions[..., None])[..., 0]
    assert np.abs(angles - angle_between(lines, robot)).max() < ROUNDING


@pytest.mark.parametrize("robot", ["g1", "icub", "human66"])
def test_links_are_where_pinocchio_puts_them(body_of: Body, robot: str) -> None:
    body = body_of(robot)
    kinematics, rng = body.kinematics, np.random.default_rng(7)
    names = kinematics.links[::3]
    q = rng.uniform(-1.5, 1.5, (4, kinematics.n))
    base_R, base_p = exp_so3(rng.normal(size=(4, 3))), rng.normal(size=(4, 3))
    rotations, positions = link_poses(body, names, (base_R, base_p), q)
    frames = [kinematics.frame(name) for name in names]
    for t in range(4):
        at = Configuration(world_p_base=base_p[t], world_R_base=base_R[t], q=q[t])
        kinematics.update(at)
        assert np.abs(rotations[t] - kinematics.rotations(frames)).max() < 1e-12
        assert np.abs(positions[t] - kinematics.positions(frames)).max() < 1e-12


def test_a_second_motion_does_not_see_the_first(body_of: Body) -> None:
    body = body_of("g1")
    base = (np.eye(3)[None], np.zeros((1, 3)))
    q = np.full((1, body.kinematics.n), 0.2)
    first = link_poses(body, ["pelvis"], base, q)[1]
    link_poses(body, ["pelvis"], (base[0], np.ones((1, 3))), -q)
    assert np.array_equal(link_poses(body, ["pelvis"], base, q)[1], first)
