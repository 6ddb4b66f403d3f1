"""The banded normal equations against dense least squares."""

from __future__ import annotations

import numpy as np
from telexist.retarget.ahead.banded import THIRD, ClipNormal


def test_all_kinds_of_rows_give_the_dense_answer() -> None:
    rng, (t, m) = np.random.default_rng(0), (9, 4)
    normal, rows, right = ClipNormal(t, m), [], []

    def ask(at: list[tuple[int, int]], values: np.ndarray, wanted: float) -> None:
        row = np.zeros((t, m))
        for (k, i), value in zip(at, values, strict=True):
            row[k, i] = value
        rows.append(row.ravel())
        right.append(wanted)

    J, e = rng.normal(size=(t, 5, m)), rng.normal(size=(t, 5))
    normal.add_rows(J, e)
    for k, r in np.ndindex(t, 5):
        ask([(k, i) for i in range(m)], J[k, r], e[k, r])
    weight, e = rng.random((t, m)), rng.normal(size=(t, m))
    normal.add_diagonal(weight, e)
    for k, i in np.ndindex(t, m):
        root = np.sqrt(weight[k, i])
        ask([(k, i)], np.array([root]), root * e[k, i])
    J = rng.normal(size=(t - 2, 2, 3 * m))
    normal.add_triples(J, 2.0)
    for k, r in np.ndindex(t - 2, 2):
        at = [(k + j, i) for j in range(3) for i in range(m)]
        ask(at, np.sqrt(2.0) * J[k, r], 0.0)
    for taps in (THIRD, np.array([-1.0, 1.0])):
        n = t - len(taps) + 1
        weight, e = rng.random((n, m)), rng.normal(size=(n, m))
        normal.add_differences(weight, e, taps)
        for k, i in np.ndindex(n, m):
            root = np.sqrt(weight[k, i])
            at = [(k + j, i) for j in range(len(taps))]
            ask(at, root * taps, root * e[k, i])
    dense = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    found = normal.factor().solve(normal.g)
    np.testing.assert_allclose(found.ravel(), dense, atol=1e-12)
