"""The operator's motion as a clip that `telexist retarget` reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput, BadRecording
from telexist.retarget.recordings.npz import save_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, exp_so3, log_so3
from telexist.teleop.recording import SessionReader, recorded_profile
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["export_clip"]

_MOTION = ("rotations", "angular_velocities", "positions", "linear_velocities")
_ROUNDING = 1e-9  # entries of R R^T - I of a rotation in double precision


def export_clip(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write `SESSION.npz`, the calibrated frames that show all of a person.

    Raises:
        BadRecording: If there is no calibration, or too little of a person.
    """
    arrays = reader.arrays("human")
    whole = _whole_frames(reader, arrays)
    motion = {name: arrays[name][whole] for name in _MOTION}
    motion["rotations"] = _rotations(motion["rotations"])
    stamps, size = arrays["stamp"][whole], recorded_profile(reader).size
    try:
        clip = HumanClip(
            name=reader.path.stem,
            source=reader.path.name,
            time=stamps - stamps[0],
            size=size,
            notes=(f"operator {reader.header.operator or 'unknown'}",),
            **motion,
        )
    except BadInput as error:
        raise BadRecording(reader.path, str(error)) from error
    save_clip(out / f"{reader.path.stem}.npz", clip)
    lost = int(np.count_nonzero(~whole))
    return (f"{lost} incomplete frames left out",) if lost else ()


def _whole_frames(reader: SessionReader, arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Return which frames are later than all before and lack nothing (t,)."""
    if not arrays:
        raise BadRecording(reader.path, "holds no calibrated human frames")
    for name in _MOTION:
        if name not in arrays:
            problem = "not recorded: a clip needs a source that tracks positions"
            raise BadRecording(reader.path, problem, place=name)
    stamps = arrays["stamp"]
    whole = np.isfinite(stamps)
    for name in _MOTION:
        whole &= np.isfinite(arrays[name]).reshape(len(whole), -1).all(1)
    latest = np.maximum.accumulate(np.where(whole, stamps, -np.inf))
    whole[1:] &= stamps[1:] > latest[:-1]
    if not whole.any():
        problem = f"no frame shows all {len(SEGMENTS)} segments of a person"
        raise BadRecording(reader.path, problem, place="/human/calibrated")
    return whole


def _rotations(given: Array) -> Array:
    """Return rotations to rounding; a device in single precision is less exact."""
    off = np.abs(given @ np.swapaxes(given, -1, -2) - np.eye(3)).max()
    return exp_so3(log_so3(given)) if off > _ROUNDING else given
