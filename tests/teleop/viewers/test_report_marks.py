from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teleop.viewers.report_marks import ARROWS, ReportMarks, legend_html


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
    lengths = np.linalg.norm(arrows[:, 1] - arrows[:, 0], axis=1)
    assert lengths.sum() == pytest.approx(ARROWS)


def test_the_legend_names_every_mark() -> None:
    for name in ("centre of mass", "DCM", "ZMP", "support", "forces"):
        assert name in legend_html()
