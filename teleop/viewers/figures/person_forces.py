"""What a person feels, drawn on them: colours by effort, arrows of the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from telexist.retarget.segments import SEGMENT_INDEX, SEGMENTS
from telexist.retarget.so3 import Array
from telexist.teleop.viewers.figures.scene_parts import SceneParts
from telexist.teleop.viewers.figures.solid import Colour

__all__ = ["FULL_EFFORT", "PersonForces", "effort_colour"]

FULL_EFFORT = 1.5  # [N m/kg] the moment of a joint that is drawn in the last colour
STEPS = 24  # colours between the first and the last
LENGTH = 0.9  # [m] of an arrow of one body weight
_COLOURS: tuple[Colour, ...] = (
    (206, 214, 224),
    (247, 214, 108),
    (240, 140, 62),
    (206, 44, 44),
)
SURE: Colour = (46, 134, 222)
GUESSED: Colour = (150, 170, 190)


def effort_colour(share: float) -> Colour:
    """Return the colour of a joint that bears a share, 0 to 1, of the full effort."""
    place = round(min(max(share, 0.0), 1.0) * STEPS) / STEPS * (len(_COLOURS) - 1)
    k = min(int(place), len(_COLOURS) - 2)
    a, b = np.array(_COLOURS[k]), np.array(_COLOURS[k + 1])
    red, green, blue = (round(x) for x in a + (place - k) * (b - a))
    return red, green, blue


class PersonForces:
    """Colours a person's segments and draws the ground's forces."""

    def __init__(self, scene: Any, root: str, parts: SceneParts) -> None:
        """Draw below the person's node."""
        self._scene, self._root, self._parts = scene, root, parts
        self._arrows: list[Any] = [None, None]
        self._drawn: list[Colour | None] = [None, None]

    def show(self, person: Mapping[str, Array]) -> None:
        """Show an estimate; nothing is done without one."""
        if not person:
            return
        mass = float(person["mass"][0])
        efforts = person["efforts"] / (FULL_EFFORT * mass)
        if np.isfinite(efforts).all():
            self._parts.paint(_colours(efforts))
        for s in (0, 1):
            self._show_force(s, person, mass)

    def _show_force(self, s: int, person: Mapping[str, Array], mass: float) -> None:
        start = person["foot_points"][s]
        force = person["foot_wrenches"][s, :3] / (9.81 * mass)
        if not (np.isfinite(start).all() and np.isfinite(force).all()):
            return
        points = np.array([[start, start + LENGTH * force]], dtype=np.float32)
        colour = SURE if person["measured"][s] else GUESSED
        if self._drawn[s] != colour:
            if self._arrows[s] is not None:
                self._arrows[s].remove()
            self._arrows[s] = self._scene.add_arrows(
                f"{self._root}/force{s}",
                points=points,
                colors=colour,
                shaft_radius=0.012,
                head_radius=0.03,
                head_length=0.05,
            )
            self._drawn[s] = colour
        self._arrows[s].visible = bool(np.linalg.norm(force) > 0.02)
        self._arrows[s].points = points


def _colours(shares: Array) -> dict[str, Colour]:
    """Return a colour for each segment: of the joint that carries it."""
    colours = {name: effort_colour(shares[k]) for k, name in enumerate(SEGMENTS)}
    colours["Pelvis"] = effort_colour(shares[SEGMENT_INDEX["L5"]])
    return colours
