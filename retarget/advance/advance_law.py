"""How readily a path is gone faster with a partner's help."""

from __future__ import annotations

from dataclasses import dataclass, fields

from telexist.retarget.errors import BadInput

__all__ = ["AdvanceLaw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvanceLaw:
    """Numbers of the law; all are positive.

    Attributes:
        upper: Greatest rate of psi; at most the root of the acceleration that the robot
            can give over that of the path.
        relaxation: Time in which the rate goes back to 1 by itself [s].
        mass: That a partner feels along the path [kg]. With the hand's own some
            newtons are all or nothing; more of it makes the answer graded.
        least: Force along the path that counts as help [N]: three standard deviations
            of what is felt when nobody is there.
        boldest: Acceleration that help can give at most [m/s^2].
        smallest: Share of the path's greatest speed below which its speed says little.
        tolerance: Share of the reference's speed by which one may be ahead of it and
            still be helped.
        stiffness: Pull of the place to the path [1/s^2].
        damping: Of the error of the velocity [1/s].
    """

    upper: float = 5.0
    relaxation: float = 0.25
    mass: float = 20.0
    least: float = 1.0
    boldest: float = 2.0
    smallest: float = 0.05
    tolerance: float = 0.02
    stiffness: float = 100.0
    damping: float = 20.0

    def __post_init__(self) -> None:
        """Refuse numbers without a meaning."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0.0 < value < float("inf"):
                raise BadInput(f"the law's {field.name} {value} is not above 0")
        if self.upper <= 1.0:
            raise BadInput(f"the law's upper {self.upper} is not above 1")
