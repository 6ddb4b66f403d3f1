"""Force plates of a C3D file: what their channels mean, after the C3D user guide.

Corners 1 to 4 stand in the quadrants (+x, +y), (-x, +y), (-x, -y), (+x, -y) of the
plate's own axes, whose z points down as a rule. Types: 1 force, centre of pressure and
free moment; 2 force and moment; 3 eight forces; 4 as 2 with a calibration matrix; 5 as
3 with one.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.recordings.c3d.c3d_file import C3dFile
from telexist.retarget.recordings.markers import ForceRecord
from telexist.retarget.so3 import Array

__all__ = ["plate_forces"]

_CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6, 5: 8}
_LENGTHS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}


def plate_forces(file: C3dFile, unit: float) -> ForceRecord | None:
    """Return what the plates measured, or None if the file has none.

    A plate that cannot be understood is left out and named in the notes.

    Args:
        file: The file.
        unit: Length of one unit of its points [m].
    """
    parameters = file.parameters
    used = int(parameters.number("FORCE_PLATFORM", "USED") or 0)
    if not 0 < used <= 64:
        return None
    names, wrenches, corners, notes = [], [], [], []
    for k in range(used):
        found = _plate(file, k, unit)
        if isinstance(found, str):
            notes.append(f"plate {k + 1} left out: {found}")
            continue
        wrench, corner, kind = found
        names.append(f"plate {k + 1}")
        wrenches.append(wrench)
        corners.append(corner)
        notes.append(f"plate {k + 1}: type {kind}, centre {_metres(corner.mean(0))}")
    if not names:
        return ForceRecord(
            source=str(file.path),
            time=np.empty(0),
            names=(),
            wrenches=np.empty((0, 0, 6)),
            corners=np.empty((0, 4, 3)),
            notes=tuple(notes),
        )
    return ForceRecord(
        source=str(file.path),
        time=np.arange(len(file.analog)) / (file.rate * file.samples),
        names=tuple(names),
        wrenches=np.array(wrenches),
        corners=np.array(corners),
        notes=tuple(notes),
    )


def _metres(point: Array) -> str:
    return "(" + ", ".join(f"{x:.3f}" for x in point) + ") m"


def _plate(file: C3dFile, k: int, unit: float) -> tuple[Array, Array, int] | str:
    """Return wrenches about the origin (t, 6), corners (4, 3) [m] and type, or why not.

    The wrench is that of the plate's axes turned into the world; whether it is of the
    person or the plate is found later, from what carries a person.
    """
    parameters = file.parameters
    kinds = parameters.array("FORCE_PLATFORM", "TYPE").ravel()
    kind = int(kinds[k]) if k < len(kinds) else 0
    if kind not in _CHANNELS:
        return f"type {kind} is not known"
    channels = parameters.array("FORCE_PLATFORM", "CHANNEL")
    count = _CHANNELS[kind]
    if channels.ndim != 2 or channels.shape[0] < count or channels.shape[1] <= k:
        return "FORCE_PLATFORM:CHANNEL does not name its channels"
    columns = channels[:count, k].astype(int) - 1
    if columns.min() < 0 or columns.max() >= file.analog.shape[1]:
        have = file.analog.shape[1]
        return f"channel {columns.max() + 1} of {have} analog channels"
    corners = parameters.array("FORCE_PLATFORM", "CORNERS")
    if corners.ndim != 3 or corners.shape[:2] != (3, 4) or corners.shape[2] <= k:
        return "it has no corners"
    corner = unit * corners[:, :, k].T.astype(np.float64)
    axes = _axes(corner)
    if axes is None:
        return "its corners are no rectangle"
    values = _baseline_removed(file.analog[:, columns], file)
    origin = parameters.array("FORCE_PLATFORM", "ORIGIN")
    has_origin = origin.ndim == 2 and origin.shape[0] == 3 and origin.shape[1] > k
    o = unit * origin[:, k].astype(np.float64) if has_origin else np.zeros(3)
    if kind in (4, 5):
        matrix = parameters.array("FORCE_PLATFORM", "CAL_MATRIX")
        if matrix.ndim != 3 or matrix.shape[2] <= k or matrix.shape[1] < count:
            return f"type {kind} without a calibration matrix"
        values = values @ matrix[:6, :count, k].T
    lengths = _moment_units(file, columns)
    if isinstance(lengths, str):
        return lengths
    local = _local(kind, values, lengths, o)
    if not np.isfinite(local).all():
        return "a channel holds values that are not finite"
    force = local[:, :3] @ axes.T
    moment = local[:, 3:] @ axes.T + np.cross(corner.mean(0), force)
    return np.concatenate([force, moment], axis=1), corner, kind


def _axes(corner: Array) -> Array | None:
    """Return the plate's axes as columns, or None if the corners span nothing."""
    if not np.isfinite(corner).all():
        return None
    x = corner[0] + corner[3] - corner[1] - corner[2]
    y = corner[0] + corner[1] - corner[2] - corner[3]
    z = np.cross(x, y)
    lengths = [float(np.linalg.norm(v)) for v in (x, y, z)]
    if min(lengths) < 1e-4 or lengths[2] < 0.5 * lengths[0] * lengths[1]:
        return None
    x, z = x / lengths[0], z / lengths[2]
    return np.stack([x, np.cross(z, x), z], axis=1)


