"""Pairs that a plane parts: none of them may touch, and few others may be left."""

from __future__ import annotations

from itertools import combinations

import coal
import numpy as np
from telexist.retarget.link_hull import LinkHull, hull_of
from telexist.retarget.metrics.near_hulls import lowest_points, near_pairs, stack_hulls
from telexist.retarget.so3 import Array, exp_so3

SHAPES, FRAMES = 8, 120


def random_hulls() -> list[LinkHull]:
    rng = np.random.default_rng(11)
    sizes = rng.uniform(0.02, 0.3, (SHAPES, 3))
    return [
        hull_of(f"l{k}", rng.normal(size=(30, 3)) * sizes[k]) for k in range(SHAPES)
    ]


def random_poses() -> tuple[Array, Array]:
    rng = np.random.default_rng(12)
    R = exp_so3(rng.normal(size=(FRAMES, SHAPES, 3)))
    return R, rng.uniform(-0.6, 0.6, (FRAMES, SHAPES, 3))


def distance(hulls: list[LinkHull], i: int, j: int, R: Array, p: Array) -> float:
    shapes = []
    for k in (i, j):
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for vertex in hulls[k].vertices:
            points.append(vertex)
        for a, b, c in hulls[k].faces.tolist():
            triangles.append(coal.Triangle(a, b, c))
        shapes.append(coal.Convex(points, triangles))
    one, other = (coal.Transform3s(R[k], p[k]) for k in (i, j))
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    return float(coal.distance(shapes[0], one, shapes[1], other, request, result))


def test_no_pair_that_touches_is_left_out_and_most_others_are() -> None:
    hulls, (R, p) = random_hulls(), random_poses()
    pairs = np.array(list(combinations(range(SHAPES), 2)))
    near = set(near_pairs(stack_hulls(hulls), pairs, R, p))
    left, touching = 0, 0
    for t in range(FRAMES):
        for k, (i, j) in enumerate(pairs.tolist()):
            touches = distance(hulls, i, j, R[t], p[t]) <= 0.0
            touching += touches
            left += (t, k) in near
            assert (t, k) in near or not touches
    assert touching > 200, "the test has something to find"
    assert left < 1.5 * touching


def test_shapes_far_apart_and_one_in_the_other() -> None:
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    hulls = [hull_of("a", 0.1 * cube), hull_of("b", 0.5 * cube)]
    R = np.tile(np.eye(3), (3, 2, 1, 1))
    p = np.zeros((3, 2, 3))
    p[1, 1] = [0.61, 0.0, 0.0]  # parted by a centimetre
    p[2, 1] = [0.59, 0.0, 0.0]
    assert near_pairs(stack_hulls(hulls), np.array([[0, 1]]), R, p) == [(0, 0), (2, 0)]


def test_the_lowest_point_is_that_of_the_corners() -> None:
    hulls, (R, p) = random_hulls(), random_poses()
    found = lowest_points(stack_hulls(hulls), R, p)
    for k, hull in enumerate(hulls):
        corners = hull.vertices @ np.swapaxes(R[:, k], -1, -2) + p[:, None, k]
        assert np.abs(found[:, k] - corners[..., 2].min(axis=1)).max() < 1e-12
