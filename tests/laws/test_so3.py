"""Rotations: the exponential and its inverse at every angle, against witnesses."""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from telexist.retarget.ik import rotations as compiled
from telexist.retarget.joined_code import EntryCompiler
from telexist.retarget.so3 import (
    Array,
    angle_between,
    angular_velocities,
    exp_so3,
    hat,
    inverse_right_jacobian,
    log_so3,
    mean_rotation,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
    rotation_from_rpy,
    rotation_z,
    shortest_rotation,
    slerp,
    yaw_of,
)

ROUNDING = 1e-14  # a few roundings of numbers of order 1
LOGARITHM = 1e-12  # [rad] arctan2 of a sine and a cosine that carry a rounding each
NEAR_PI = 1e-11  # [rad] within 1e-3 of pi the axis is a quotient of small differences
SLOPE = 1e-7  # central differences of 1e-6: their square times the third derivative
STEP = 1e-6  # [rad] of finite differences

SIZES = {
    "random": None,
    "tiny": 1e-7,
    "series": 1e-5,
    "small": 1e-3,
    "right": np.pi / 2,
}


def unit_vectors(rng: np.random.Generator, count: int) -> Array:
    v = rng.normal(size=(count, 3))
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("size", SIZES)
def test_logarithm_undoes_exponential(size: str, rng: np.random.Generator) -> None:
    angles = SIZES[size] or rng.uniform(0.0, 3.1, (500, 1))
    w = angles * unit_vectors(rng, 500)
    np.testing.assert_allclose(log_so3(exp_so3(w)), w, rtol=LOGARITHM, atol=ROUNDING)


@pytest.mark.parametrize("below", [1e-2, 1.1e-3, 0.9e-3, 1e-5, 1e-7, 1e-9])
def test_logarithm_undoes_exponential_near_pi(
    below: float, rng: np.random.Generator
) -> None:
    w = (np.pi - below) * unit_vectors(rng, 200)
    np.testing.assert_allclose(log_so3(exp_so3(w)), w, atol=NEAR_PI)


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3), (1, 1, 0), (1, -1, 1)])
def test_logarithm_at_pi_is_one_of_the_two_axes(axis: Array) -> None:
    w = np.pi * np.array(axis) / np.linalg.norm(axis)
    found = log_so3(exp_so3(w))
    assert np.linalg.norm(found) == pytest.approx(np.pi, abs=NEAR_PI)
    assert min(np.abs(found - w).max(), np.abs(found + w).max()) < NEAR_PI


def test_logarithm_of_exact_half_turns_has_length_pi() -> None:
    half_turns = [np.diag(d) for d in ([1, -1, -1], [-1, 1, -1], [-1, -1, 1])]
    lengths = np.linalg.norm(log_so3(np.array(half_turns, dtype=float)), axis=-1)
    np.testing.assert_allclose(lengths, np.pi, rtol=ROUNDING)


def test_a_batch_may_mix_identity_and_half_turns(rng: np.random.Generator) -> None:
    w = np.array(
        [[0.0, 0.0, 0.0], [np.pi, 0.0, 0.0], [0.0, 1e-7, 0.0], [0.3, 1.0, 2.0]]
    )
    R = exp_so3(w).reshape(2, 2, 3, 3)
    found = log_so3(R).reshape(4, 3)
    np.testing.assert_allclose(exp_so3(found), exp_so3(w), atol=LOGARITHM)
    np.testing.assert_allclose(found[[0, 2, 3]], w[[0, 2, 3]], atol=LOGARITHM)


def test_exponential_is_a_rotation_at_any_length(rng: np.random.Generator) -> None:
    R = exp_so3(10.0 ** rng.uniform(-9, 2, (300, 1)) * unit_vectors(rng, 300))
    eye = np.broadcast_to(np.eye(3), R.shape)
    np.testing.assert_allclose(R @ np.swapaxes(R, -1, -2), eye, atol=10 * ROUNDING)
    np.testing.assert_allclose(np.linalg.det(R), 1.0, atol=10 * ROUNDING)


def test_exponential_agrees_with_scipy(rng: np.random.Generator) -> None:
    w = 10.0 ** rng.uniform(-9, 1, (300, 1)) * unit_vectors(rng, 300)
    witness = Rotation.from_rotvec(w).as_matrix()
    np.testing.assert_allclose(exp_so3(w), witness, atol=10 * ROUNDING)


