"""A generated person with muscles: size, symmetry, rest, and following markers."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.retarget.human.adult_size import adult_size
from telexist.retarget.human.musculoskeletal.body_points import segment_point
from telexist.retarget.human.musculoskeletal.generator import (
    Musculoskeleton,
    musculoskeleton,
)
from telexist.retarget.lm_pfd.iterations import evaluate
from telexist.retarget.lm_pfd.layout import build_problem
from telexist.retarget.lm_pfd.model import point_target
from telexist.retarget.lm_pfd.settings import LmSettings
from telexist.retarget.lm_pfd.solver import solve_pose
from telexist.retarget.segments import SEGMENTS


@pytest.fixture(scope="module")
def body() -> Musculoskeleton:
    return musculoskeleton(adult_size())


def test_model_has_the_size_of_the_letter(body: Musculoskeleton) -> None:
    """[A] has 155 DoF, 338 wires and 34 markers."""
    assert 140 <= body.model.dofs <= 170
    assert 280 <= len(body.model.wires) <= 380
    assert len(body.markers) == 34


def test_branches_are_held_by_wires_from_both_sides(body: Musculoskeleton) -> None:
    """Every branch has wires to at least two segments, so that chains close."""
    branches = {link.name for link in body.model.links} - set(SEGMENTS)
    assert len(branches) == 14
    for branch in branches:
        others = {
            point.link
            for wire in body.model.wires
            for point in wire.path
            if branch in {via.link for via in wire.path} and point.link != branch
        }
        assert len(others) >= 2, branch


def test_no_wire_is_taut_in_n_pose(body: Musculoskeleton) -> None:
    problem = build_problem(body.model, [], LmSettings())
    evaluate(problem)
    assert not np.any(problem.wires["excess"])
    lengths = problem.wires["length"]
    assert np.all(lengths > 0.01)
    assert np.all(lengths < 1.0)


def test_left_is_the_mirror_of_right(body: Musculoskeleton) -> None:
    length = {wire.name: wire.length for wire in body.model.wires}
    right = {k: v for k, v in length.items() if k.startswith("Right")}
    assert 2 * len(right) == len(length)
    for name, value in right.items():
        assert length[name.replace("Right", "Left")] == pytest.approx(value)


def test_wires_grow_with_the_person() -> None:
    small, tall = (musculoskeleton(adult_size(h)).model.wires for h in (1.5, 1.8))
    ratios = [b.length / a.length for a, b in zip(small, tall, strict=True)]
    np.testing.assert_allclose(ratios, 1.2)


def test_markers_of_a_posture_are_found_again(body: Musculoskeleton) -> None:
    """Markers of the N-pose, moved and turned as a whole, cost nothing."""
    problem = build_problem(body.model, [], LmSettings())
    evaluate(problem)
    index = body.model.index()
    targets = []
    for marker in body.markers.values():
        place = problem.links["p"][index[marker.link]] + marker.link_p_point
        x, y, z = place + [0.3, -0.2, 0.1]
        targets.append(point_target(marker.link, marker.link_p_point, [-y, x, z]))
    settings = LmSettings(cost=1e-12, iterations=300)
    solution = solve_pose(body.model, targets, settings=settings)
    assert solution.cost < 1e-11


def test_points_that_are_none_are_named() -> None:
    with pytest.raises(BadInput, match="Wing"):
        segment_point(adult_size(), "Left", "Wing 0 0 0")
