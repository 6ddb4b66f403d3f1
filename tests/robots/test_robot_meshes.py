"""Shapes of robots for viewers, and how far they reach."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from telexist.robots.check.shape_bounds import shape_reach
from telexist.robots.description.robot_model import load_robot
from telexist.robots.urdf.meshes import (
    LinkShape,
    collision_shapes,
    missing_meshes,
    visual_shapes,
)
from telexist.robots.urdf.read_urdf import parse_urdf
from telexist.robots.urdf.urdf import Pose

SHIFTED = Pose(p=np.array([1.0, 2.0, 3.0]), R=np.eye(3))
DIAGONAL = np.array([0.6, 0.0, 0.8])


def shape(kind: str, size: tuple[float, ...]) -> LinkShape:
    return LinkShape(
        link="a",
        pose=SHIFTED,
        kind=kind,  # type: ignore[arg-type]
        size=size,
        mesh=None,
        scale=(1.0, 1.0, 1.0),
        colour=None,
    )


def test_default_robot_has_all_its_meshes() -> None:
    urdf = load_robot("icub").urdf
    assert missing_meshes(urdf) == ()
    shapes = visual_shapes(urdf)
    assert len(shapes) > 30
    assert all(s.mesh is not None and s.mesh.is_file() for s in shapes)
    assert {s.link for s in shapes} <= set(urdf.links)


def test_missing_meshes_are_listed_and_left_out() -> None:
    text = """<robot name="r"><link name="a">
    <visual><geometry><mesh filename="package://x/gone.stl"/></geometry></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision></link></robot>"""
    urdf = parse_urdf(text, path=Path("/nowhere/r.urdf"))
    assert missing_meshes(urdf) == ("package://x/gone.stl",)
    assert visual_shapes(urdf) == ()
    assert [s.kind for s in collision_shapes(urdf)] == ["box"]


@pytest.mark.parametrize(
    ("kind", "size", "reach"),
    [
        ("box", (2.0, 4.0, 6.0), 0.6 * 1.0 + 0.8 * 3.0),
        ("sphere", (0.5,), 0.5),
        ("cylinder", (0.5, 2.0), 0.8 * 1.0 + 0.6 * 0.5),
        ("capsule", (0.5, 2.0), 0.8 * 1.0 + 0.5),
    ],
)
def test_reach_of_simple_shapes(
    kind: str, size: tuple[float, ...], reach: float
) -> None:
    middle = float(DIAGONAL @ SHIFTED.p)
    assert shape_reach(shape(kind, size), DIAGONAL) == pytest.approx(middle + reach)


def test_reach_of_a_mesh_is_that_of_its_corners(tmp_path: Path) -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    faces = ["f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    path = tmp_path / "corner.obj"
    path.write_text("\n".join([*lines, *faces, ""]), encoding="utf-8")
    text = f"""<robot name="r"><link name="a"><collision>
    <origin xyz="0 0 5"/>
    <geometry><mesh filename="{path.name}" scale="1 1 2"/></geometry>
    </collision></link></robot>"""
    (mesh,) = collision_shapes(parse_urdf(text, path=tmp_path / "r.urdf"))
    assert shape_reach(mesh, np.array([0.0, 0.0, 1.0])) == pytest.approx(7.0)
    assert shape_reach(mesh, np.array([1.0, 0.0, 0.0])) == pytest.approx(1.0)


def test_unreadable_mesh_has_no_reach(tmp_path: Path) -> None:
    (tmp_path / "bad.stl").write_bytes(b"not a mesh")
    text = """<robot name="r"><link name="a"><collision><geometry>
    <mesh filename="bad.stl"/></geometry></collision></link></robot>"""
    (mesh,) = collision_shapes(parse_urdf(text, path=tmp_path / "r.urdf"))
    assert shape_reach(mesh, np.array([0.0, 0.0, 1.0])) is None
