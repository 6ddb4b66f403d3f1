"""AMC motion on its ASF skeleton.

The skeleton is the file of the same name, or of the same beginning (`02.asf` for
`02_01.amc`), or the only one in the folder.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.acclaim.skeleton import (
    AsfBone,
    AsfSkeleton,
    axis_product,
    parse_asf,
)
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

__all__ = ["amc_skeleton", "read_amc"]

USUAL_RATE = 120.0  # [Hz] of CMU's files; the format does not state it
MAX_BYTES = 500_000_000
MAX_FRAMES = 2_000_000


def read_amc(path: Path, options: ReadOptions) -> HumanClip:
    """Read a motion into a clip.

    Raises:
        BadRecording: Naming the file, the frame or bone, and the problem.
        UnknownSkeleton: If no whole person is recognised in it.
    """
    return clip_from_skeleton(amc_skeleton(path), options)


def amc_skeleton(path: Path) -> SourceSkeleton:
    """Read a motion and its skeleton, in their own axes and units.

    Raises:
        BadRecording: Naming the file, the frame or bone, and the problem.
    """
    asf = _asf_of(path)
    skeleton = parse_asf(_text(asf), asf)
    values = _values(_text(path), skeleton, path)
    starts, rotations = _forward_kinematics(skeleton, values)
    return _with_ends(skeleton, starts, rotations, path, asf)


def _asf_of(path: Path) -> Path:
    beside = sorted(p for p in path.parent.iterdir() if p.suffix.lower() == ".asf")
    same = [p for p in beside if p.stem == path.stem]
    alike = [p for p in beside if path.stem.startswith(p.stem)]
    for found in (same, sorted(alike, key=lambda p: -len(p.stem))):
        if found:
            return found[0]
    if len(beside) == 1:
        return beside[0]
    problem = f"its skeleton is missing: put {path.stem}.asf beside it"
    raise BadRecording(path, problem)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadRecording(path, f"larger than {MAX_BYTES} bytes")
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise BadRecording(path, error.strerror or str(error)) from error


def _values(text: str, skeleton: AsfSkeleton, path: Path) -> dict[str, Array]:
    """Return the numbers of every bone that moves (t, k)."""
    wanted = {bone.name: len(bone.dofs) for bone in skeleton.bones if bone.dofs}
    rows: dict[str, list[list[float]]] = {name: [] for name in wanted}
    frame = 0
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith(("#", ":")):
            continue
        if len(words) == 1 and words[0].isdigit():
            frame += 1
            if frame > MAX_FRAMES:
                raise BadRecording(path, f"more than {MAX_FRAMES} frames")
            continue
        _take(rows, words, wanted, frame, path)
    if frame == 0:
        raise BadRecording(path, "holds no frames")
    short = [name for name, values in rows.items() if len(values) != frame]
    if short:
        problem = f"{len(rows[short[0]])} lines in {frame} frames"
        raise BadRecording(path, problem, place=short[0])
    return {name: np.array(values) for name, values in rows.items()}


def _take(
    rows: dict[str, list[list[float]]],
    words: list[str],
    wanted: dict[str, int],
    frame: int,
    path: Path,
) -> None:
    name, place = words[0], f"frame {frame}"
    if name not in wanted:
        raise BadRecording(path, f"'{name[:40]}' is no moving bone", place=place)
    try:
        numbers = [float(word) for word in words[1:]]
    except ValueError:
        numbers = []
    if len(numbers) != wanted[name] or not np.isfinite(numbers).all():
        problem = f"{name}: expected {wanted[name]} numbers"
        raise BadRecording(path, problem, place=place)
    if len(rows[name]) != frame - 1:
        raise BadRecording(path, f"{name} stands twice or late", place=place)
    rows[name].append(numbers)


def _forward_kinematics(
    skeleton: AsfSkeleton, values: dict[str, Array]
) -> tuple[Array, Array]:
    """Return where bones start (j, t, 3) and `world_R_bone` (j, t, 3, 3)."""
    bones = skeleton.bones
    t = len(values[bones[0].name])
    starts, rotations = np.zeros((len(bones), t, 3)), np.empty((len(bones), t, 3, 3))
    for index, bone in enumerate(bones):
        numbers = values.get(bone.name, np.zeros((t, len(bone.dofs))))
        local = _local_rotation(bone, numbers, degrees=skeleton.degrees)
        if bone.parent < 0:
            starts[index] = _moved(bone, numbers)
            rotations[index] = local
            continue
        above = bones[bone.parent]
        rotations[index] = rotations[bone.parent] @ local
        starts[index] = starts[bone.parent] + rotations[bone.parent] @ above.offset
    return starts, rotations


def _local_rotation(bone: AsfBone, numbers: Array, *, degrees: bool) -> Array:
    """Return how a bone is turned in its parent, C M C^T (t, 3, 3)."""
    turns = [i for i, dof in enumerate(bone.dofs) if dof[0] == "r"]
    order = "".join(bone.dofs[i][1] for i in turns)
    motion = axis_product(numbers[:, turns], order, degrees=degrees)
    return bone.world_R_axes @ motion @ bone.world_R_axes.T


def _moved(bone: AsfBone, numbers: Array) -> Array:
    moved = np.zeros((len(numbers), 3))
    for i, dof in enumerate(bone.dofs):
        if dof[0] == "t":
            moved[:, "xyz".index(dof[1])] = numbers[:, i]
    return moved


def _with_ends(
    skeleton: AsfSkeleton, starts: Array, rotations: Array, path: Path, asf: Path
) -> SourceSkeleton:
    """Return the skeleton with the end points of its last bones."""
    bones = skeleton.bones
    last = sorted(set(range(len(bones))) - {bone.parent for bone in bones})
    ends = [starts[i] + rotations[i] @ bones[i].offset for i in last]
    rest = np.zeros((len(bones), 3))
    for i, bone in enumerate(bones[1:], start=1):
        rest[i] = rest[bone.parent] + bones[bone.parent].offset
    positions = np.concatenate([starts, np.array(ends)])
    frames = positions.shape[1]
    return SourceSkeleton(
        path=str(path),
        names=(*(b.name for b in bones), *(f"{bones[i].name}_end" for i in last)),
        parents=(*(b.parent for b in bones), *last),
        time=np.arange(frames, dtype=np.float64) / USUAL_RATE,
        positions=np.swapaxes(positions, 0, 1),
        rotations=np.swapaxes(np.concatenate([rotations, rotations[last]]), 0, 1),
        rest_positions=np.concatenate(
            [rest, [rest[i] + bones[i].offset for i in last]]
        ),
        is_end=(False,) * len(bones) + (True,) * len(last),
        notes=(
            f"AMC: {len(bones)} bones of {asf.name}, {frames} frames; the format "
            f"states no rate: {USUAL_RATE:g} Hz taken (`rate` in a TOML beside it)",
        ),
    )