def _baseline_removed(values: Array, file: C3dFile) -> Array:
    """Subtract the mean over the frames that ZERO names, if it does."""
    zero = file.parameters.array("FORCE_PLATFORM", "ZERO").ravel()
    if len(zero) < 2:
        return values
    first, last = int(zero[0]), int(zero[1])
    if not 1 <= first < last <= len(values):
        return values
    return values - values[first - 1 : last].mean(axis=0)


def _moment_units(file: C3dFile, columns: np.ndarray) -> float | str:
    """Return metres per unit of length in the moments' unit (Nmm: 0.001)."""
    units = [
        text.lower().replace(" ", "")
        for text in file.parameters.texts("ANALOG", "UNITS")
    ]
    of = [
        units[c].replace(".", "").replace("*", "") if c < len(units) else ""
        for c in columns
    ]
    if of[0] not in ("", "n", "newton", "newtons", "v"):
        return f"its forces are in {of[0][:10]!r}, expected N"
    named = next((u[1:] for u in of[3:] if u.startswith("n") and len(u) > 1), None)
    if named is None:
        return _length_unit(file)
    return _LENGTHS.get(named, 1e-3)


def _length_unit(file: C3dFile) -> float:
    texts = file.parameters.texts("POINT", "UNITS")
    return _LENGTHS.get(texts[0].lower() if texts else "mm", 1e-3)


def _local(kind: int, values: Array, length: float, origin: Array) -> Array:
    """Return force and moment about the middle of the surface, plate axes (t, 6).

    `origin` is the sensor seen from the surface; it lies below, so where a file has it
    on the other side of the surface from its z axis, the sign is the file's mistake.
    """
    if kind == 1:
        f, p = values[:, :3], length * values[:, 3:5]
        at = np.concatenate([p, np.zeros((len(p), 1))], axis=1)
        moment = np.cross(at, f)
        moment[:, 2] += length * values[:, 5]
        return np.concatenate([f, moment], axis=1)
    if kind in (3, 5):
        return _eight(values, origin)
    force, moment = values[:, :3], length * values[:, 3:6]
    depth = origin if origin[2] >= 0.0 else -origin
    return np.concatenate([force, moment + np.cross(depth, force)], axis=1)


def _eight(values: Array, origin: Array) -> Array:
    """Add eight one-axis sensors at (+-a, +-b, depth): x12 x34 y14 y23 z1 z2 z3 z4."""
    a, b, depth = abs(origin[0]), abs(origin[1]), abs(origin[2])
    x12, x34, y14, y23, z1, z2, z3, z4 = values.T
    fx, fy, fz = x12 + x34, y14 + y23, z1 + z2 + z3 + z4
    mx = b * (z1 + z2 - z3 - z4)
    my = a * (-z1 + z2 + z3 - z4)
    mz = b * (-x12 + x34) + a * (y14 - y23)
    return np.stack([fx, fy, fz, mx - depth * fy, my + depth * fx, mz], axis=1)
