"""Where one link of a robot is, from the few joints between the base and it."""

from __future__ import annotations

import math

import numpy as np
from telexist.retarget.kinematics import Configuration, Kinematics
from telexist.retarget.so3 import Array, hat

__all__ = ["ChainPose"]


class ChainPose:
    """Forward kinematics of a single link: a chest has three joints, not thirty."""

    def __init__(self, kinematics: Kinematics, link: str) -> None:
        """Find the joints that move a link."""
        tree = kinematics.tree()
        body, self._body_R_link, self._body_p_link = kinematics.attachment(
            kinematics.frame(link)
        )
        chain = []
        while body > 0:
            joint = body - 1
            chain.append(joint)
            body = int(tree.parent[joint])
        self._joints = chain[::-1]
        self._tree = tree
        self._skew = hat(tree.axis)
        self._square = self._skew @ self._skew

    @property
    def moves(self) -> bool:
        """Whether any joint moves the link."""
        return bool(self._joints)

    def at(self, configuration: Configuration) -> tuple[Array, Array]:
        """Return `world_R_link` (3, 3) and `world_p_link` (3,) [m]."""
        tree, q = self._tree, configuration.q
        R, p = configuration.world_R_base, configuration.world_p_base
        for j in self._joints:
            p = p + R @ tree.position[j]
            R = R @ tree.rotation[j]
            if tree.slides[j]:
                p = p + R @ (q[j] * tree.axis[j])
            else:
                sine, versine = math.sin(q[j]), 1.0 - math.cos(q[j])
                turn = np.eye(3) + sine * self._skew[j] + versine * self._square[j]
                R = R @ turn
        return R @ self._body_R_link, p + R @ self._body_p_link
