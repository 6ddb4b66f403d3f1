"""The bodies and joints of a robot in the orders that trainers use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from telexist.retarget.errors import BadInput
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.retarget.tree import Tree

__all__ = ["ModelTree", "breadth_first", "depth_first"]

Children = Mapping[str, Sequence[str]]
"""Name of a body to those that it carries, in the order of the model's file."""


def depth_first(children: Children, root: str) -> tuple[str, ...]:
    """Return all bodies, each branch to its end before the next: MuJoCo's order."""
    found, waiting = [], [root]
    while waiting:
        body = waiting.pop()
        found.append(body)
        waiting.extend(reversed(children.get(body, ())))
    return tuple(found)


def breadth_first(children: Children, root: str) -> tuple[str, ...]:
    """Return all bodies, level by level: the order of PhysX and Isaac Lab."""
    found, level = [], [root]
    while level:
        found.extend(level)
        level = [child for body in level for child in children.get(body, ())]
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTree:
    """A robot as trainers see it: moving bodies, what is welded to them merged.

    Body 0 is the base, body i + 1 is moved by joint i, as in `Tree`.

    Attributes:
        robot: Its name.
        fixed_base: Whether it is bolted to the world.
        tree: The bodies.
        joints: Names of the joints (n).
        bodies: Name of the link that each joint carries; the base first (n + 1).
        body_p_com: Centre of mass of each body, in its axes (n + 1, 3) [m].
        children: Body to the bodies that it carries, in the file's order.
        links: Names of all links of the model, depth first.
        link_body: Body that carries each link (k,).
        body_R_link: Orientation of each link on its body (k, 3, 3).
        body_p_link: Place of each link on its body (k, 3) [m].
        lower: Lower limits of the joints (n,).
        upper: Upper limits (n,).
        standing: The robot's neutral posture, on the floor.
    """

    robot: str
    fixed_base: bool
    tree: Tree
    joints: tuple[str, ...]
    bodies: tuple[str, ...]
    body_p_com: Array
    children: Children
    links: tuple[str, ...]
    link_body: NDArray[np.int64]
    body_R_link: Array
    body_p_link: Array
    lower: Array
    upper: Array
    standing: Configuration

    def depth_first_bodies(self) -> NDArray[np.int64]:
        """Return the bodies in MuJoCo's order, the base first (n + 1,)."""
        return self._numbers(depth_first(self.children, self.bodies[0]))

    def breadth_first_bodies(self) -> NDArray[np.int64]:
        """Return the bodies in Isaac Lab's order, the base first (n + 1,)."""
        return self._numbers(breadth_first(self.children, self.bodies[0]))

    def columns(self, names: Sequence[str]) -> NDArray[np.int64]:
        """Return where the joints of this tree are in a table's columns (n,).

        Raises:
            BadInput: If the table lacks one: it is of another robot.
        """
        for joint in self.joints:
            if joint not in names:
                raise BadInput(f"the motion has no joint '{joint}' of {self.robot}")
        return np.array([names.index(joint) for joint in self.joints], dtype=np.int64)

    def _numbers(self, names: Iterable[str]) -> NDArray[np.int64]:
        place = {name: i for i, name in enumerate(self.bodies)}
        return np.array([place[name] for name in names], dtype=np.int64)
