"""The estimate is the exact posterior: pinocchio and dense linear algebra say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from telexist.retarget.dynamics import TorqueEstimator, person_model, torque_estimator
from telexist.retarget.errors import BadInput, UnknownName
from telexist.retarget.human import adult_size
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS

if TYPE_CHECKING:
    from conftest import PinocchioPerson, State

EXACT = 1e-9  # [N m] of some hundred: rounding of a recursion over seven links
DENSE = 1e-6  # relative, of least squares in 204 unknowns
FEET = (SEGMENT_INDEX["LeftFoot"], SEGMENT_INDEX["RightFoot"])
STATES = 1000


def test_torques_are_those_of_inverse_dynamics(whole_person: PinocchioPerson) -> None:
    estimator, rng = TorqueEstimator(whole_person.person), np.random.default_rng(0)
    for _ in range(STATES):
        state = whole_person.random_state(rng)
        state.tell(estimator)
        estimator.step_means()
        assert np.abs(estimator.tau - state.tau).max() < EXACT
    assert np.abs(estimator.wrench - state.wrench).max() < 1e-8
    assert np.abs(estimator.acceleration - state.a).max() < 1e-8


def test_no_acceleration_needs_to_be_known(human66: PinocchioPerson) -> None:
    """With every wrench and joint known, the root follows from the weight alone."""
    estimator = TorqueEstimator(human66.person)
    state = human66.random_state(np.random.default_rng(1))
    state.tell(estimator)
    estimator.known.information[:] = 0.0
    estimator.known.information_vector[:] = 0.0
    estimator.step()
    assert np.abs(estimator.tau - state.tau).max() < EXACT


def noisy(state: State, estimator: TorqueEstimator, rng: np.random.Generator) -> None:
    """Make everything known uncertain, and wrong as far as it is uncertain."""
    state.tell(estimator)
    known, n = estimator.known, len(state.q)
    known.ddq_variance[:] = 10.0 ** rng.uniform(-2, 1, n)
    known.ddq[:] += np.sqrt(known.ddq_variance) * rng.normal(size=n)
    for link in range(len(SEGMENTS)):
        spread = 10.0 ** rng.uniform(-2, 1, 6)
        if link in FEET:
            spread = 10.0 ** rng.uniform(-1, 2, 6)
        L = np.diag(spread) @ (np.eye(6) + 0.2 * np.tril(rng.normal(size=(6, 6)), -1))
        known.wrench_cov[link] = L @ L.T
        known.wrench[link] += L @ rng.normal(size=6)
        known.information[link], known.information_vector[link] = 0.0, 0.0
    for link in (0, *rng.choice(len(SEGMENTS), 4, replace=False)):
        A = rng.normal(size=(3, 6))
        reading = A @ state.a[link] + rng.normal(size=3)
        known.information[link] = A.T @ A
        known.information_vector[link] = A.T @ reading


def dense_posterior(
    state: State, estimator: TorqueEstimator, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Solve for (pelvis a, s'', all wrenches but the left foot's) by QR.

    Returns torques and wrenches with their covariances.
    """
    known, n, links = estimator.known, len(state.q), len(SEGMENTS)
    nv = 6 + n
    foot = FEET[0]
    others = [link for link in range(links) if link != foot]
    size = nv + 6 * len(others)
    # every wrench, as a map of the unknowns
    wrench_map = np.zeros((links, 6, size))
    offset = np.zeros((links, 6))
    for k, link in enumerate(others):
        wrench_map[link, :, nv + 6 * k : nv + 6 * k + 6] = np.eye(6)
    motion = np.zeros((nv, size))
    motion[:6, :6] = np.eye(6)
    for k, column in enumerate(columns):
        motion[column, 6 + k] = 1.0
    needed = state.M @ motion - np.einsum("lfv,lfx->vx", state.J, wrench_map)
    inverse = np.linalg.inv(state.J[foot, :, :6].T)
    wrench_map[foot], offset[foot] = inverse @ needed[:6], inverse @ state.bias[:6]
    torque_map = (needed - state.J[foot].T @ wrench_map[foot])[columns]
    torque_offset = (state.bias - state.J[foot].T @ offset[foot])[columns]
    rows, wanted = [], []
    for k in range(n):
        row = np.zeros(size)
        row[6 + k] = 1.0
        spread = np.sqrt(known.ddq_variance[k])
        rows.append(row[None] / spread)
        wanted.append([known.ddq[k] / spread])
    for link in range(links):
        W = np.linalg.inv(np.linalg.cholesky(known.wrench_cov[link]))
        rows.append(W @ wrench_map[link])
        wanted.append(W @ (known.wrench[link] - offset[link]))
        values, vectors = np.linalg.eigh(known.information[link])
        keep = values > 1e-9
        root = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
        eta = vectors[:, keep].T @ known.information_vector[link]
        rows.append(root @ state.J[link] @ motion)
        wanted.append(eta / np.sqrt(values[keep]) - root @ state.drift[link])
    Q, R = np.linalg.qr(np.concatenate(rows))
    x = np.linalg.solve(R, Q.T @ np.concatenate(wanted))
    half = np.linalg.solve(R.T, torque_map.T)
    tau_variance = np.sum(half**2, axis=0)
    halves = np.linalg.solve(R.T, wrench_map.reshape(-1, size).T)
    wrench_variance = np.sum(halves**2, axis=0).reshape(links, 6)
    return (
        torque_map @ x + torque_offset,
        tau_variance,
        wrench_map @ x + offset,
        wrench_variance,
    )


