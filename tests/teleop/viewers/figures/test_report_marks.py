from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.viewers.figures.report_marks import (
    ARROWS,
    ReportMarks,
    legend_html,
)


class Scene:
    """Keeps what is drawn, by name."""

    def __init__(self) -> None:
        self.nodes: dict[str, Any] = {}

    def _add(self, name: str, **properties: Any) -> Any:
        scene = self

        class Node:
            def __init__(self) -> None:
                self.__dict__.update(properties)

            def remove(self) -> None:
                scene.nodes.pop(name, None)

        self.nodes[name] = Node()
        return self.nodes[name]

    add_icosphere = add_line_segments = add_arrows = _add


def test_the_centre_of_mass_has_a_plumb_line_that_goes_with_it() -> None:
    scene = Scene()
    marks = ReportMarks(scene, "/c")
    marks.show({"com": np.array([0.1, 0.2, 0.6])})
    top, bottom = scene.nodes["/c/plumb"].points[0]
    assert np.allclose(top, [0.1, 0.2, 0.6])
    assert np.allclose(bottom[:2], [0.1, 0.2])
    assert bottom[2] < 0.01
    marks.show({})
    assert not scene.nodes


@pytest.mark.parametrize("weight", [50.0, 1500.0])
def test_forces_are_drawn_alike_whatever_the_robot_weighs(weight: float) -> None:
    scene = Scene()
    contacts = np.zeros((2, 6))
    contacts[:, 5] = weight / 2.0
    ReportMarks(scene, "/c").show({"contacts": contacts})
    arrows = scene.nodes["/c/contacts"].points
    assert len(arrows) == 2
    lengths = np.linalg.norm(arrows[:, 1] - arrows[:, 0], axis=1)
    assert lengths.sum() == pytest.approx(ARROWS)


def test_support_and_forces_move_without_being_drawn_anew() -> None:
    """One foot or two: a browser that must draw anew is late."""
    scene = Scene()
    marks = ReportMarks(scene, "/c")
    one = np.array([[0.0, 0.0], [0.2, 0.0], [0.2, 0.1], [0.0, 0.1]])
    two = np.array([*one, [0.1, 0.4], [-0.1, 0.3]])
    forces = np.tile([0.0, 0.0, 0.0, 0.0, 0.0, 300.0], (2, 1))
    marks.show({"support": two, "contacts": forces})
    before = dict(scene.nodes)
    marks.show({"support": one, "contacts": forces[:1]})
    assert scene.nodes == before
    seen = scene.nodes["/c/support"].points
    assert {tuple(p) for p in seen[..., :2].reshape(-1, 2).round(6)} == {
        tuple(p) for p in one.astype(np.float32).round(6)
    }
    arrows = scene.nodes["/c/contacts"].points
    assert np.allclose(arrows[:, 1, 2], ARROWS)


def test_the_legend_names_every_mark() -> None:
    marks = ("centre of mass", "DCM", "ZMP", "support", "forces", "next steps")
    for name in marks:
        assert name in legend_html()


@pytest.mark.parametrize("height", [0.0, -0.03, 0.2])
def test_marks_lie_on_the_floor_where_the_soles_are(height: float) -> None:
    scene = Scene()
    marks = ReportMarks(scene, "/c")
    report = {
        "com": np.array([0.1, 0.2, 0.6]),
        "dcm": np.array([0.1, 0.2]),
        "zmp": np.array([0.1, 0.2]),
        "support": np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        "footsteps": np.array([[0.3, 0.1, 0.0, 0.0]]),
    }
    marks.show(report)  # without a word about it: at 0
    marks.show(report | {"floor": np.array([height])})
    nodes = scene.nodes
    for name in ("dcm", "zmp"):
        assert nodes[f"/c/{name}"].position[2] == pytest.approx(height)
    for name in ("support", "footsteps"):
        assert np.allclose(nodes[f"/c/{name}"].points[..., 2], height, atol=0.01)
    assert nodes["/c/com"].position[2] == 0.6
    assert nodes["/c/plumb"].points[0, 1, 2] == pytest.approx(height, abs=0.01)


def test_footsteps_are_as_large_as_the_robots_soles(
    body_of: Callable[[str], RobotBody],
) -> None:
    scene, body = Scene(), body_of("icub")
    marks = ReportMarks(scene, "/c")
    marks.take_soles(body)
    marks.show({"footsteps": np.array([[1.0, 2.0, 0.0, 0.0], [1.0, 0.0, 0.0, 1.0]])})
    corners = scene.nodes["/c/footsteps"].points[:, 0, :2].reshape(2, 4, 2)
    for side, step in zip(("left", "right"), corners, strict=True):
        sole = body.soles[side]
        assert np.allclose(np.ptp(step, axis=0), [sole.length, sole.width])
    assert np.allclose(corners.mean(axis=1), [[1.0, 2.0], [1.0, 0.0]])
