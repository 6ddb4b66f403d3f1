"""Colours and arrows on a person."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.teleop.viewers.figures import PersonForces, effort_colour
from telexist.teleop.viewers.figures.person_forces import GUESSED, SURE


class Parts:
    """Keeps what was painted."""

    def __init__(self) -> None:
        self.colours: dict[str, tuple[int, int, int]] = {}

    def paint(self, colours: dict[str, tuple[int, int, int]]) -> None:
        self.colours.update(colours)


class Scene:
    """Keeps the arrows."""

    def __init__(self) -> None:
        self.arrows: list[Any] = []

    def add_arrows(self, name: str, points: np.ndarray, **options: Any) -> Any:
        node = SimpleNamespace(name=name, points=points, visible=True, **options)
        node.remove = lambda: self.arrows.remove(node)
        self.arrows.append(node)
        return node


def person(**changes: Any) -> dict[str, np.ndarray]:
    wrenches = np.zeros((2, 6))
    wrenches[0, 2] = 9.81 * 70.0
    told = {
        "efforts": np.zeros(len(SEGMENTS)),
        "mass": np.array([70.0]),
        "foot_points": np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]),
        "foot_wrenches": wrenches,
        "measured": np.array([1.0, 0.0]),
    }
    return told | changes


def test_effort_goes_from_pale_to_red_and_no_further() -> None:
    pale, red = effort_colour(0.0), effort_colour(1.0)
    assert red[0] > 180 and red[1] < 80
    assert min(pale) > 190
    assert effort_colour(7.0) == red and effort_colour(-1.0) == pale
    greens = [effort_colour(k / 10)[1] for k in range(1, 11)]
    assert greens == sorted(greens, reverse=True)


def test_the_strained_knee_and_the_loaded_foot_are_seen() -> None:
    parts, scene = Parts(), Scene()
    forces = PersonForces(scene, "/human", parts)  # type: ignore[arg-type]
    forces.show({})
    assert not parts.colours and not scene.arrows
    efforts = np.zeros(len(SEGMENTS))
    efforts[SEGMENT_INDEX["LeftLowerLeg"]] = 1.5 * 70.0
    forces.show(person(efforts=efforts))
    assert parts.colours["LeftLowerLeg"] == effort_colour(1.0)
    assert parts.colours["RightLowerLeg"] == effort_colour(0.0)
    left, right = scene.arrows
    assert left.visible and not right.visible
    assert left.colors == SURE and right.colors == GUESSED
    assert np.allclose(left.points[0, 1] - left.points[0, 0], [0.0, 0.0, 0.9])
    forces.show(person(measured=np.zeros(2)))  # the sensor was lost
    assert len(scene.arrows) == 2
    assert {node.colors for node in scene.arrows} == {GUESSED}


def test_numbers_that_are_none_change_nothing() -> None:
    parts, scene = Parts(), Scene()
    forces = PersonForces(scene, "/human", parts)  # type: ignore[arg-type]
    forces.show(
        person(
            efforts=np.full(len(SEGMENTS), np.nan), foot_points=np.full((2, 3), np.nan)
        )
    )
    assert not parts.colours and not scene.arrows
