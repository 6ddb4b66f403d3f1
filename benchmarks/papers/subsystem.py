"""Parts of a robot for which inverse kinematics is one nonlinear program.

[R] 5.1: the whole body is one part; or each pair of consecutive orientation targets is
one, with the joints between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array, hat
from telexist.retarget.tree import Tree

__all__ = ["Subsystem", "paired", "rotations_of", "whole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsystem:
    """A root body, joints, and the targets that they should reach.

    Attributes:
        root: Body at which the part begins.
        turns: Whether the root is free to turn; if not, it is at its target.
        path: Joints that move the tips, parents first.
        joints: Those of them that are solved for.
        tips: Numbers of the targets.
    """

    root: int
    turns: bool
    path: tuple[int, ...]
    joints: tuple[int, ...]
    tips: tuple[int, ...]


def whole(tree: Tree, bodies: Sequence[int], *, fixed_base: bool) -> list[Subsystem]:
    """Return the whole robot as one part; bodies carry the targets."""
    path = sorted({joint for body in bodies for joint in _up(tree, body, 0)})
    return [
        Subsystem(
            root=0,
            turns=not fixed_base,
            path=tuple(path),
            joints=tuple(path),
            tips=tuple(range(len(bodies))),
        )
    ]


def paired(tree: Tree, bodies: Sequence[int]) -> list[Subsystem]:
    """Return a part for each target and the next one towards the base.

    Joints on the way of several pairs belong to the first of them.
    """
    taken: set[int] = set()
    parts = []
    for tip, body in sorted(enumerate(bodies), key=lambda item: item[1]):
        others = {0, *bodies} - {body}
        root = body
        while root != 0 and (root == body or root not in others):
            root = int(tree.parent[root - 1])
        path = _up(tree, body, root)
        own = tuple(joint for joint in path if joint not in taken)
        taken.update(own)
        if own:
            part = Subsystem(root=root, turns=False, path=path, joints=own, tips=(tip,))
            parts.append(part)
    return parts


def rotations_of(
    part: Subsystem,
    tree: Tree,
    root_R: Any,
    values: Mapping[int, Any],
    constant: Callable[[Array], Any],
    *,
    sine: Callable[[Any], Any] = np.sin,
    cosine: Callable[[Any], Any] = np.cos,
) -> dict[int, Any]:
    """Return `world_R_body` of all bodies of a part, as numbers or as symbols.

    Args:
        part: The part.
        tree: The robot.
        root_R: Orientation of the root (3, 3).
        values: Position of every joint on its path.
        constant: Turns an array into what `root_R` is made of.
        sine: Of what `values` are made of.
        cosine: Of what `values` are made of.
    """
    found = {part.root: root_R}
    for i in part.path:
        R = found[int(tree.parent[i])] @ constant(tree.rotation[i])
        if not tree.slides[i]:
            K = hat(tree.axis[i])
            turned = constant(np.eye(3)) + sine(values[i]) * constant(K)
            R = R @ (turned + (1.0 - cosine(values[i])) * constant(K @ K))
        found[i + 1] = R
    return found


def _up(tree: Tree, body: int, root: int) -> tuple[int, ...]:
    """Return the joints between a body and one that carries it, parents first."""
    joints = []
    while body != root:
        joints.append(body - 1)
        body = int(tree.parent[body - 1])
    return tuple(reversed(joints))
