"""The joints of a BVH file over time: a reader that shares nothing with the product."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["BvhPoints", "read_bvh_points"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BvhPoints:
    """Where the joints of a BVH file are.

    Attributes:
        names: Of the joints.
        positions: In the file's axes and units (t, j, 3).
        dt: Time between two frames [s].
    """

    names: tuple[str, ...]
    positions: NDArray[np.float64]
    dt: float


def read_bvh_points(path: Path) -> BvhPoints:
    """Read a file and place all joints."""
    words = iter(path.read_text(encoding="utf-8", errors="replace").split())
    names: list[str] = []
    parents: list[int] = []
    offsets: list[list[float]] = []
    channels: list[list[str]] = []
    open_joints: list[int] = []
    for word in words:
        if word in ("ROOT", "JOINT"):
            names.append(next(words))
            parents.append(open_joints[-1] if open_joints else -1)
            offsets.append([0.0] * 3)
            channels.append([])
        elif word == "End":
            next(words)
            names.append("")
            parents.append(open_joints[-1])
            offsets.append([0.0] * 3)
            channels.append([])
        elif word == "{":
            open_joints.append(len(names) - 1)
        elif word == "}":
            open_joints.pop()
        elif word == "OFFSET":
            offsets[open_joints[-1]] = [float(next(words)) for _ in range(3)]
        elif word == "CHANNELS":
            count = int(next(words))
            channels[open_joints[-1]] = [next(words) for _ in range(count)]
        elif word == "Frames:":
            frames = int(next(words))
            next(words), next(words)
            dt = float(next(words))
            break
    rest = np.array([float(word) for word in words])
    rows = rest[: len(rest) // frames * frames].reshape(frames, -1)
    positions = _placed(parents, np.array(offsets), channels, rows)
    keep = [k for k, name in enumerate(names) if name]
    return BvhPoints(
        names=tuple(names[k] for k in keep), positions=positions[:, keep], dt=dt
    )


def _placed(
    parents: list[int],
    offsets: NDArray[np.float64],
    channels: list[list[str]],
    rows: NDArray[np.float64],
) -> NDArray[np.float64]:
    t = len(rows)
    R = np.empty((len(parents), t, 3, 3))
    p = np.empty((len(parents), t, 3))
    column = 0
    for k, parent in enumerate(parents):
        shift, turn = np.tile(offsets[k], (t, 1)), np.tile(np.eye(3), (t, 1, 1))
        stated = False
        for name in channels[k]:
            values = rows[:, column]
            column += 1
            axis = "XYZ".index(name[0].upper())
            if name.lower().endswith("position"):
                if not stated:
                    shift, stated = np.zeros((t, 3)), True
                shift[:, axis] = values
            else:
                turn = turn @ _about(axis, np.deg2rad(values))
        if parent < 0:
            R[k], p[k] = turn, shift
        else:
            R[k] = R[parent] @ turn
            p[k] = p[parent] + np.einsum("tab,tb->ta", R[parent], shift)
    return np.asarray(p.transpose(1, 0, 2))


def _about(axis: int, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.zeros((len(angle), 3, 3))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out[:, axis, axis] = 1.0
    out[:, i, i] = out[:, j, j] = np.cos(angle)
    out[:, j, i] = np.sin(angle)
    out[:, i, j] = -np.sin(angle)
    return out
