"""Rigid parts in the page's scene: one frame each, with its meshes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from telexist.retarget.so3 import Array, quat_wxyz_from_rotation
from telexist.teleop.viewers.figures.solid import Colour, SceneMesh

__all__ = ["SceneParts"]

STILL = 1e-4  # [m] and [1]: a part that moved less is not sent again


class SceneParts:
    """Moves the parts of one person or robot; what did not move is not sent.

    Attributes:
        names: The k parts that have something to draw.
    """

    def __init__(self, scene: Any, root: str, solids: Sequence[SceneMesh]) -> None:
        """Add the solids to a viser scene below a node."""
        self.names = tuple(dict.fromkeys(solid.part for solid in solids))
        self._frames = [
            scene.add_frame(f"{root}/{k}", show_axes=False)
            for k in range(len(self.names))
        ]
        self._shown = np.ones(len(self.names), dtype=bool)
        self._positions = np.full((len(self.names), 3), np.nan)
        self._quats_wxyz = np.full((len(self.names), 4), np.nan)
        number_of = {part: k for k, part in enumerate(self.names)}
        self._meshes: dict[str, list[Any]] = {name: [] for name in self.names}
        self._colours: dict[str, Colour] = {}
        for number, solid in enumerate(solids):
            mesh = scene.add_mesh_simple(
                f"{root}/{number_of[solid.part]}/{number}",
                vertices=solid.vertices.astype(np.float32),
                faces=solid.faces.astype(np.uint32),
                color=solid.colour,
                side="double",
            )
            self._meshes[solid.part].append(mesh)

    def paint(self, colours: Mapping[str, Colour]) -> None:
        """Give parts another colour; what has it already is not sent again."""
        for part, colour in colours.items():
            if self._colours.get(part) != colour:
                self._colours[part] = colour
                for mesh in self._meshes.get(part, ()):
                    mesh.color = colour

    def move(self, rotations: Array, positions: Array) -> None:
        """Move all parts.

        Args:
            rotations: (k, 3, 3), in the order of `names`.
            positions: (k, 3) [m]; a part with NaN stays where it is.
        """
        quats_wxyz = quat_wxyz_from_rotation(rotations)
        for k in np.flatnonzero(_moved(positions, self._positions)):
            self._frames[k].position = self._positions[k] = positions[k]
        for k in np.flatnonzero(_moved(quats_wxyz, self._quats_wxyz)):
            self._frames[k].wxyz = self._quats_wxyz[k] = quats_wxyz[k]

    def show_only(self, names: Collection[str]) -> None:
        """Hide all parts but those named."""
        wanted = np.array([name in names for name in self.names], dtype=bool)
        for k in np.flatnonzero(wanted != self._shown):
            self._frames[k].visible = bool(wanted[k])
        self._shown = wanted

    def place_of(self, part: str) -> Array:
        """Return where a part is shown, relative to the root (3,) [m]."""
        return np.array(self._frames[self.names.index(part)].position)


def _moved(new: Array, old: Array) -> np.ndarray:
    """Return which rows are finite and differ from the old ones (k,) bool."""
    still = np.abs(new - old).max(axis=1, initial=0.0) <= STILL  # NaN: not still
    return ~still & np.isfinite(new).all(axis=1)
