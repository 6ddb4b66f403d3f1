from __future__ import annotations

import dataclasses
import importlib

import numpy as np
import pytest
from telexist.retarget.follow.retargeter import Retargeter
from telexist.retarget.recordings.builtin.clip import builtin_clip
from telexist.retarget.segments import SEGMENTS
from telexist.robots.description.robot_model import load_robot
from telexist.teleop.viewers.figures.figure import Figure, human_figure
from telexist.teleop.viewers.figures.robot_figure import robot_figure
from telexist.teleop.viewers.figures.solid import SceneMesh, capsule, thinned


@pytest.fixture(scope="module")
def clip():
    whole = builtin_clip(rate=30.0)
    kept = slice(0, 20)
    names = ("time", "rotations", "angular_velocities", "positions")
    arrays = {name: getattr(whole, name)[kept] for name in names}
    return dataclasses.replace(
        whole, linear_velocities=whole.linear_velocities[kept], **arrays
    )


def shown(figure: Figure, k: int) -> np.ndarray:
    """Return all vertices in the world at frame k."""
    points = []
    for solid in figure.solids:
        part = figure.parts.index(solid.part)
        R, p = figure.rotations[k, part], figure.positions[k, part]
        points.append(solid.vertices @ R.T + p)
    return np.concatenate(points)


def test_capsule_reaches_from_end_to_end() -> None:
    start, end = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.5])
    solid = capsule("part", start, end, radius=0.1, colour=(1, 2, 3))
    low, high = solid.vertices.min(axis=0), solid.vertices.max(axis=0)
    # The mesh is inscribed: up to 4 % of the radius is missing between its corners.
    np.testing.assert_allclose(low, [0.9, 1.9, 2.9], atol=4e-3)
    np.testing.assert_allclose(high, [1.1, 2.1, 3.6], atol=4e-3)


def test_person_stands_on_the_floor_at_full_height(clip) -> None:
    figure = human_figure(clip)
    assert figure.parts == SEGMENTS
    points = shown(figure, 0)
    assert abs(points[:, 2].min()) < 0.06
    assert points[:, 2].max() == pytest.approx(clip.size.height, abs=0.1)


@pytest.mark.parametrize("name", ["icub", "human66"])
def test_robot_stands_on_the_floor(clip, name: str) -> None:
    robot = load_robot(name)
    motion = Retargeter(robot.body, clip.size).run(clip)
    figure = robot_figure(robot, motion, clip)
    points = shown(figure, 0)
    assert abs(points[:, 2].min()) < 0.03
    assert points[:, 2].max() == pytest.approx(figure.height, rel=0.25)
    assert set(figure.readings) == {"limbs", "links"}
    assert all(len(values) == len(clip) for values in figure.readings.values())


def test_robot_without_meshes_is_a_skeleton(clip, monkeypatch) -> None:
    robot = load_robot("icub")
    module = importlib.import_module("telexist.teleop.viewers.figures.robot_figure")
    monkeypatch.setattr(module, "visual_shapes", lambda urdf: ())
    motion = Retargeter(robot.body, clip.size).run(clip)
    figure = robot_figure(robot, motion, clip)
    assert len(figure.solids) >= 8
    points = shown(figure, 0)
    assert -0.1 < points[:, 2].min() < 0.2
    assert points[:, 2].max() > 0.5


def test_motion_of_other_times_has_no_errors(clip) -> None:
    robot = load_robot("human66")
    motion = Retargeter(robot.body, clip.size).run(clip)
    later = dataclasses.replace(motion, time=motion.time + 1.0)
    assert robot_figure(robot, later, clip).readings == {}


def test_nearest_frame_is_shown(clip) -> None:
    figure = human_figure(clip)
    for k, time in enumerate(clip.time):
        assert figure.index(float(time) + 0.01) == k
        assert figure.index(float(time) - 0.01) == k
    assert figure.index(1e9) == len(clip) - 1


def test_thinning_keeps_the_shape() -> None:
    angles = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=-1)
    vertices = np.concatenate([0.1 * ring, 0.1 * ring + [0.0, 0.0, 0.2]])
    a = np.arange(400)
    b = (a + 1) % 400
    faces = np.concatenate(
        [np.stack([a, b, a + 400], -1), np.stack([b, b + 400, a + 400], -1)]
    )
    solid = SceneMesh(part="tube", vertices=vertices, faces=faces, colour=(0, 0, 0))
    (thin,) = thinned([solid], 200)
    assert 20 < len(thin.faces) <= 200
    np.testing.assert_allclose(np.ptp(thin.vertices, axis=0), [0.2, 0.2, 0.2], rtol=0.1)
    assert thinned([solid], 1000)[0] is solid
