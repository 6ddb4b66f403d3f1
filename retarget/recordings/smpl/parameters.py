"""SMPL parameters in a tree of tables, under the names that programs give them.

AMASS keeps `poses`, `trans` and `betas` side by side; GVHMR a table each for the world
(`smpl_params_global`) and the camera (`smpl_params_incam`); WHAM and PromptHMR one or
two such tables for every person. The world is preferred to the camera, and of several
people the one seen longest is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.files import array_in
from telexist.retarget.so3 import Array, exp_so3

__all__ = ["SmplMotion", "find_parameters"]

JOINTS = 22  # of the body, root first
_POSES = ("poses", "pose_world", "smpl_poses", "fullpose", "pose")
_ROOTS = ("root_orient", "global_orient")
_BODIES = ("pose_body", "body_pose")
_WAYS = ("trans", "transl", "trans_world", "translation", "root_trans")
_SHAPES = ("betas", "beta", "shape")
_FRAMES = ("frame_ids", "frames", "frame_idx")
_COUNTS = (22, 23, 24, 52, 54, 55, 56)  # joints of `poses`: SMPL, SMPL+H, SMPL-X
_WORLD = ("global", "world")
_CAMERA = ("incam", "cam", "camera")
_FURTHEST = 1000.0  # [m] from the origin, and [rad] of an axis-angle
_MOST_TABLES = 10_000
_DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SmplMotion:
    """The motion of one person.

    Attributes:
        rotations: Of each body joint in its parent (t, 22, 3, 3).
        trans: Way of the body (t, 3) [m].
        betas: Shape parameters (k,), or None where the file has none.
        frames: Number of each frame in the video (t,), or None.
        of_video: Whether the names are those of programs that look at videos.
        in_camera: Whether the axes are those of a camera: y down.
        joints: How many the file has: 22 to 24 of SMPL, 52 of SMPL+H, 54 to 56 of -X.
        note: Where in the file it was.
    """

    rotations: Array
    trans: Array
    betas: Array | None
    frames: Array | None
    of_video: bool
    in_camera: bool
    joints: int
    note: str


@dataclass(frozen=True, slots=True)
class _Group:
    """A table that holds a motion: where it is, and what it holds."""

    place: tuple[str, ...]
    table: Mapping[str, Any]
    pose: tuple[str, ...]

    @property
    def in_world(self) -> bool:
        words = "/".join((*self.place, *self.pose)).lower()
        return any(word in words for word in _WORLD)

    @property
    def in_camera(self) -> bool:
        words = "/".join(self.place).lower()
        return not self.in_world and any(word in words for word in _CAMERA)

    @property
    def length(self) -> int:
        found = array_in(self.table[self.pose[0]])
        return 0 if found is None or not found.ndim else len(found)


def find_parameters(path: Path, tree: object) -> SmplMotion:
    """Find the motion of a person in what a file holds.

    Args:
        path: The file, for messages.
        tree: Tables and lists of arrays.

    Raises:
        BadRecording: If there is none, or naming the key that is wrong.
    """
    groups = list(_groups(tree))
    if not groups:
        problem = (
            "holds no SMPL motion: no `poses`, and no `global_orient` with `body_pose`"
        )
        raise BadRecording(path, problem)
    best = max(groups, key=lambda g: (g.in_world, not g.in_camera, g.length))
    return _motion(path, best, _others(groups, best))


def _others(groups: list[_Group], best: _Group) -> str:
    people = sum(
        g.in_world == best.in_world and g.in_camera == best.in_camera for g in groups
    )
    return f"; {people} people are in it: the one seen longest" if people > 1 else ""


def _groups(tree: object) -> Iterator[_Group]:
    """Yield every table that holds poses."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), tree)]
    seen = 0
    while waiting and seen < _MOST_TABLES:
        place, value = waiting.pop()
        seen += 1
        if isinstance(value, list):
            value = {str(k): v for k, v in enumerate(value[:_MOST_TABLES])}
        if not isinstance(value, Mapping) or len(place) > _DEEPEST:
            continue
        pose = _pose_keys(value)
        if pose:
            yield _Group(place, value, pose)
            continue
        inner = [(k, v) for k, v in value.items() if isinstance(v, Mapping | list)]
        waiting.extend(((*place, str(k)), v) for k, v in inner)


def _pose_keys(table: Mapping[str, Any]) -> tuple[str, ...]:
    for key in _POSES:
        if _is_array(table.get(key)):
            return (key,)
    for root, body in zip(_ROOTS, _BODIES, strict=True):
        if _is_array(table.get(root)) and _is_array(table.get(body)):
            return (root, body)
    return ()


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], list | float)
    )


