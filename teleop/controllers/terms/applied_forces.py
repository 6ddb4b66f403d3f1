"""Forces of the world that are known, besides the floor's: those at the hands."""

from __future__ import annotations

from dataclasses import dataclass

from telexist.retarget.so3 import Array

__all__ = ["AppliedForces"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedForces:
    """What some wrenches do to the robot; world axes.

    Attributes:
        generalized: J' f, beside torques and the floor (6 + n,).
        force: Their sum (3,) [N].
        moment: About the computed centre of mass (3,) [N m].
    """

    generalized: Array
    force: Array
    moment: Array
