"""Ground forces in OpenSim's tables: force, point and moment, found by their names.

`ground_force_1_vx ... _px ... _mx`, `ground_force_r_vx` with `ground_torque_r_x`, and
`R_ground_force_vx` with `R_ground_torque_x` are all in use. The wrench about the origin
is what is kept: a point of application runs away where a plate is unloaded.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings.markers import ForceRecord
from telexist.retarget.recordings.opensim_tables.table import StorageTable, read_table
from telexist.retarget.so3 import Array

__all__ = ["ground_forces"]


def ground_forces(path: Path) -> ForceRecord:
    """Read the forces of a `.mot` or `.sto` file.

    Raises:
        BadRecording: If it cannot be read or holds no forces.
    """
    table = read_table(path)
    names, wrenches = [], []
    for label in table.labels:
        if not label.lower().endswith("vx"):
            continue
        prefix = label[:-2]
        found = _wrench(table, prefix)
        names.append(prefix.strip("_"))
        wrenches.append(found)
    if not names:
        known = ", ".join(table.labels[:6])
        problem = f"holds no forces: no columns ..._vx, _vy, _vz among {known}, ..."
        raise BadRecording(path, problem)
    return ForceRecord(
        source=str(path),
        time=table.time,
        names=tuple(names),
        wrenches=np.array(wrenches),
        corners=np.full((len(names), 4, 3), np.nan),
        notes=(
            f"{Path(path).name}: forces {', '.join(names)}, {len(table.time)} rows; "
            "N, m and N m, axes of the markers",
        ),
    )


def _wrench(table: StorageTable, prefix: str) -> Array:
    """Return force and moment about the origin (t, 6)."""
    force = _vector(table, (f"{prefix}v",))
    if force is None:
        raise BadRecording(table.path, f"{prefix}vx is there, but not its y and z")
    moment = np.zeros_like(force)
    point = _vector(table, (f"{prefix}p",))
    torque = _vector(table, _torque_names(prefix))
    if point is None and torque is None:
        problem = f"{prefix}v has neither a point of application nor a moment"
        raise BadRecording(table.path, problem)
    unloaded = np.linalg.norm(force, axis=1) == 0.0
    if point is not None:
        moment += np.cross(np.where(unloaded[:, None], 0.0, point), force)
    if torque is not None:
        moment += torque
    wrench = np.concatenate([force, moment], axis=1)
    if not np.isfinite(wrench).all():
        row = int(np.argmin(np.isfinite(wrench).all(axis=1))) + 1
        raise BadRecording(
            table.path, f"{prefix}: a value is not finite", place=f"row {row}"
        )
    return wrench


def _torque_names(prefix: str) -> tuple[str, ...]:
    swapped = prefix.replace("force", "torque").replace("Force", "Torque")
    moment = prefix.replace("force", "moment").replace("Force", "Moment")
    return (f"{prefix}m", f"{swapped}m", swapped, moment, f"{prefix}t")


def _vector(table: StorageTable, prefixes: tuple[str, ...]) -> Array | None:
    for prefix in prefixes:
        labels = [f"{prefix}{axis}" for axis in "xyz"]
        if all(label in table.labels for label in labels):
            return np.stack([table.column(label) for label in labels], axis=1)
    return None
