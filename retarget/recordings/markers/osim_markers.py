"""A scaled OpenSim model as the person who stands: its markers with all angles zero."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from telexist.retarget.recordings.markers.marker_names import known_roles
from telexist.retarget.so3 import Array

__all__ = ["osim_places"]

_CENTRES = {"femur": "HipCenter", "tibia": "KneeCenter", "talus": "AnkleCenter"}


def osim_places(path: Path, stated: Mapping[str, str]) -> dict[str, Array]:
    """Return place to point (3,) [m], z up, of markers and of the legs' joints.

    Args:
        path: An `.osim` file, scaled to the person.
        stated: Place to marker name, as the user says.

    Raises:
        BadModel: If the file cannot be read.
    """
    from telexist.retarget.human.opensim import read_osim  # brings the solver along

    body = read_osim(path)
    at: dict[str, tuple[Array, Array]] = {}
    for link in body.model.links:
        R, p = np.eye(3), np.zeros(3)
        if link.parent is not None:
            R, p = at[link.parent]
        at[link.name] = (R @ link.rest_R, p + R @ link.rest_p)
    up = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])

    def place(name: str, point: Array) -> Array:
        R, p = at[name]
        moved: Array = up @ (p + R @ point)
        return moved

    places = {
        role: place(body.markers[name].link, body.markers[name].link_p_point)
        for role, name in known_roles(body.markers, stated).items()
        if name in body.markers
    }
    for side, end in (("Left", "_l"), ("Right", "_r")):
        for part, joint in _CENTRES.items():
            if f"{part}{end}" in at:
                places[f"{side}{joint}"] = place(f"{part}{end}", np.zeros(3))
    return places