@pytest.mark.parametrize("base", ["Pelvis", "LeftFoot", "Head"])
def test_mean_and_variances_are_those_of_the_dense_solution(
    whole_person: PinocchioPerson, base: str
) -> None:
    estimator = TorqueEstimator(whole_person.person, base=base)
    rng = np.random.default_rng(2)
    for _ in range(5):
        state = whole_person.random_state(rng)
        noisy(state, estimator, rng)
        estimator.step()
        tau, tau_variance, wrench, wrench_variance = dense_posterior(
            state, estimator, whole_person.columns
        )
        scale = np.abs(tau).max()
        assert np.abs(estimator.tau - tau).max() < DENSE * scale
        assert np.abs(estimator.tau_variance / tau_variance - 1.0).max() < DENSE
        assert np.abs(estimator.wrench - wrench).max() < DENSE * scale
        found = np.diagonal(estimator.wrench_cov, axis1=1, axis2=2)
        assert np.abs(found / wrench_variance - 1.0).max() < DENSE


def test_the_base_changes_nothing(human66: PinocchioPerson) -> None:
    rng = np.random.default_rng(3)
    state = human66.random_state(rng)
    answers = []
    for base in ("Pelvis", "LeftFoot", "RightHand", "Head"):
        estimator = TorqueEstimator(human66.person, base=base)
        noisy(state, estimator, np.random.default_rng(4))
        estimator.step()
        answers.append((estimator.tau, estimator.ddq, estimator.ddq_variance))
    for tau, ddq, variance in answers[1:]:
        assert np.abs(tau - answers[0][0]).max() < EXACT
        assert np.abs(ddq - answers[0][1]).max() < EXACT
        assert np.abs(variance / answers[0][2] - 1.0).max() < DENSE


def test_stated_intervals_hold_what_they_say(human66: PinocchioPerson) -> None:
    estimator, rng = TorqueEstimator(human66.person), np.random.default_rng(5)
    torques, wrenches = [], []
    for _ in range(200):
        state = human66.random_state(rng)
        noisy(state, estimator, rng)
        estimator.step()
        torques.append((estimator.tau - state.tau) / np.sqrt(estimator.tau_variance))
        spread = np.sqrt(np.diagonal(estimator.wrench_cov, axis1=1, axis2=2))
        miss = (estimator.wrench - state.wrench) / spread
        wrenches.append(miss[list(FEET)])
    for misses in (torques, wrenches):
        inside = float(np.mean(np.abs(np.array(misses)) < 1.96))
        assert abs(inside - 0.95) < 0.015


def test_a_locked_joint_is_no_singularity(human66: PinocchioPerson) -> None:
    """At 90 degrees of the middle axis the other two coincide."""
    estimator = TorqueEstimator(human66.person)
    estimator.known.q[human66.person.axes_of("LeftUpperArm").start + 1] = np.pi / 2
    estimator.known.information[0] = np.eye(6)
    estimator.step()
    assert np.isfinite(estimator.tau_variance).all()
    assert np.all(estimator.tau_variance > 0.0)


def test_steps_allocate_nothing(human66: PinocchioPerson) -> None:
    estimator = TorqueEstimator(human66.person)
    human66.random_state(np.random.default_rng(6)).tell(estimator)
    step = torque_estimator._estimate

    @numba.njit
    def steps(count, links, order, motion, room, answer):  # type: ignore[no-untyped-def]
        for _ in range(count):
            step(links, order, motion, room, answer)

    counts = []
    _nrt_python.memsys_enable_stats()
    try:
        for count in (1, 1, 50):  # the first one compiles
            before = rtsys.get_allocation_stats().alloc
            steps(
                count,
                estimator._links,
                estimator._order,
                estimator._motion,
                (estimator._work, estimator._wide),
                estimator._answer,
            )
            counts.append(rtsys.get_allocation_stats().alloc - before)
    finally:
        _nrt_python.memsys_disable_stats()
    assert counts[1] == counts[2]  # the wrappers of the arrays that are handed over


def test_what_is_not_finite_is_refused_and_the_next_step_is_as_if_it_never_came(
    human66: PinocchioPerson,
) -> None:
    estimator = TorqueEstimator(human66.person)
    state = human66.random_state(np.random.default_rng(7))
    for spoil in (np.nan, np.inf):
        state.tell(estimator)
        estimator.known.wrench[FEET[1], 2] = spoil
        with pytest.raises(BadInput, match="RightFoot|LeftFoot|Pelvis"):
            estimator.step()
    state.tell(estimator)
    toe = SEGMENT_INDEX["RightToe"]
    estimator.known.wrench_cov[toe] = 0.0
    with pytest.raises(BadInput, match="RightToe.*positive"):
        estimator.step()
    estimator.known.wrench_cov[toe] = np.eye(6)
    estimator.step()
    assert np.abs(estimator.tau - state.tau).max() < EXACT


def test_a_base_or_mass_that_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownName, match="Tail"):
        TorqueEstimator(person_model(adult_size(), 70.0), base="Tail")
    with pytest.raises(BadInput, match="mass"):
        person_model(adult_size(), float("nan"))