def _motion(path: Path, group: _Group, others: str) -> SmplMotion:
    parts = [
        _rotations(path, group, key, _counts(key, index, len(group.pose)))
        for index, key in enumerate(group.pose)
    ]
    if any(len(part) != len(parts[0]) for part in parts):
        raise _bad(path, group, group.pose[-1], "has another number of frames")
    rotations = np.concatenate(parts, axis=1)
    trans = _way(path, group, len(rotations))
    word = "/".join((*group.place, "+".join(group.pose)))
    return SmplMotion(
        rotations=rotations[:, :JOINTS],
        trans=trans,
        betas=_betas(path, group),
        frames=_frame_numbers(group, len(rotations)),
        of_video=group.pose[0] in ("pose", "pose_world", "global_orient"),
        in_camera=group.in_camera,
        joints=rotations.shape[1],
        note=f"SMPL: {word}, {len(rotations)} frames{others}",
    )


def _bad(path: Path, group: _Group, key: str, problem: str) -> BadRecording:
    return BadRecording(path, problem, place="/".join((*group.place, key)))


def _numbers(path: Path, group: _Group, key: str) -> Array:
    found = array_in(group.table[key])
    if found is None or found.dtype.kind not in "fiu":
        raise _bad(path, group, key, "holds no numbers")
    values = np.asarray(found, dtype=np.float64)
    if not np.all(np.abs(values) < _FURTHEST):
        raise _bad(path, group, key, "holds a value that is not finite or huge")
    return values


def _counts(key: str, index: int, keys: int) -> tuple[int, ...]:
    if keys == 1:
        return _COUNTS
    return (1,) if index == 0 else (21, 22, 23)


def _rotations(path: Path, group: _Group, key: str, counts: tuple[int, ...]) -> Array:
    """Return rotations (t, j, 3, 3) of axis-angles or matrices in any usual shape."""
    values = _numbers(path, group, key)
    given = values.shape
    if not values.size:
        raise _bad(path, group, key, "holds no frames")
    if values.ndim == 3 and given[0] == 1 and given[2] in [3 * n for n in counts]:
        values = values[0]  # a batch of one
    for count in counts:
        t = len(values)
        if values.shape in ((t, 3 * count), (t, count, 3)):
            return exp_so3(values.reshape(t, count, 3))
        if values.shape == (t, count, 3, 3) or (
            count == 1 and values.shape[1:] == (3, 3)
        ):
            return _checked(path, group, key, values.reshape(t, count, 3, 3))
    known = ", ".join(str(3 * count) for count in counts)
    problem = f"has shape {given}, expected (frames, one of {known})"
    raise _bad(path, group, key, problem)


def _checked(path: Path, group: _Group, key: str, R: Array) -> Array:
    off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max()
    if off > 1e-2 or (np.linalg.det(R) < 0.0).any():
        raise _bad(path, group, key, "holds a matrix that is no rotation")
    U, _, Vt = np.linalg.svd(R)
    return np.asarray(U @ Vt)


def _way(path: Path, group: _Group, frames: int) -> Array:
    wanted = "trans_world" if "pose_world" in group.pose else ""
    for key in sorted(_WAYS, key=lambda k: k != wanted):
        if not _is_array(group.table.get(key)):
            continue
        trans = _numbers(path, group, key)
        if trans.ndim == 3 and 1 in trans.shape[:2]:
            trans = trans.reshape(-1, trans.shape[-1])
        if trans.shape != (frames, 3):
            problem = f"has shape {trans.shape}, expected ({frames}, 3)"
            raise _bad(path, group, key, problem)
        return trans
    raise _bad(path, group, "trans", "missing: the way of the person is not in it")


def _betas(path: Path, group: _Group) -> Array | None:
    """Return the shape parameters; the median where they differ from frame to frame."""
    for key in _SHAPES:
        if key in group.table and _is_array(group.table[key]):
            values = np.atleast_2d(_numbers(path, group, key))
            if values.ndim != 2 or not 1 <= values.shape[1] <= 400 or not len(values):
                problem = f"has shape {values.shape}, expected (up to 400)"
                raise _bad(path, group, key, problem)
            return np.median(values, axis=0)
    return None


def _frame_numbers(group: _Group, frames: int) -> Array | None:
    for key in _FRAMES:
        found = array_in(group.table.get(key))
        if found is not None and found.shape == (frames,) and found.dtype.kind in "fiu":
            numbers = np.asarray(found, dtype=np.float64)
            if np.isfinite(numbers).all() and np.all(np.diff(numbers) > 0.0):
                return numbers - numbers[0]
    return None