def test_hat_is_the_cross_product(rng: np.random.Generator) -> None:
    a, b = rng.normal(size=(2, 3))
    np.testing.assert_allclose(hat(a) @ b, np.cross(a, b), rtol=LOGARITHM)


def test_quaternions_agree_with_scipy_both_ways(rng: np.random.Generator) -> None:
    quat_xyzw = rng.normal(size=(300, 4))
    quat_wxyz = quat_xyzw[:, [3, 0, 1, 2]]
    R = rotation_from_quat_wxyz(quat_wxyz)
    witness = Rotation.from_quat(quat_xyzw)
    np.testing.assert_allclose(R, witness.as_matrix(), atol=10 * ROUNDING)
    unit = quat_wxyz / np.linalg.norm(quat_wxyz, axis=-1, keepdims=True)
    unit *= np.sign(unit[:, :1])
    np.testing.assert_allclose(quat_wxyz_from_rotation(R), unit, atol=LOGARITHM)


@pytest.mark.parametrize("below", [0.0, 1e-9, 1e-5, 1e-3])
def test_quaternions_survive_half_turns(below: float, rng: np.random.Generator) -> None:
    R = exp_so3((np.pi - below) * unit_vectors(rng, 100))
    there_and_back = rotation_from_quat_wxyz(quat_wxyz_from_rotation(R))
    np.testing.assert_allclose(there_and_back, R, atol=NEAR_PI)


def test_roll_pitch_yaw_is_that_of_scipy(rng: np.random.Generator) -> None:
    rpy = rng.uniform(-np.pi, np.pi, (100, 3))
    witness = Rotation.from_euler("xyz", rpy).as_matrix()
    np.testing.assert_allclose(rotation_from_rpy(rpy), witness, atol=10 * ROUNDING)


def test_yaw_is_the_heading_of_the_x_axis(rng: np.random.Generator) -> None:
    yaw = rng.uniform(-np.pi, np.pi, 50)
    tilt = exp_so3(np.array([[0.4, 0.0, 0.0]]))
    np.testing.assert_allclose(yaw_of(rotation_z(yaw) @ tilt), yaw, atol=LOGARITHM)


def test_shortest_rotation_turns_a_into_b_by_their_angle(
    rng: np.random.Generator,
) -> None:
    for a, b in zip(rng.normal(size=(200, 3)), rng.normal(size=(200, 3)), strict=True):
        R = shortest_rotation(a, 3.0 * b)
        assert angle_between(R @ a, b) < LOGARITHM
        turned = np.linalg.norm(log_so3(R))
        assert turned == pytest.approx(float(angle_between(a, b)), abs=LOGARITHM)


@pytest.mark.parametrize("a", [*np.eye(3), (1.0, 2.0, 3.0), (-0.1, 0.0, 5.0)])
def test_shortest_rotation_of_opposite_directions_is_a_half_turn(a: Array) -> None:
    a = np.array(a)
    R = shortest_rotation(a, -a)
    np.testing.assert_allclose(R @ a, -a, atol=LOGARITHM)
    assert np.linalg.norm(log_so3(R)) == pytest.approx(np.pi, abs=LOGARITHM)


@pytest.mark.parametrize("tilt", [1e-13, 1e-11, 1e-9, 1e-6])
def test_shortest_rotation_stays_one_next_to_opposite(tilt: float) -> None:
    a, b = np.array([1.0, 0.0, 0.0]), np.array([-1.0, tilt, 0.0])
    R = shortest_rotation(a, b)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=LOGARITHM)
    assert angle_between(R @ a, b) < NEAR_PI


def test_angle_between_keeps_its_digits_at_small_angles() -> None:
    a, b = np.array([1.0, 0.0, 0.0]), np.array([1.0, 1e-9, 0.0])
    assert angle_between(a, b) == pytest.approx(1e-9, rel=1e-12)


def test_mean_of_rotations_about_one_axis_is_the_mean_angle() -> None:
    angles = np.array([-0.4, 0.1, 0.2, 0.9])
    np.testing.assert_allclose(
        mean_rotation(rotation_z(angles)), rotation_z(angles.mean()), atol=LOGARITHM
    )


