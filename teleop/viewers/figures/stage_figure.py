"""A figure on the page's stage."""

from __future__ import annotations

import numpy as np
import viser
from telexist.retarget.so3 import Array
from telexist.teleop.viewers.figures.figure import Figure
from telexist.teleop.viewers.figures.scene_parts import SceneParts

__all__ = ["StageFigure"]


class StageFigure:
    """Moves the parts of a figure in the scene.

    Attributes:
        figure: What is shown.
        index: Frame that is shown.
        spot: Where the figure stands on the floor (3,) [m].
    """

    def __init__(self, scene: viser.SceneApi, figure: Figure, place: float) -> None:
        """Put a figure on the stage, `place` [m] along y."""
        self.figure, self.index = figure, 0
        self.spot: Array = np.zeros(3)
        self._start = _on_floor(figure.positions[0, 0])
        root = f"/{figure.name}"
        self._root = scene.add_frame(root, show_axes=False)
        self._place = np.array([0.0, place, 0.0])
        self._label = scene.add_label(
            f"{root}/label", figure.name, anchor="bottom-center"
        )
        self._parts = SceneParts(scene, root, figure.solids)
        self._columns = [figure.parts.index(part) for part in self._parts.names]

    def show(self, time: float, *, on_the_spot: bool) -> None:
        """Show the figure at a time [s], where it went or at its place."""
        figure = self.figure
        self.index = k = figure.index(time)
        travelled = _on_floor(figure.positions[k, 0]) - self._start
        start = -self._start - (travelled if on_the_spot else 0.0)
        self._root.position = self._place + start
        self.spot = np.zeros(3) if on_the_spot else travelled
        self._parts.move(
            figure.rotations[k, self._columns], figure.positions[k, self._columns]
        )
        above = _on_floor(figure.positions[k, 0])
        self._label.position = above + np.array([0.0, 0.0, 1.12 * figure.height])

    def place_of(self, part: str) -> Array:
        """Return where a part is shown on the stage now (3,) [m]."""
        return np.asarray(self._root.position) + self._parts.place_of(part)


def _on_floor(position: Array) -> Array:
    return np.array([position[0], position[1], 0.0])
