"""Hulls of a model's links: right shape, right place, and calm about missing meshes."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.errors import BadInput
from telexist.robots.urdf.find_mesh import find_mesh
from telexist.robots.urdf.link_hulls import link_hulls
from telexist.robots.urdf.read_mesh import mesh_points
from telexist.robots.urdf.read_urdf import parse_urdf

CORNERS = np.array([[0, 0, 0], [0.2, 0, 0], [0, 0.3, 0], [0, 0, 0.4]], dtype=float)
TRIANGLES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def binary_stl() -> bytes:
    data = bytes(80) + struct.pack("<I", len(TRIANGLES))
    for triangle in TRIANGLES:
        numbers = [0.0, 0.0, 0.0, *CORNERS[list(triangle)].reshape(-1)]
        data += struct.pack("<12fH", *numbers, 0)
    return data


def text_stl() -> bytes:
    lines = ["solid tetrahedron"]
    for triangle in TRIANGLES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*CORNERS[k]) for k in triangle]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid tetrahedron", ""]).encode()


def urdf_with(shapes: str) -> str:
    return f'<robot name="r"><link name="body">{shapes}</link></robot>'


def shape(kind: str, inner: str, origin: str = "") -> str:
    return f"<{kind}>{origin}<geometry>{inner}</geometry></{kind}>"


@pytest.mark.parametrize("data", [binary_stl(), text_stl()])
def test_a_mesh_is_read_in_binary_and_in_text(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "part.STL"
    path.write_bytes(data)
    points = np.unique(mesh_points(path).round(6), axis=0)
    np.testing.assert_allclose(points, np.unique(CORNERS, axis=0), atol=1e-6)


@pytest.mark.parametrize("data", [b"", b"\x00" * 90, b"solid nothing", b"\xff" * 500])
def test_garbage_is_no_mesh(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "part.stl"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=r"part\.stl"):
        mesh_points(path)


def test_hulls_are_scaled_and_placed_like_their_shapes(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.stl").write_bytes(binary_stl())
    origin = '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>'
    shapes = shape(
        "visual", '<mesh filename="package://r/meshes/part.stl" scale="2 2 2"/>', origin
    ) + shape("collision", '<box size="0.2 0.4 0.6"/>', origin)
    urdf = parse_urdf(urdf_with(shapes), path=tmp_path / "urdf" / "r.urdf")
    hulls = link_hulls(urdf)
    (drawn,), (solid,) = hulls.visual, hulls.collision
    turned = CORNERS @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    low, high = drawn.vertices.min(axis=0), drawn.vertices.max(axis=0)
    np.testing.assert_allclose(low, [1, 2, 3] + 2 * turned.min(axis=0), atol=1e-6)
    np.testing.assert_allclose(high, [1, 2, 3] + 2 * turned.max(axis=0), atol=1e-6)
    np.testing.assert_allclose(np.ptp(solid.vertices, axis=0), [0.4, 0.2, 0.6])
    assert hulls.missing == ()


def test_round_shapes_have_their_size() -> None:
    shapes = (
        shape("visual", '<cylinder radius="0.1" length="0.5"/>')
        + shape("visual", '<sphere radius="0.2"/>')
        + shape("visual", '<capsule radius="0.1" length="0.5"/>')
    )
    urdf = parse_urdf(urdf_with(shapes), path="r.urdf")
    spans = [np.ptp(hull.vertices, axis=0) for hull in link_hulls(urdf).visual]
    np.testing.assert_allclose(spans[0], [0.2, 0.2, 0.5], atol=0.01)
    np.testing.assert_allclose(spans[1], [0.4, 0.4, 0.4], atol=0.02)
    np.testing.assert_allclose(spans[2], [0.2, 0.2, 0.7], atol=0.01)


def test_missing_meshes_are_listed_and_collision_shapes_drawn_instead() -> None:
    shapes = shape("visual", '<mesh filename="package://x/no.dae"/>') + shape(
        "collision", '<box size="1 1 1"/>'
    )
    hulls = link_hulls(parse_urdf(urdf_with(shapes), path="r.urdf"))
    assert hulls.missing == ("package://x/no.dae",)
    assert len(hulls.visual) == 1


@pytest.mark.parametrize(
    "name",
    ["package://[x/y.stl", "a" * 5000, "x\0y.stl", "package://", "", "http://x/y"],
)
def test_names_that_no_file_has_are_not_found(tmp_path: Path, name: str) -> None:
    assert find_mesh(name, tmp_path / "r.urdf") is None


def test_meshes_are_found_beside_above_and_by_address(tmp_path: Path) -> None:
    mesh = tmp_path / "share" / "bot" / "meshes" / "arm.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_bytes(b"x")
    urdf = tmp_path / "share" / "bot" / "urdf" / "bot.urdf"
    urdf.parent.mkdir()
    for name in (
        "package://bot/meshes/arm.stl",
        "model://bot/meshes/arm.stl",
        "../meshes/arm.stl",
        f"file://{mesh}",
    ):
        found = find_mesh(name, urdf)
        assert found is not None and found.resolve() == mesh
