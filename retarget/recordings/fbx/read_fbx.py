"""FBX characters as moving skeletons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions, bound_posture, chain_nodes
from telexist.retarget.recordings.fbx.binary import parse_fbx
from telexist.retarget.recordings.fbx.scene import (
    FbxModel,
    FbxScene,
    FbxTake,
    read_scene,
)
from telexist.retarget.recordings.fbx.transforms import local_motion
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["fbx_skeleton", "read_fbx"]

_BONES = ("LimbNode", "Limb", "Root")
_SLOWEST, _FASTEST = 10.0, 240.0  # [Hz] of keys that are taken as frames
_USUAL = 60.0  # [Hz] where keys are far apart
_MOST_NUMBERS = 400_000_000  # frames times nodes times 12


def read_fbx(path: Path, options: ReadOptions) -> HumanClip:
    """Read the person in a binary FBX file.

    Raises:
        BadRecording: Naming the object and the problem.
        UnknownSkeleton: If no whole person is recognised in it.
    """
    return clip_from_skeleton(fbx_skeleton(Path(path), take=options.take), options)


def fbx_skeleton(path: Path, *, take: str | None = None) -> SourceSkeleton:
    """Read a character into a moving skeleton in the file's axes and units.

    Args:
        path: The file.
        take: Name of the animation; the longest if None.

    Raises:
        BadRecording: Naming the object and the problem.
    """
    scene = read_scene(path, parse_fbx(path))
    chosen, others = _take(scene, take, path)
    nodes = _nodes(scene, path)
    time = _frames(chosen, len(nodes), path)
    place = {node: k for k, node in enumerate(nodes)}
    parents = [place.get(scene.models[k].parent, -1) for k in nodes]
    moving, still = (
        [local_motion(scene.models[k], k, curves, time) for k in nodes]
        for curves in (chosen.curves, {})
    )
    positions, rotations = chain_nodes(parents, moving, len(time))
    bound = {place[k]: B for k in nodes if (B := scene.models[k].bound) is not None}
    rest_positions, rest_rotations = bound_posture(parents, still, bound)
    rate = (len(time) - 1) / (time[-1] - time[0])
    return SourceSkeleton(
        path=str(path),
        names=_unique([scene.models[k].name for k in nodes]),
        parents=tuple(parents),
        time=time - time[0],
        positions=positions,
        rotations=rotations,
        rest_positions=rest_positions,
        rest_rotations=rest_rotations,
        up=scene.up,
        notes=(
            f"FBX: {len(nodes)} joints, animation '{chosen.name}'{others}, "
            f"{len(time)} frames at {rate:.6g} Hz",
        ),
    )


def _take(scene: FbxScene, take: str | None, path: Path) -> tuple[FbxTake, str]:
    """Return the take that was asked for, or the longest."""
    if not scene.takes:
        raise BadRecording(path, "holds no animation of nodes: nothing moves")
    names = [found.name for found in scene.takes]
    if take is not None:
        if take not in names:
            problem = f"no animation '{take}'; it has: {', '.join(names[:20])}"
            raise BadRecording(path, problem)
        return scene.takes[names.index(take)], ""
    best = max(scene.takes, key=lambda t: round(_span(t)[1] - _span(t)[0], 3))
    words = []
    if len(scene.takes) > 1:
        words.append(f"the longest of {len(scene.takes)}; `take` chooses")
    if best.layers > 1:
        words.append(f"the first of {best.layers} layers")
    return best, f" ({'; '.join(words)})" if words else ""


def _span(take: FbxTake) -> tuple[float, float]:
    curves = take.curves.values()
    return min(float(c.time[0]) for c in curves), max(float(c.time[-1]) for c in curves)


def _nodes(scene: FbxScene, path: Path) -> list[int]:
    """Return bones with all nodes above them, parents first; all nodes without bones.

    Meshes, cameras and lights beside a skeleton are left out.
    """
    models = scene.models
    wanted: set[int] = set()
    for index, model in enumerate(models):
        at = index if model.kind in _BONES else -1
        while at >= 0 and at not in wanted:
            wanted.add(at)
            at = models[at].parent
    ordered = _parents_first(models)
    if len(ordered) != len(models):
        raise BadRecording(path, "some nodes hang on themselves")
    chosen = [k for k in ordered if k in wanted or not wanted]
    if not chosen:
        raise BadRecording(path, "holds no nodes")
    return chosen


def _parents_first(models: tuple[FbxModel, ...]) -> list[int]:
    children: list[list[int]] = [[] for _ in models]
    waiting: list[int] = []
    for index, model in enumerate(models):
        (children[model.parent] if model.parent >= 0 else waiting).append(index)
    order = []
    waiting.reverse()
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting.extend(reversed(children[index]))
    return order


def _frames(take: FbxTake, nodes: int, path: Path) -> Array:
    """Return times as close as the keys (t,) [s]."""
    start, end = _span(take)
    densest = max(take.curves.values(), key=lambda curve: len(curve.time)).time
    step = float(np.median(np.diff(densest))) if len(densest) > 1 else 0.0
    rate = 1.0 / step if step > 0.0 else 0.0
    if not _SLOWEST <= rate <= _FASTEST:
        rate = _USUAL if rate < _SLOWEST else _FASTEST
    count = round(min((end - start) * rate, _MOST_NUMBERS)) + 1
    if count < 2:
        problem = f"animation '{take.name}' holds one frame: nothing moves"
        raise BadRecording(path, problem)
    if count * nodes * 12 > _MOST_NUMBERS:
        problem = f"{count} frames of {nodes} nodes do not fit into memory"
        raise BadRecording(path, problem)
    return np.linspace(start, end, count)


def _unique(names: list[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return tuple(out)
