"""Shapes become few rounded convex solids that stay close to them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull
from telexist.retarget.link_hull import RoundedHull
from telexist.retarget.so3 import Array
from telexist.retarget.solids import cut_in_pieces, rounded_hull

CLOSE = 0.004  # [m] grain, missed corners and rounded edges together


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Array:
    """Return the triangles of a box."""
    ends = np.array([low, high])
    grid = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    corners = np.stack([ends[grid[:, k], k] for k in range(3)], axis=-1)
    return corners[ConvexHull(corners).simplices]


def rod(radius: float, length: float) -> Array:
    turn = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    ring = radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    points = np.concatenate(
        [np.column_stack([ring, np.full(40, z)]) for z in (0.0, length)]
    )
    return points[ConvexHull(points).simplices]


def distance_to_hull(point: Array, corners: Array) -> float:
    """Return how far a point is from a hull: a small least squares problem."""
    big = 1e3
    A = np.vstack([corners.T, np.full(len(corners), big)])
    shares = nnls(A, np.append(point, big))[0]
    return float(np.linalg.norm(shares @ corners - point))


def beyond(point: Array, solids: list[RoundedHull]) -> float:
    """Return how far a point is outside all of some solids."""
    return min(distance_to_hull(point, s.corners) - s.radius for s in solids)


def test_a_convex_shape_stays_one_piece() -> None:
    for shape in (box((0, 0, 0), (0.1, 0.2, 0.3)), rod(0.05, 0.3)):
        assert len(cut_in_pieces(shape)) == 1


def test_a_bent_shape_becomes_pieces_of_its_own_volume() -> None:
    bent = np.concatenate(
        [box((0, 0, 0), (0.1, 0.1, 0.4)), box((0, 0, 0.3), (0.4, 0.1, 0.4))]
    )
    pieces = cut_in_pieces(bent)
    volume = sum(ConvexHull(piece).volume for piece in pieces)
    true = 0.1 * 0.1 * 0.4 + 0.3 * 0.1 * 0.1
    assert len(pieces) >= 2
    assert ConvexHull(bent.reshape(-1, 3)).volume > 1.5 * true
    assert volume < 1.2 * true


def test_pieces_hold_every_corner_of_the_shape() -> None:
    rng = np.random.default_rng(2)
    bent = np.concatenate(
        [box((0, 0, 0), (0.1, 0.1, 0.4)), box((0, 0, 0.3), (0.4, 0.1, 0.4))]
    )
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    solids = [
        solid
        for piece in cut_in_pieces(bent @ turn.T)
        if (solid := rounded_hull("arm", piece)) is not None
    ]
    worst = max(beyond(point, solids) for point in (bent @ turn.T).reshape(-1, 3))
    # what a radius of 15 mm takes off where three edges meet, one of them a cut
    assert worst < 0.018


@pytest.mark.parametrize("shape", [rod(0.05, 0.3), box((0, 0, 0), (0.2, 0.1, 0.06))])
def test_a_rounded_hull_is_as_wide_as_its_shape(shape: Array) -> None:
    points = shape.reshape(-1, 3)
    solid = rounded_hull("arm", points)
    assert solid is not None
    for k in range(3):
        for sign in (-1.0, 1.0):
            true = (sign * points[:, k]).max()
            found = (sign * solid.corners[:, k]).max() + solid.radius
            assert found == pytest.approx(true, abs=CLOSE)


def test_a_rounded_hull_never_reaches_beyond_its_shape() -> None:
    points = rod(0.05, 0.3).reshape(-1, 3)
    solid = rounded_hull("arm", points)
    assert solid is not None
    for direction in np.random.default_rng(3).normal(size=(200, 3)):
        d = direction / np.linalg.norm(direction)
        assert (solid.corners @ d).max() + solid.radius < (points @ d).max() + 1e-4


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((1, 3)),
        np.full((5, 3), np.nan),
        np.zeros((0, 3)),
    ],
)
def test_what_is_no_shape_gives_no_solid(points: Array) -> None:
    assert rounded_hull("arm", points) is None


def test_a_plate_becomes_a_thin_solid() -> None:
    flat = np.array([[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0.0]])
    solid = rounded_hull("plate", flat)
    assert solid is not None
    assert solid.radius < 0.002
    assert np.ptp(solid.corners, axis=0) == pytest.approx([0.1, 0.1, 0.0])
