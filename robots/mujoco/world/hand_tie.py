"""Two robots that hold hands: a point joint, taken and let go while the world runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["HandTie", "TiedHands"]

STIFF = (0.01, 1.0)  # [s], [1] of the joint: at least four steps of the physics


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTie:
    """Which hands can hold each other.

    Attributes:
        robot: Name of the first robot in its world.
        hand: Its "left" or "right".
        partner: Name of the second one.
        partner_hand: Its "left" or "right".
    """

    robot: str
    hand: str
    partner: str
    partner_hand: str

    @property
    def name(self) -> str:
        """Of the joint in the model."""
        return f"{self.robot} {self.hand} holds {self.partner} {self.partner_hand}"

    def sites(self) -> tuple[str, str]:
        """Return the names of the places that it joins, in the model."""
        return f"{self.name}: first", f"{self.name}: second"


def add_tie(spec: Any, tie: HandTie, links: tuple[str, str]) -> None:
    """Add a tie that is open, before the model is compiled.

    Args:
        spec: With both robots.
        tie: The tie.
        links: Names of the two hands' links there.
    """
    for site, link in zip(tie.sites(), links, strict=True):
        spec.body(link).add_site(name=site)
    joint = spec.add_equality(name=tie.name)
    joint.type = mujoco.mjtEq.mjEQ_CONNECT
    joint.objtype = mujoco.mjtObj.mjOBJ_SITE  # by sites: the rest pose does not matter
    joint.name1, joint.name2 = tie.sites()
    joint.solref = STIFF
    joint.active = False


class TiedHands:
    """One tie while the world runs."""

    def __init__(self, tie: HandTie, model: Any, data: Any) -> None:
        """Find it.

        Args:
            tie: The tie.
            model: MuJoCo's model.
            data: MuJoCo's state.
        """
        self._data, self._id = data, model.equality(tie.name).id
        self._sites = [model.site(name).id for name in tie.sites()]

    @property
    def held(self) -> bool:
        """Whether the hands hold each other."""
        return bool(self._data.eq_active[self._id])

    def take(self) -> None:
        """Hold from now on."""
        self._data.eq_active[self._id] = True

    def let_go(self) -> None:
        """Hold no more."""
        self._data.eq_active[self._id] = False

    def gap(self) -> float:
        """Return how far the hands are from each other [m]."""
        first, second = self._data.site_xpos[self._sites]
        return float(np.linalg.norm(first - second))

    def force(self) -> Array:
        """Return the force on the first hand, world axes (3,) [N]; 0 if open.

        The second hand feels the opposite one.
        """
        data = self._data
        rows = (data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY) & (
            data.efc_id == self._id
        )
        return np.array(data.efc_force[rows]) if rows.any() else np.zeros(3)
