"""The nodes of a glTF scene: where they hang, how they stand, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.recordings.gltf.container import GltfFile
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation

__all__ = ["GltfNode", "ordered", "read_nodes"]

_MOST_NODES = 20_000
_LARGEST = 1e7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GltfNode:
    """One node.

    Attributes:
        name: Its name, unique in the file.
        parent: Index of the node above, -1 at the top.
        translation: In the parent (3,), units of the parent.
        quat_xyzw: `parent_R_node` as the format writes quaternions (4,).
        scale: Of what hangs below (3,).
    """

    name: str
    parent: int
    translation: Array
    quat_xyzw: Array
    scale: Array


def read_nodes(file: GltfFile) -> tuple[GltfNode, ...]:
    """Return all nodes.

    Raises:
        BadRecording: If one hangs on two others or on itself, or is no transform.
    """
    tables = file.tables("nodes")
    if len(tables) > _MOST_NODES:
        raise file.bad(f"has more than {_MOST_NODES} nodes")
    parents = _parents(file, tables)
    names: dict[str, int] = {}
    nodes = []
    for index, table in enumerate(tables):
        name = str(table.get("name") or f"node {index}")[:200]
        count = names[name] = names.get(name, 0) + 1
        nodes.append(
            GltfNode(
                name=name if count == 1 else f"{name}#{count}",
                parent=parents[index],
                **_transform(file, index, table),
            )
        )
    if len(ordered(tuple(nodes))) != len(nodes):  # not reached from any top
        raise file.bad("some hang on themselves", "nodes")
    return tuple(nodes)


def ordered(nodes: tuple[GltfNode, ...]) -> list[int]:
    """Return the nodes' indices, parents first."""
    children: list[list[int]] = [[] for _ in nodes]
    waiting: list[int] = []
    for index, node in enumerate(nodes):
        (children[node.parent] if node.parent >= 0 else waiting).append(index)
    order = []
    waiting.reverse()
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting.extend(reversed(children[index]))
    return order


def _parents(file: GltfFile, tables: list[dict[str, Any]]) -> list[int]:
    parents = [-1] * len(tables)
    for index, table in enumerate(tables):
        children = table.get("children", [])
        if not isinstance(children, list):
            raise file.bad("its children are no list", f"nodes[{index}]")
        for child in children:
            good = isinstance(child, int) and 0 <= child < len(tables)
            if not good or child == index or parents[child] >= 0:
                problem = f"its child {child!r:.20} is none, or hangs elsewhere too"
                raise file.bad(problem, f"nodes[{index}]")
            parents[child] = index
    return parents


def _transform(
    file: GltfFile, index: int, table: Mapping[str, Any]
) -> dict[str, Array]:
    place = f"nodes[{index}]"
    if "matrix" in table:
        return _of_matrix(file, _vector(file, table["matrix"], 16, place), place)
    parts = {
        "translation": _vector(file, table.get("translation", [0, 0, 0]), 3, place),
        "quat_xyzw": _vector(file, table.get("rotation", [0, 0, 0, 1]), 4, place),
        "scale": _vector(file, table.get("scale", [1, 1, 1]), 3, place),
    }
    length = float(np.linalg.norm(parts["quat_xyzw"]))
    if length < 1e-6:
        raise file.bad("its rotation has no length", place)
    parts["quat_xyzw"] = parts["quat_xyzw"] / length
    return parts


def _vector(file: GltfFile, value: object, size: int, place: str) -> Array:
    good = isinstance(value, list) and len(value) == size
    numbers = value if isinstance(value, list) and good else []
    if not good or any(
        not isinstance(x, int | float) or not abs(x) < _LARGEST for x in numbers
    ):
        raise file.bad(f"expected {size} numbers", place)
    return np.array(numbers, dtype=np.float64)


def _of_matrix(file: GltfFile, values: Array, place: str) -> dict[str, Array]:
    M = values.reshape(4, 4).T  # stored by columns
    scale = np.linalg.norm(M[:3, :3], axis=0)
    if scale.min() < 1e-9:
        raise file.bad("its matrix is flat", place)
    if np.linalg.det(M[:3, :3]) < 0.0:
        scale[0] = -scale[0]
    U, _, Vt = np.linalg.svd(M[:3, :3] / scale)
    quat_wxyz = quat_wxyz_from_rotation(U @ Vt)
    return {
        "translation": M[:3, 3].copy(),
        "quat_xyzw": quat_wxyz[[1, 2, 3, 0]],
        "scale": scale,
    }