def test_mean_leaves_no_tangent_error_and_turns_along(rng: np.random.Generator) -> None:
    R = exp_so3(rng.normal(size=(20, 3)) * 0.8)
    mean = mean_rotation(R)
    left = log_so3(R @ mean.T).mean(axis=0)
    np.testing.assert_allclose(left, 0.0, atol=1e-11)
    turn = exp_so3(rng.normal(size=3))
    np.testing.assert_allclose(mean_rotation(turn @ R), turn @ mean, atol=1e-10)


def test_slerp_goes_evenly_from_end_to_end(rng: np.random.Generator) -> None:
    R0, R1 = exp_so3(rng.normal(size=(2, 3)))
    np.testing.assert_allclose(slerp(R0, R1, 0.0), R0, atol=LOGARITHM)
    np.testing.assert_allclose(slerp(R0, R1, 1.0), R1, atol=LOGARITHM)
    third = slerp(R0, R1, 1.0 / 3.0)
    two_thirds = slerp(R0, R1, 2.0 / 3.0)
    np.testing.assert_allclose(third @ R0.T, two_thirds @ third.T, atol=LOGARITHM)


def test_angular_velocity_of_a_steady_turn_is_exact(rng: np.random.Generator) -> None:
    w, R0 = rng.normal(size=3), exp_so3(rng.normal(size=3))
    time = np.cumsum(rng.uniform(0.005, 0.05, 40))
    found = angular_velocities(exp_so3(w * time[:, None]) @ R0, time)
    np.testing.assert_allclose(found, np.tile(w, (40, 1)), atol=1e-10)


def test_error_of_angular_velocities_falls_with_the_square_of_the_gap() -> None:
    def error(rate: float) -> float:
        time = np.arange(0.0, 1.0, 1.0 / rate)
        # precession: Rz(a t) Rx(b t) turns with a z + b Rz(a t) x in world axes
        a, b = 2.0, 3.0
        tilt = exp_so3(np.stack([b * time, 0 * time, 0 * time], axis=-1))
        found = angular_velocities(rotation_z(a * time) @ tilt, time)
        true = np.stack(
            [b * np.cos(a * time), b * np.sin(a * time), np.full_like(time, a)], axis=-1
        )
        return float(np.abs(found - true)[1:-1].max())

    coarse, fine = error(50.0), error(100.0)
    assert fine < 0.3 * coarse


def test_a_single_sample_does_not_turn() -> None:
    assert not angular_velocities(np.eye(3)[None], np.zeros(1)).any()


@pytest.mark.parametrize("size", [0.0, 1e-5, 1e-3, 0.5, 2.0, 3.0])
def test_inverse_right_jacobian_is_the_slope_of_the_logarithm(
    size: float, rng: np.random.Generator
) -> None:
    for e in size * unit_vectors(rng, 10):
        K = inverse_right_jacobian(e)
        for axis in range(3):
            w = STEP * np.eye(3)[axis]
            slope = log_so3(exp_so3(e) @ exp_so3(-w)) - log_so3(exp_so3(e) @ exp_so3(w))
            np.testing.assert_allclose(-slope / (2 * STEP), K[:, axis], atol=SLOPE)


@pytest.fixture(scope="module")
def compiled_log() -> Callable[[Array], Array]:
    inner = compiled.logarithm

    @numba.njit(pipeline_class=EntryCompiler)
    def run(R: Array, out: Array) -> None:
        inner(R, out)

    def log(R: Array) -> Array:
        out = np.empty(3)
        run(R, out)
        return out

    return log


@pytest.fixture(scope="module")
def compiled_exp() -> Callable[[Array], Array]:
    inner = compiled.exponential

    @numba.njit(pipeline_class=EntryCompiler)
    def run(w: Array, out: Array) -> None:
        inner(w[0], w[1], w[2], out)

    def exp(w: Array) -> Array:
        out = np.empty((3, 3))
        run(w, out)
        return out

    return exp


@pytest.mark.parametrize("angle", [0.0, 1e-7, 1e-5, 1.0, 3.0, np.pi - 1e-4, np.pi])
def test_compiled_rotations_are_those_of_numpy(
    angle: float,
    compiled_exp: Callable[[Array], Array],
    compiled_log: Callable[[Array], Array],
    rng: np.random.Generator,
) -> None:
    for w in angle * unit_vectors(rng, 30):
        R = exp_so3(w)
        np.testing.assert_allclose(compiled_exp(w), R, atol=ROUNDING)
        np.testing.assert_allclose(compiled_log(R), log_so3(R), atol=NEAR_PI)
