"""Body models of the user's: `SMPLX_NEUTRAL.npz`, `SMPL_MALE.pkl` and their like.

Only what the joints need is read. A folder stands for all models in it: the one whose
path says the kind and the gender of the recording is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadModel, BadRecording
from telexist.retarget.files import array_in, read_arrays, read_pickled_tree
from telexist.retarget.so3 import Array

__all__ = ["SmplModel", "find_model", "read_model"]

_KEYS = ("v_template", "shapedirs", "J_regressor")
_BODY_JOINTS = 22
_MOST_VERTICES = 200_000
_LARGEST = 5.0  # [m] of a vertex from the origin
_MOST_FILES = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmplModel:
    """What a model says of the joints.

    Attributes:
        name: Of its file.
        template: Vertices of the mean body at rest (v, 3) [m].
        shapes: How each shape parameter moves them (v, 3, k) [m].
        regressor: Joints as means of vertices (j, v).
    """

    name: str
    template: Array
    shapes: Array
    regressor: Array


def find_model(place: Path, *, joints: int, gender: str) -> Path:
    """Return the model file that a path stands for.

    Args:
        place: A file, or a folder of models.
        joints: How many the recording has.
        gender: As the recording says; may be empty.

    Raises:
        BadModel: If there is none.
    """
    if place.is_file():
        return place
    if not place.is_dir():
        raise BadModel(str(place), "no such body model: file or folder")
    files = [
        p
        for k, p in enumerate(sorted(place.rglob("*")))
        if k < _MOST_FILES and p.suffix.lower() in (".npz", ".pkl")
    ]
    words = {p: str(p.relative_to(place)).lower() for p in files}
    kind = "smplx" if joints > 52 else "smplh" if joints == 52 else "smpl"
    kinds = (kind, *(k for k in ("smplx", "smplh", "smpl") if k != kind))
    for wanted in kinds:
        for word in dict.fromkeys((gender or "neutral", "neutral", "")):
            for path in files:
                if _is_kind(words[path], wanted) and _is_gender(words[path], word):
                    return path
    problem = "no body model in this folder, such as SMPLX_NEUTRAL.npz"
    raise BadModel(str(place), problem)


def _is_kind(text: str, kind: str) -> bool:
    return re.search(rf"(^|[^a-z]){kind}([^a-z]|$)", text) is not None


def _is_gender(text: str, gender: str) -> bool:
    """Return whether a path is of a gender; `female` has `male` in it."""
    return re.search(rf"(^|[^a-z]){gender[:6]}", text) is not None if gender else True


def read_model(path: Path) -> SmplModel:
    """Read a model; the last few are kept.

    Raises:
        BadModel: Naming the key that is missing or wrong.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise BadModel(str(path), error.strerror or str(error)) from error
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> SmplModel:
    del changed, size  # they only say that the file is still the same
    try:
        tree: Any = (
            read_pickled_tree(path)
            if path.suffix.lower() == ".pkl"
            else read_arrays(path, _KEYS)
        )
    except BadRecording as error:
        raise BadModel(str(path), error.problem, place=error.place) from error
    if not isinstance(tree, Mapping):
        raise BadModel(str(path), "is no body model")
    template, shapes, regressor = (_array(path, tree, key) for key in _KEYS)
    v = len(template)
    for key, found, good in (
        ("v_template", template, template.shape == (v, 3) and v <= _MOST_VERTICES),
        ("shapedirs", shapes, shapes.ndim == 3 and shapes.shape[:2] == (v, 3)),
        (
            "J_regressor",
            regressor,
            regressor.ndim == 2
            and regressor.shape[1] == v
            and len(regressor) >= _BODY_JOINTS,
        ),
    ):
        if not good:
            raise BadModel(str(path), f"has shape {found.shape}", place=key)
    if np.abs(template).max() > _LARGEST:
        raise BadModel(str(path), "is no body in metres", place="v_template")
    return SmplModel(
        name=path.name, template=template, shapes=shapes, regressor=regressor
    )


def _array(path: Path, tree: Mapping[str, Any], key: str) -> Array:
    found = array_in(tree.get(key))
    if found is None or found.dtype.kind not in "fiu" or not found.size:
        raise BadModel(str(path), "missing: not a body model", place=key)
    if not np.isfinite(found).all():
        raise BadModel(str(path), "holds a value that is not finite", place=key)
    return np.asarray(found, dtype=np.float64)
