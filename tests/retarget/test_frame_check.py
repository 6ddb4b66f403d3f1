"""The compiled checks of frames against numpy's own words for the same."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.frame_check import are_finite, are_rotations
from telexist.retarget.signals import frozen_array
from telexist.retarget.so3 import rotation_from_rpy


def _witness(R: np.ndarray) -> bool:
    if not np.isfinite(R).all():
        return False
    square = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max()
    return bool(square <= 1e-3 and np.linalg.det(R).min() > 0.0)


@pytest.mark.parametrize("size", [0.0, 1e-4, 3e-4, 6e-4, 1e-3, 1e-1, 10.0])
def test_matrices_are_rotations_where_numpy_says_so(size: float) -> None:
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        R = rotation_from_rpy(rng.uniform(-3.0, 3.0, (5, 3)))
        R[2] += rng.normal(0.0, size, (3, 3)) if size else 0.0
        found.append(bool(are_rotations(frozen_array(R, (5, 3, 3), "R"))))
        assert found[-1] == _witness(R)
    if size == 0.0:
        assert all(found)
    if size >= 0.1:
        assert not any(found)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_one_bad_entry_is_found(bad: float) -> None:
    R, p = np.tile(np.eye(3), (23, 1, 1)), np.zeros((23, 3))
    for k in range(3):
        R_bad, p_bad = R.copy(), p.copy()
        R_bad[22, k, 2 - k], p_bad[22, k] = bad, bad
        assert not are_rotations(frozen_array(R_bad, (23, 3, 3), "R"))
        assert are_finite(frozen_array(p_bad, (23, 3), "p")) == np.isfinite(bad)
    assert are_rotations(frozen_array(R, (23, 3, 3), "R"))


def test_mirrors_are_no_rotations() -> None:
    R = np.tile(np.diag([1.0, -1.0, 1.0]), (2, 1, 1))
    assert not are_rotations(frozen_array(R, (2, 3, 3), "R"))


def test_frames_are_kept_in_the_order_that_is_compiled_for() -> None:
    turned = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    assert frozen_array(turned, (4, 3), "p").flags.c_contiguous
