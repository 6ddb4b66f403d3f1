"""Accelerometers are found on segments, and tell the estimate how those accelerate."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.dynamics import TorqueEstimator, person_model
from telexist.retarget.errors import BadInput
from telexist.retarget.human import adult_size
from telexist.retarget.imu import (
    ImuPlace,
    SegmentAcceleration,
    acceleration_information,
    find_place,
)
from telexist.retarget.recordings import read_clip
from telexist.retarget.segments import SEGMENT_INDEX
from telexist.retarget.so3 import Array, exp_so3, log_so3, rotation_x

NOISE, GYRO = 0.1, 0.02  # [m/s^2], [rad/s]
NEAR = 0.007  # [m] that was reached with two seconds of walking


@cache
def moving(segment: str) -> tuple[SegmentAcceleration, Array, Array]:
    """Return a segment of the built-in person, by finite differences in the world."""
    clip = read_clip(Path("builtin"))
    link, dt = SEGMENT_INDEX[segment], 1.0 / clip.rate
    assert clip.positions is not None
    R, p = clip.rotations[:, link], clip.positions[:, link]
    spin = log_so3(np.swapaxes(R[:-1], 1, 2) @ R[1:]) / dt  # between two frames
    w = 0.5 * (spin[1:] + spin[:-1])
    dw = (spin[1:] - spin[:-1]) / dt
    a = (p[2:] - 2.0 * p[1:-1] + p[:-2]) / dt**2 + [0.0, 0.0, 9.81]
    origin = np.einsum("tji,tj->ti", R[1:-1], a)
    return SegmentAcceleration(origin=origin, w=w, dw=dw), R, p


def readings(segment: str, place: Array) -> Array:
    """Return what a point of a segment feels: its own second differences."""
    clip = read_clip(Path("builtin"))
    _, R, p = moving(segment)
    point = p + R @ place
    a = (point[2:] - 2.0 * point[1:-1] + point[:-2]) * clip.rate**2
    felt: Array = np.einsum("tji,tj->ti", R[1:-1], a + [0.0, 0.0, 9.81])
    return felt


@pytest.mark.parametrize("segment", ["LeftLowerLeg", "RightForeArm", "LeftUpperLeg"])
def test_an_accelerometer_is_found_on_its_segment(segment: str) -> None:
    place, rng = np.array([0.05, -0.03, -0.12]), np.random.default_rng(0)
    motion, _, _ = moving(segment)
    felt = readings(segment, place)
    strap = rotation_x(0.4)
    told = (felt + NOISE * rng.normal(size=felt.shape)) @ strap
    noisy = SegmentAcceleration(
        origin=motion.origin,
        w=motion.w + GYRO * rng.normal(size=motion.w.shape),
        dw=motion.dw,
    )
    found = find_place(noisy, told, segment_R_imu=strap)
    error = np.abs(found.position - place)
    assert np.all(error < np.maximum(NEAR, 3.0 * found.deviation))
    assert found.deviation.max() < 0.02 and found.condition < 30.0
    assert found.residual == pytest.approx(NOISE, rel=0.5)


def test_the_deviation_of_a_place_is_that_of_its_error() -> None:
    rng = np.random.default_rng(1)
    place, misses, stated = np.array([0.1, 0.0, -0.1]), [], []
    for _ in range(200):
        motion = SegmentAcceleration(
            origin=rng.normal(size=(50, 3)),
            w=rng.normal(size=(50, 3)),
            dw=4.0 * rng.normal(size=(50, 3)),
        )
        felt = motion.origin + np.array(
            [
                np.cross(dw, place) + np.cross(w, np.cross(w, place))
                for w, dw in zip(motion.w, motion.dw, strict=True)
            ]
        )
        felt += NOISE * rng.normal(size=felt.shape)
        found = find_place(motion, felt, noise=NOISE)
        misses.append(found.position - place)
        stated.append(found.deviation)
    inside = np.abs(misses) < 1.96 * np.array(stated)
    assert inside.mean() == pytest.approx(0.95, abs=0.03)


def test_a_motion_about_one_axis_leaves_that_axis_open() -> None:
    time = np.arange(300) / 100.0
    w = np.outer(np.sin(6.0 * time), [0.0, 0.0, 1.0])
    dw = np.outer(6.0 * np.cos(6.0 * time), [0.0, 0.0, 1.0])
    motion = SegmentAcceleration(origin=np.zeros((300, 3)), w=w, dw=dw)
    place = np.array([0.1, 0.05, 0.2])
    felt = np.array(
        [
            np.cross(b, place) + np.cross(a, np.cross(a, place))
            for a, b in zip(w, dw, strict=True)
        ]
    )
    found = find_place(motion, felt)
    assert np.allclose(found.position[:2], place[:2], atol=1e-3)
    assert found.deviation[2] == pytest.approx(0.1, rel=1e-3)  # the prior, and said so
    assert found.deviation[:2].max() < 0.01
    assert found.condition > 1e3 or math.isinf(found.condition)


def test_an_accelerometer_replaces_what_is_known_of_a_joint() -> None:
    """Exact readings of an arm in motion give the torques of exact joints."""
    person = person_model(adult_size(1.75), 75.0)
    rng = np.random.default_rng(2)
    truth = TorqueEstimator(person)
    known = truth.known
    known.q[:], known.dq[:] = 0.4 * rng.normal(size=(2, person.n))
    known.ddq[:] = 3.0 * rng.normal(size=person.n)
    known.ddq_variance[:] = 1e-10
    known.pelvis_w[:] = 0.5 * rng.normal(size=3)
    known.information[0] = 1e8 * np.eye(6)
    known.information_vector[0] = 1e8 * np.array([0.1, -0.2, 9.9, 0.3, 0.1, -0.4])
    for side in ("Left", "Right"):
        known.wrench_cov[SEGMENT_INDEX[f"{side}Foot"]] = 1e4 * np.eye(6)
    truth.step()
    arm = SEGMENT_INDEX["LeftForeArm"]
    w = velocity_of(truth, person, arm)
    doubtful, told = TorqueEstimator(person), TorqueEstimator(person)
    for estimator in (doubtful, told):
        for name in ("q", "dq", "ddq", "ddq_variance", "pelvis_w", "wrench_cov"):
            getattr(estimator.known, name)[:] = getattr(known, name)
        estimator.known.information[0] = known.information[0]
        estimator.known.information_vector[0] = known.information_vector[0]
        axes = person.axes_of("LeftForeArm")
        estimator.known.ddq[axes] = 0.0
        estimator.known.ddq_variance[axes] = 25.0
    for point in ([0.05, 0.0, -0.1], [-0.03, 0.04, -0.2], [0.0, -0.05, 0.0]):
        place = ImuPlace(
            position=np.array(point),
            covariance=1e-12 * np.eye(3),
            condition=1.0,
            residual=0.0,
        )
        a = truth.acceleration[arm]
        reading = a[:3] + np.cross(a[3:], point) + np.cross(w, np.cross(w, point))
        found = acceleration_information(place, reading, w, deviation=1e-3)
        told.known.information[arm] += found.information
        told.known.information_vector[arm] += found.vector
    doubtful.step()
    told.step()
    shoulder = person.axes_of("LeftUpperArm")
    assert np.abs(told.tau - truth.tau).max() < 0.02
    assert np.abs(doubtful.tau - truth.tau)[shoulder].max() > 0.1
    assert np.all(told.tau_variance[shoulder] < 0.1 * doubtful.tau_variance[shoulder])


def velocity_of(estimator: TorqueEstimator, person, link: int) -> Array:  # type: ignore[no-untyped-def]
    """Return the angular velocity of a link, by turning the joints a little."""
    known, h = estimator.known, 1e-6

    def turned(step: float) -> Array:
        other = TorqueEstimator(person)
        other.known.q[:] = known.q + step * known.dq
        other.known.wrench_cov[:] = np.eye(6)
        other.known.information[0] = np.eye(6)
        other.step_means()
        R = exp_so3(step * known.pelvis_w)
        chain = []
        at = link
        while at > 0:
            chain.append(at)
            at = int(person.parent[at])
        for one in reversed(chain):
            R = R @ other.rotations[one]
        return R

    before, after = turned(-h), turned(h)
    w: Array = log_so3(before.T @ after) / (2.0 * h)
    return w


def test_what_makes_no_place_is_refused() -> None:
    motion = SegmentAcceleration(
        origin=np.zeros((30, 3)), w=np.zeros((30, 3)), dw=np.zeros((30, 3))
    )
    with pytest.raises(BadInput, match="readings"):
        find_place(motion, np.zeros((29, 3)))
    with pytest.raises(BadInput, match="finite"):
        find_place(motion, np.full((30, 3), np.nan))
    with pytest.raises(BadInput, match="positive"):
        find_place(motion, np.zeros((30, 3)), noise=0.0)
    with pytest.raises(BadInput, match="finite"):
        SegmentAcceleration(
            origin=np.full((30, 3), np.inf), w=np.zeros((30, 3)), dw=np.zeros((30, 3))
        )
    still = find_place(motion, np.zeros((30, 3)))
    assert math.isinf(still.condition)
    assert np.allclose(still.deviation, 0.1)  # nothing was felt: the prior
    with pytest.raises(BadInput, match="finite"):
        acceleration_information(still, np.full(3, np.nan), np.zeros(3))
