"""Animated glTF characters as moving skeletons."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.recordings import (
    NodeMotion,
    ReadOptions,
    bound_posture,
    chain_nodes,
)
from telexist.retarget.recordings.gltf.animation import (
    GltfAnimation,
    GltfTrack,
    read_animation,
)
from telexist.retarget.recordings.gltf.container import GltfFile, read_gltf_file
from telexist.retarget.recordings.gltf.humanoid import humanoid_nodes
from telexist.retarget.recordings.gltf.nodes import GltfNode, ordered, read_nodes
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz

__all__ = ["gltf_skeleton", "read_gltf"]

_SLOWEST, _FASTEST = 10.0, 240.0  # [Hz] of keys that are taken as frames
_USUAL = 60.0  # [Hz] where keys are far apart
_MOST_NUMBERS = 400_000_000  # frames times points times 12


def read_gltf(path: Path, options: ReadOptions) -> HumanClip:
    """Read the person in a `.glb`, `.gltf`, `.vrm` or `.vrma` file.

    Raises:
        BadRecording: Naming the place and the problem.
        UnknownSkeleton: If no whole person is recognised in it.
    """
    return clip_from_skeleton(gltf_skeleton(Path(path), take=options.take), options)


def gltf_skeleton(path: Path, *, take: str | None = None) -> SourceSkeleton:
    """Read a character into a moving skeleton, in metres with y up.

    Args:
        path: The file.
        take: Name of the animation; the longest if None.

    Raises:
        BadRecording: Naming the place and the problem.
    """
    file = read_gltf_file(path)
    nodes = read_nodes(file)
    bones, kind = humanoid_nodes(file, len(nodes))
    animation, others = _animation(file, len(nodes), take)
    points = _points(file, nodes, set(bones.values()))
    time = _frames(file, animation, len(points))
    positions, rotations = _placed(nodes, points, animation.tracks, time)
    rest = None if kind else _bound(file, nodes, points)
    if rest is None:
        still, turned = _placed(nodes, points, {}, np.zeros(1))
        rest = still[0], turned[0]
    place = {node: k for k, node in enumerate(points)}
    rate = (len(time) - 1) / (time[-1] - time[0])
    return SourceSkeleton(
        path=str(path),
        names=tuple(nodes[k].name for k in points),
        parents=tuple(place.get(nodes[k].parent, -1) for k in points),
        time=time - time[0],
        positions=positions,
        rotations=rotations,
        rest_positions=rest[0],
        rest_rotations=rest[1],
        unit=1.0 if kind else None,
        up="y",
        joints=MappingProxyType({s: nodes[k].name for s, k in bones.items()}),
        notes=(
            f"{kind or 'glTF'}: {len(points)} joints, animation '{animation.name}'"
            f"{others}, {len(time)} frames at {rate:.6g} Hz",
        ),
    )


def _animation(
    file: GltfFile, nodes: int, take: str | None
) -> tuple[GltfAnimation, str]:
    """Return the animation that was asked for, or the longest."""
    count = len(file.tables("animations"))
    found = [read_animation(file, k, nodes) for k in range(min(count, 1000))]
    found = [animation for animation in found if animation.tracks]
    if not found:
        raise file.bad("holds no animation of nodes: nothing moves")
    names = [animation.name for animation in found]
    if take is not None:
        if take not in names:
            raise file.bad(f"no animation '{take}'; it has: {', '.join(names[:20])}")
        return found[names.index(take)], ""
    best = max(found, key=lambda a: (round(a.times[1] - a.times[0], 3), len(a.tracks)))
    others = f" (the longest of {len(found)}; `take` chooses)" if found[1:] else ""
    return best, others


def _points(file: GltfFile, nodes: tuple[GltfNode, ...], bones: set[int]) -> list[int]:
    """Return the nodes of the skeleton, parents first.

    Those of skins, those that VRM names, and all above them; all nodes without either.
    """
    wanted = set(bones)
    for index, skin in enumerate(file.tables("skins")):
        joints = skin.get("joints", [])
        good = isinstance(joints, list) and all(
            isinstance(j, int) and 0 <= j < len(nodes) for j in joints
        )
        if not good:
            raise file.bad("its joints are no nodes", f"skins[{index}]")
        wanted.update(joints)
    for node in list(wanted):
        while node >= 0 and (node := nodes[node].parent) not in wanted:
            wanted.add(node)
    wanted.discard(-1)
    return [k for k in ordered(nodes) if k in wanted or not wanted]


def _frames(file: GltfFile, animation: GltfAnimation, points: int) -> Array:
    """Return times as close as the keys (t,) [s]."""
    start, end = animation.times
    rate = 1.0 / animation.step if animation.step > 0.0 else 0.0
    if not _SLOWEST <= rate <= _FASTEST:
        rate = _USUAL if rate < _SLOWEST else _FASTEST
    count = round(min((end - start) * rate, _MOST_NUMBERS)) + 1
    if count < 2:
        raise file.bad(f"animation '{animation.name}' holds one frame: nothing moves")
    if count * max(points, 1) * 12 > _MOST_NUMBERS:
        problem = f"{count} frames of {points} joints do not fit into memory"
        raise file.bad(problem)
    return np.linspace(start, end, count)


def _placed(
    nodes: tuple[GltfNode, ...],
    points: list[int],
    tracks: Mapping[tuple[int, str], GltfTrack],
    time: Array,
) -> tuple[Array, Array]:
    """Return positions (t, j, 3) and rotations (t, j, 3, 3) in the scene's axes."""
    place = {node: k for k, node in enumerate(points)}
    parents = [place.get(nodes[k].parent, -1) for k in points]
    return chain_nodes(parents, _local(nodes, points, tracks, time), len(time))


def _local(
    nodes: tuple[GltfNode, ...],
    points: list[int],
    tracks: Mapping[tuple[int, str], GltfTrack],
    time: Array,
) -> list[NodeMotion]:
    """Return the nodes in their parents, at rest where nothing moves them."""

    def value(node: int, path: str, resting: Array) -> Array:
        track = tracks.get((node, path))
        return resting[None] if track is None else track.at(time)

    local = []
    for index in points:
        node = nodes[index]
        quat_xyzw = value(index, "rotation", node.quat_xyzw)
        local.append(
            NodeMotion(
                p=value(index, "translation", node.translation),
                R=rotation_from_quat_wxyz(quat_xyzw[:, [3, 0, 1, 2]]),
                scale=value(index, "scale", node.scale),
            )
        )
    return local


def _bound(
    file: GltfFile, nodes: tuple[GltfNode, ...], points: list[int]
) -> tuple[Array, Array] | None:
    """Return the posture in which the skin was bound, if it says all of it.

    The nodes themselves may rest anywhere in the motion.
    """
    bound: dict[int, Array] = {}
    for skin in file.tables("skins"):
        if "inverseBindMatrices" not in skin or bound:
            continue
        table = file.numbers(skin["inverseBindMatrices"])
        joints = skin.get("joints", [])
        if table.shape != (len(joints), 16):
            raise file.bad("has other than one matrix a joint", "skins")
        inverse = table.reshape(-1, 4, 4).transpose(0, 2, 1)
        if (np.abs(np.linalg.det(inverse)) < 1e-30).any():
            return None
        bound = dict(zip(joints, np.linalg.inv(inverse), strict=True))
    if not bound:
        return None
    place = {node: k for k, node in enumerate(points)}
    parents = [place.get(nodes[k].parent, -1) for k in points]
    still = _local(nodes, points, {}, np.zeros(1))
    known = {place[k]: bound[k] for k in points if k in bound}
    return bound_posture(parents, still, known)
