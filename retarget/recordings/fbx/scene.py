"""Objects and connections of an FBX file: nodes, takes, and the curves of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.fbx.binary import FbxRecord
from telexist.retarget.recordings.fbx.curves import FbxCurve, read_curve
from telexist.retarget.so3 import Array

__all__ = ["FbxModel", "FbxScene", "FbxTake", "read_scene"]

_MOST_MODELS = 20_000
_LARGEST = 1e9


@dataclass(slots=True, kw_only=True, eq=False)
class FbxModel:
    """A node.

    Attributes:
        name: Its name.
        kind: "LimbNode", "Null", "Mesh", ...
        parent: Index of the node above, -1 at the top.
        properties: Name to numbers, such as "Lcl Rotation" in degrees.
        bound: Where it was when the skin was bound (4, 4), if the file says.
    """

    name: str
    kind: str
    parent: int
    properties: Mapping[str, Array]
    bound: Array | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class FbxTake:
    """An animation.

    Attributes:
        name: Its name.
        curves: (node, property, axis) to its curve.
        layers: How many it has; the first one counts.
    """

    name: str
    curves: dict[tuple[int, str, int], FbxCurve] = field(default_factory=dict)
    layers: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FbxScene:
    """What is in a file.

    Attributes:
        models: All nodes.
        takes: All animations that move something.
        up: Axis that points up, "y" or "-z", or None.
    """

    models: tuple[FbxModel, ...]
    takes: tuple[FbxTake, ...]
    up: str | None


def read_scene(path: Path, top: FbxRecord) -> FbxScene:
    """Return nodes and takes.

    Raises:
        BadRecording: Naming the object that is wrong.
    """
    objects = top.first("Objects")
    if objects is None:
        raise BadRecording(path, "holds no objects")
    by_id = {key: r for r in objects.inner if (key := r.whole(0)) is not None}
    links = _links(top)
    models, index = _models(path, objects, links)
    _add_bound(path, objects, models, index)
    takes = [_take(path, r, by_id, links, index) for r in objects.all("AnimationStack")]
    return FbxScene(
        models=tuple(models),
        takes=tuple(take for take in takes if take.curves),
        up=_up(top),
    )


_Links = Mapping[int, list[tuple[int, str]]]
"""Object to the objects that hang on it, each with the property it drives."""


def _links(top: FbxRecord) -> _Links:
    links: dict[int, list[tuple[int, str]]] = {}
    connections = top.first("Connections")
    for record in connections.inner if connections is not None else []:
        child, parent = record.whole(1), record.whole(2)
        if record.text(0) in ("OO", "OP") and child is not None and parent is not None:
            links.setdefault(parent, []).append((child, record.text(3)))
    return links


def _name(record: FbxRecord) -> str:
    """Return the name, which the class follows."""
    return record.text(1).partition("\0")[0][:200]


def _models(
    path: Path, objects: FbxRecord, links: _Links
) -> tuple[list[FbxModel], dict[int, int]]:
    records = [r for r in objects.all("Model") if r.whole(0) is not None]
    if len(records) > _MOST_MODELS:
        raise BadRecording(path, f"has more than {_MOST_MODELS} nodes")
    index = {int(r.values[0]): k for k, r in enumerate(records)}
    models = [
        FbxModel(
            name=_name(record) or f"node {k}",
            kind=record.text(2),
            parent=-1,
            properties=_properties(path, record),
        )
        for k, record in enumerate(records)
    ]
    for key, above in index.items():
        for child, _ in links.get(key, ()):
            if child in index and models[index[child]].parent < 0:
                models[index[child]].parent = above
    return models, index


def _properties(path: Path, record: FbxRecord) -> dict[str, Array]:
    """Return the numbers in a table of properties."""
    table = record.first("Properties70")
    found: dict[str, Array] = {}
    for entry in table.all("P") if table is not None else []:
        numbers = [v for v in entry.values[4:] if isinstance(v, int | float)]
        if numbers:
            values = np.array([float(v) for v in numbers])
            if not np.all(np.abs(values) < _LARGEST):
                place = f"{_name(record)}, {entry.text(0)}"
                raise BadRecording(path, "is not finite or huge", place=place)
            found[entry.text(0)] = values
    return found


def _add_bound(
    path: Path, objects: FbxRecord, models: list[FbxModel], index: Mapping[int, int]
) -> None:
    for pose in objects.all("Pose"):
        if pose.text(2) != "BindPose":
            continue
        for node in pose.all("PoseNode"):
            named = node.first("Node")
            key = named.whole(0) if named is not None else None
            values = _checked(path, node, "Matrix", "a bind pose")
            if key is None or key not in index or values is None:
                continue
            if values.shape == (16,):
                matrix = values.reshape(4, 4).T  # stored by columns
                if np.isfinite(matrix).all() and abs(np.linalg.det(matrix)) > 1e-12:
                    models[index[key]].bound = matrix


def _checked(path: Path, record: FbxRecord, name: str, place: str) -> Array | None:
    try:
        return record.array(name)
    except ValueError as error:
        raise BadRecording(path, str(error), place=place) from error


def _take(
    path: Path,
    stack: FbxRecord,
    by_id: Mapping[int, FbxRecord],
    links: _Links,
    index: Mapping[int, int],
) -> FbxTake:
    take = FbxTake(name=_name(stack) or "unnamed")
    driven = _driven(links, index)
    for layer, _ in links.get(int(stack.whole(0) or 0), ()):
        if layer not in by_id or by_id[layer].name != "AnimationLayer":
            continue
        take.layers += 1
        if take.curves:
            continue
        for node, _ in links.get(layer, ()):
            for model, name in driven.get(node, ()):
                _add_curves(path, take, (model, name), links.get(node, ()), by_id)
    return take


def _driven(links: _Links, index: Mapping[int, int]) -> _Links:
    """Return the object of curves to the nodes and properties that it drives."""
    driven: dict[int, list[tuple[int, str]]] = {}
    for key, model in index.items():
        for child, name in links.get(key, ()):
            if name.startswith("Lcl "):
                driven.setdefault(child, []).append((model, name))
    return driven


def _add_curves(
    path: Path,
    take: FbxTake,
    moved: tuple[int, str],
    curves: list[tuple[int, str]] | tuple[()],
    by_id: Mapping[int, FbxRecord],
) -> None:
    for key, axis in curves:
        record = by_id.get(key)
        if record is None or axis not in ("d|X", "d|Y", "d|Z"):
            continue
        try:
            curve = read_curve(record)
        except ValueError as error:
            place = f"AnimationCurve {key}"
            raise BadRecording(path, str(error), place=place) from error
        if curve is not None:
            take.curves[(*moved, "XYZ".index(axis[-1]))] = curve


def _up(top: FbxRecord) -> str | None:
    settings = top.first("GlobalSettings")
    table = settings.first("Properties70") if settings is not None else None
    found = {
        entry.text(0): entry.whole(4)
        for entry in (table.all("P") if table is not None else ())
    }
    axis, sign = found.get("UpAxis"), found.get("UpAxisSign", 1)
    if axis not in (0, 1, 2):
        return None
    return ("-" if sign == -1 else "") + "xyz"[axis]
