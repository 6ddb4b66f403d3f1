"""Masses and drives of a robot, as the second pass over a clip needs them."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.so3 import Array

__all__ = ["RobotMasses"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotMasses:
    """What bodies weigh and what joints can give.

    Bodies are numbered as in `Tree`: 0 is the base, i + 1 is moved by joint i.

    Attributes:
        mass: Of each body with what is fixed to it (n + 1,) [kg].
        com: Its centre of mass in the body's axes (n + 1, 3) [m].
        inertia: About that, in the body's axes (n + 1, 3, 3) [kg m^2].
        armature: Inertia of rotors seen at the joints (n,) [kg m^2].
        effort: Greatest torque or force of the drives (n,) [N m] or [N].
    """

    mass: Array
    com: Array
    inertia: Array
    armature: Array
    effort: Array

    @property
    def total(self) -> float:
        """Mass of the whole robot [kg]."""
        return float(self.mass.sum())
