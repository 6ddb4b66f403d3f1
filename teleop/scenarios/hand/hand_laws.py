"""What a hand does with a partner's force: four laws behind one step.

`classical` undoes all of the force, (8.6); `advance` goes ahead with it; `printed`
does so as the thesis prints it, (9.4) with (9.10); `partner` is (8.33), which keeps
what lets its energy fall. All follow the same path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from telexist.retarget.advance import (
    AdvanceLaw,
    PathPoint,
    PrintedAdvance,
    TrajectoryAdvance,
)
from telexist.retarget.errors import UnknownName
from telexist.retarget.so3 import Array

__all__ = ["LAWS", "HandAsked", "HandLaw", "make_hand_law"]

LAWS = ("classical", "advance", "printed", "partner")

Path = Callable[[float], PathPoint]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAsked:
    """What a law asks of the hand now.

    Attributes:
        acceleration: Of the path, without feedback (3,) [m/s^2].
        velocity_error: v - dx rate (3,) [m/s].
        error: From the path (3,) [m].
        keeps: Whether help that lets the energy fall is kept, (8.33).
        psi: Parameter of the path [s].
        rate: Of psi.
        help: Force that counted as help [N].
    """

    acceleration: Array
    velocity_error: Array
    error: Array
    keeps: bool
    psi: float
    rate: float
    help: float


class HandLaw(Protocol):
    """Follows a path with a force on the hand."""

    def step(self, place: Array, velocity: Array, force: Array, dt: float) -> HandAsked:
        """Take a reading (3,) each, go on for dt."""


def make_hand_law(
    name: str, path: Path, law: AdvanceLaw, *, speed: float, hand_mass: float
) -> HandLaw:
    """Return a law.

    Args:
        name: One of `LAWS`.
        path: To follow.
        law: Gains, and how readily the path is gone faster.
        speed: Greatest speed of the path [m/s].
        hand_mass: That the force moves along the path [kg].

    Raises:
        UnknownName: If there is no such law.
    """
    if name == "classical":
        return _OnTime(path, law, keeps=False)
    if name == "partner":
        return _OnTime(path, law, keeps=True)
    if name == "advance":
        return _Advancing(path, TrajectoryAdvance(law, speed=speed))
    if name == "printed":
        printed = PrintedAdvance(law, speed=speed, hand_mass=hand_mass)
        return _Advancing(path, printed)
    raise UnknownName("law", name, LAWS)


class _OnTime:
    """psi is time."""

    def __init__(self, path: Path, law: AdvanceLaw, *, keeps: bool) -> None:
        self._path, self._law, self._keeps, self._time = path, law, keeps, 0.0

    def step(self, place: Array, velocity: Array, force: Array, dt: float) -> HandAsked:
        point, time = self._path(self._time), self._time
        self._time += dt
        return HandAsked(
            acceleration=point.d2x,
            velocity_error=velocity - point.dx,
            error=place - point.x,
            keeps=self._keeps,
            psi=time,
            rate=1.0,
            help=0.0,
        )


class _Advancing:
    """psi goes on with help."""

    def __init__(self, path: Path, advance: TrajectoryAdvance | PrintedAdvance) -> None:
        self._path, self._advance = path, advance

    def step(self, place: Array, velocity: Array, force: Array, dt: float) -> HandAsked:
        advance, law = self._advance, self._advance.law
        psi = advance.psi
        point = self._path(psi)
        got = advance.step(point, place, velocity, force, dt)
        e = velocity - point.dx * got.rate
        feedback = law.damping * e + law.stiffness * got.error
        return HandAsked(
            acceleration=got.acceleration + feedback,
            velocity_error=e,
            error=np.array(got.error),
            keeps=False,
            psi=psi,
            rate=got.rate,
            help=got.help,
        )
