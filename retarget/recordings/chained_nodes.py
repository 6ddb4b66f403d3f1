"""Scenes of nodes that hang on each other: where they are in the scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["NodeMotion", "chain_nodes"]


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
