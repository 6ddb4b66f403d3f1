"""Coordinates as OpenSim's inverse kinematics leave them, on an `.osim` model.

The model is named by `body_model` in the TOML beside the file, has the file's name, or
is the only one in the folder. Bodies are known by the names that OpenSim's own models
of the whole body have.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from telexist.retarget.errors import BadRecording, UnknownSkeleton
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.opensim_tables import StorageTable, read_table
from telexist.retarget.recordings.recognition import SourceSkeleton, clip_from_skeleton
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array

if TYPE_CHECKING:
    from telexist.retarget.human.opensim import OsimBodies

__all__ = ["mot_skeleton", "read_mot"]

# Segment, its parent here, the body that turns it, the body whose origin it has.
_MIDDLE = (
    ("Pelvis", "", "pelvis", "pelvis"),
    ("L5", "Pelvis", "torso", "torso"),
    ("T8", "L5", "torso", "torso"),
    ("Neck", "T8", "torso", "torso"),
    ("Head", "Neck", "torso", "torso"),
)
_SIDED = (
    ("UpperLeg", "Pelvis", "femur", "femur"),
    ("LowerLeg", "UpperLeg", "tibia", "tibia"),
    ("Foot", "LowerLeg", "calcn", "talus"),
    ("Toe", "Foot", "toes", "toes"),
    ("UpperArm", "T8", "humerus", "humerus"),
    ("ForeArm", "UpperArm", "radius", "ulna"),
    ("Hand", "ForeArm", "hand", "hand"),
)
_MAY_LACK = {"toes_l", "toes_r"}
_ARM_BODIES = ("humerus", "ulna", "radius", "hand")
# Along the torso from the hips, in leg lengths of an average adult [-].
_SPINE = (("T8", 0.45), ("Neck", 0.64), ("Head", 0.76))
_SHOULDER, _BREADTH = 0.6, 0.2  # up from the hips, and aside [leg lengths]
_UPPER_ARM, _FOREARM = 0.34, 0.27  # [leg lengths]
_PALMS_IN = np.pi / 2  # [rad] of pronation at which palms look at the thighs
_LARGEST = 1e4

Places = Mapping[str, tuple[Array, Array]]


def read_mot(path: Path, options: ReadOptions) -> HumanClip:
    """Read coordinates into a clip.

    Raises:
        BadRecording: Naming the line or column and the problem.
        BadModel: If the model cannot be used.
        UnknownSkeleton: If its bodies are not those of a person.
    """
    return clip_from_skeleton(
        mot_skeleton(Path(path), model=options.body_model), options
    )


def mot_skeleton(path: Path, *, model: str | None = None) -> SourceSkeleton:
    """Read coordinates into a moving skeleton, in metres with y up.

    Args:
        path: The table.
        model: The `.osim` file, seen from the table's folder; found beside if None.

    Raises:
        BadRecording: Naming the line or column and the problem.
        BadModel: If the model cannot be used.
        UnknownSkeleton: If its bodies are not those of a person.
    """
    from telexist.retarget.human.opensim import read_osim_bodies  # brings the solver

    table = read_table(path)
    if not np.all(np.abs(table.values) < _LARGEST):
        row = int(np.argmin((np.abs(table.values) < _LARGEST).all(axis=1))) + 1
        raise BadRecording(path, "not finite or huge", place=f"row {row}")
    osim = _model_of(path, model)
    bodies = read_osim_bodies(osim)
    values = _coordinates(table, bodies)
    t = len(table.time)
    rows = _rows(path, osim, bodies)
    positions, rotations = _points(rows, bodies.placed(values, t), t)
    rest_positions, rest_rotations = _points(
        rows, bodies.placed(_neutral(bodies), 1), 1
    )
    names = tuple(name for name, _, _, _ in rows)
    rate = (t - 1) / (table.time[-1] - table.time[0]) if t > 1 else 0.0
    hang = () if "humerus_r" in _names(bodies) else (" (it has no arms: they hang)",)
    return SourceSkeleton(
        path=str(path),
        names=names,
        parents=tuple(names.index(p) if p else -1 for _, p, _, _ in rows),
        time=table.time - table.time[0],
        positions=positions,
        rotations=rotations,
        rest_positions=rest_positions[0],
        rest_rotations=rest_rotations[0],
        unit=1.0,
        up="y",
        joints=MappingProxyType({name: name for name in names}),
        notes=(
            f"OpenSim: {len(values)} of {len(bodies.defaults)} coordinates of "
            f"{osim.name}{''.join(hang)}, {t} frames at {rate:.6g} Hz",
        ),
    )


def _model_of(path: Path, stated: str | None) -> Path:
    if stated is not None:
        return path.parent / Path(stated).expanduser()
    folders = (path.parent, path.parent.parent)
    for folder in folders:
        beside = sorted(p for p in folder.iterdir() if p.suffix.lower() == ".osim")
        same = [p for p in beside if p.stem == path.stem]
        if same or len(beside) == 1:
            return (same or beside)[0]
        if beside:
            names = ", ".join(p.name for p in beside[:5])
            problem = f"which model? name one as `body_model` in a TOML: {names}"
            raise BadRecording(path, problem)
    problem = (
        "its model is missing: put the .osim beside it, or name it as `body_model` "
        "in a TOML beside it"
    )
    raise BadRecording(path, problem)


def _coordinates(table: StorageTable, bodies: OsimBodies) -> dict[str, Array]:
    """Return coordinate to values (t,) [rad] or [m]."""
    values: dict[str, Array] = {}
    for column, label in enumerate(table.labels):
        parts = label.split("/")
        name = parts[-2] if parts[-1] == "value" and len(parts) > 1 else label
        if name in bodies.defaults:
            found = table.values[:, column]
            if table.in_degrees and name not in bodies.slides:
                found = np.deg2rad(found)
            values[name] = found
    if not values:
        known = ", ".join(table.labels[:4])
        problem = f"no column is a coordinate of the model: it has {known}, ..."
        raise BadRecording(table.path, problem)
    return values


def _neutral(bodies: OsimBodies) -> dict[str, Array]:
    """Return the coordinates of a person in N-pose: all zero, palms inwards."""
    values = {n: np.zeros(1) for n in bodies.defaults if n not in bodies.slides}
    for name in values:
        if name.startswith("pro_sup"):
            values[name] = np.array([_PALMS_IN])
    return values


def _names(bodies: OsimBodies) -> set[str]:
    return {joint.child.body for joint in bodies.joints}


def _rows(
    path: Path, osim: Path, bodies: OsimBodies
) -> list[tuple[str, str, str, str]]:
    """Return segment, parent, and the bodies that turn and place it."""
    names = _names(bodies)
    rows = list(_MIDDLE)
    for side, end in (("Left", "_l"), ("Right", "_r")):
        for name, parent, turned, placed in _SIDED:
            above = parent if parent in ("Pelvis", "T8") else f"{side}{parent}"
            rows.append((f"{side}{name}", above, turned + end, placed + end))
    arms = {b for _, _, *pair in rows for b in pair if b.startswith(_ARM_BODIES)}
    lacking = {b for _, _, *pair in rows for b in pair} - names - _MAY_LACK
    if arms <= lacking:  # all of them: a model of the legs
        lacking -= arms
    if lacking:
        problem = (
            f"{osim.name} has no bodies {', '.join(sorted(lacking))}: it is no model "
            "of a whole person with OpenSim's names"
        )
        raise UnknownSkeleton(str(path), problem)
    return [row for row in rows if not {row[2], row[3]} & _MAY_LACK - names]


def _points(
    rows: list[tuple[str, str, str, str]], placed: Places, frames: int
) -> tuple[Array, Array]:
    """Return positions (t, j, 3) and rotations (t, j, 3, 3)."""
    placed = dict(placed)
    R, lumbar = placed["torso"]
    hips = (placed["femur_l"][1] + placed["femur_r"][1]) / 2.0
    thigh = np.linalg.norm(placed["tibia_r"][1] - placed["femur_r"][1], axis=1)
    leg = 2.0 * float(np.median(thigh))
    below = float(np.median(np.linalg.norm(lumbar - hips, axis=1)))
    if "humerus_r" not in placed:
        _hang_arms(placed, leg, below)
    positions = np.stack([placed[body][1] for _, _, _, body in rows], axis=1)
    rotations = np.stack([placed[body][0] for _, _, body, _ in rows], axis=1)
    names = [row[0] for row in rows]
    for name, share in _SPINE:
        above = np.array([0.0, share * leg - below, 0.0])
        positions[:, names.index(name)] = lumbar + R @ above
    return positions, rotations


def _hang_arms(
    placed: dict[str, tuple[Array, Array]], leg: float, below: float
) -> None:
    """Give a model of the legs the arms of an average adult."""
    R, lumbar = placed["torso"]
    for end, left in (("_l", 1.0), ("_r", -1.0)):  # x ahead, y up, z to the right
        shoulder = np.array([0.0, _SHOULDER * leg - below, -_BREADTH * leg * left])
        down = 0.0
        for bodies, length in (
            (("humerus",), _UPPER_ARM),
            (("ulna", "radius"), _FOREARM),
            (("hand",), 0.0),
        ):
            at = shoulder - [0.0, down * leg, 0.0]
            placed.update({f"{b}{end}": (R, lumbar + R @ at) for b in bodies})
            down += length
