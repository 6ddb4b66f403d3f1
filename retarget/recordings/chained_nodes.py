"""Scenes of nodes that hang on each other: where they are in the scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["NodeMotion", "bound_posture", "chain_nodes"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeMotion:
    """A node in its parent, over time or resting (t or 1 rows).

    Attributes:
        p: Translation (t, 3), units of the parent.
        R: Rotation (t, 3, 3).
        scale: Of what hangs below (t, 3).
    """

    p: Array
    R: Array
    scale: Array


def chain_nodes(
    parents: Sequence[int], nodes: Sequence[NodeMotion], frames: int
) -> tuple[Array, Array]:
    """Return positions (t, j, 3) and rotations (t, j, 3, 3) in the scene's axes.

    Scales stretch offsets, along the axes of the node that has them, and are no part of
    the rotations.

    Args:
        parents: Index of each node's parent, smaller than its own; -1 at the top.
        nodes: As many.
        frames: t.
    """
    j = len(parents)
    positions, rotations = np.empty((frames, j, 3)), np.empty((frames, j, 3, 3))
    whole: list[Array] = []  # scene_M_node without its translation (t, 3, 3)
    for k, (parent, node) in enumerate(zip(parents, nodes, strict=True)):
        stretched = node.R * node.scale[:, None, :]
        if parent < 0:
            positions[:, k], rotations[:, k] = node.p, node.R
            whole.append(stretched)
            continue
        above = whole[parent]
        positions[:, k] = positions[:, parent] + (above @ node.p[:, :, None])[..., 0]
        rotations[:, k] = rotations[:, parent] @ node.R
        whole.append(above @ stretched)
    return positions, rotations


def bound_posture(
    parents: Sequence[int], nodes: Sequence[NodeMotion], bound: Mapping[int, Array]
) -> tuple[Array, Array]:
    """Return the posture in which a skin was bound: positions (j, 3), rotations.

    The nodes themselves may rest anywhere in the motion; those that the skin does not
    know stand in their parents as they rest.

    Args:
        parents: Index of each node's parent, smaller than its own; -1 at the top.
        nodes: At rest (1 row).
        bound: Node to `scene_T_node` (4, 4), with its scale.
    """
    whole: list[Array] = []
    for k, (parent, node) in enumerate(zip(parents, nodes, strict=True)):
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = node.R[0] * node.scale[0], node.p[0]
        above = whole[parent] if parent >= 0 else np.eye(4)
        whole.append(bound.get(k, above @ local))
    stacked = np.stack(whole)
    U, _, Vt = np.linalg.svd(stacked[:, :3, :3])
    return stacked[:, :3, 3], U @ Vt
