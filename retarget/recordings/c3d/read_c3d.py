"""C3D recordings: points that are markers, and the rest told apart."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.c3d.c3d_file import C3dFile, read_c3d_file
from telexist.retarget.recordings.c3d.plates import plate_forces
from telexist.retarget.recordings.markers import MarkerCapture, clip_from_markers
from telexist.retarget.signals import HumanClip

__all__ = ["c3d_capture", "read_c3d"]

_LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "in": 0.0254, "inch": 0.0254}
_RESULTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")
_UP = {"+X": "x", "+Y": "y", "+Z": "z", "-X": "-x", "-Y": "-y", "-Z": "-z"}


def read_c3d(path: Path, options: ReadOptions) -> HumanClip:
    """Read the person in a C3D file.

    Raises:
        BadRecording: Naming the place and the problem.
        UnknownSkeleton: If its markers are not those of a known set.
    """
    return clip_from_markers(c3d_capture(path, unit=options.unit), options, c3d_capture)


def c3d_capture(path: Path, *, unit: float | None = None) -> MarkerCapture:
    """Read markers and forces of a C3D file.

    Args:
        path: The file.
        unit: Length of one unit [m], where the user states it.

    Raises:
        BadRecording: Naming the place and the problem.
    """
    file = read_c3d_file(Path(path))
    texts = file.parameters.texts("POINT", "UNITS")
    word = texts[0].lower() if texts else ""
    if unit is None and word and word not in _LENGTHS:
        known = ", ".join(_LENGTHS)
        problem = f"{word[:20]!r} is no known length ({known}); state `unit`"
        raise BadRecording(path, problem, place="POINT:UNITS")
    length = unit or _LENGTHS.get(word)
    screen = file.parameters.texts("POINT", "Y_SCREEN")
    results = {
        label for name in _RESULTS for label in file.parameters.texts("POINT", name)
    }
    markers = [k for k, label in enumerate(file.labels) if label not in results]
    curves = {
        label: file.points[:, k]
        for k, label in enumerate(file.labels)
        if label in results
    }
    forces = plate_forces(file, length or 1e-3)
    return MarkerCapture(
        path=str(path),
        names=tuple(file.labels[k] for k in markers),
        time=np.arange(len(file.points)) / file.rate,
        positions=file.points[:, markers],
        unit=length,
        up=_UP.get(screen[0].upper()) if screen else None,
        mass=_mass(file),
        forces=forces,
        curves=MappingProxyType(curves),
        notes=(
            f"C3D: {len(markers)} points, {len(file.points)} frames at "
            f"{file.rate:.6g} Hz, unit {word or 'not stated'}",
            *(forces.notes if forces is not None else ()),
        ),
    )


def _mass(file: C3dFile) -> float | None:
    """Return the mass that Vicon's programs leave in the file [kg]."""
    for group in ("PROCESSING", "SUBJECTS", "SUBJECT"):
        for name in ("BODYMASS", "MASS", "WEIGHT"):
            mass = file.parameters.number(group, name)
            if mass is not None and 5.0 < mass < 300.0:
                return mass
    return None
