"""The operator's motion as a clip: written for `telexist retarget`, or read by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from telexist.retarget.errors import BadInput, BadRecording
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.isaac import holds_full_bodies, read_isaac
from telexist.retarget.recordings.npz import save_clip
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip
from telexist.retarget.so3 import Array, exp_so3, log_so3
from telexist.teleop.recording import SessionReader, recorded_profile
from telexist.teleop.recording.export.options import ExportOptions

__all__ = ["export_clip", "read_session"]

_MOTION = ("rotations", "angular_velocities", "positions", "linear_velocities")
_ROUNDING = 1e-9  # entries of R R^T - I of a rotation in double precision


def export_clip(
    reader: SessionReader, out: Path, options: ExportOptions
) -> tuple[str, ...]:
    """Write `SESSION.npz`, the calibrated frames that show all of a person.

    Raises:
        BadRecording: If there is no calibration, or too little of a person.
    """
    clip, lost = _clip_of(reader)
    save_clip(out / f"{reader.path.stem}.npz", clip)
    return (f"{lost} incomplete frames left out",) if lost else ()


def read_session(path: Path, options: ReadOptions) -> HumanClip:
    """Read the operator of a recorded session as a clip.

    A recording of NVIDIA IsaacTeleop is one of these files, too; it is read as it says.

    Args:
        path: The session.
        options: A session was calibrated when it was recorded and takes none.

    Raises:
        BadRecording: If it is no session, has no calibration, or too little of a
            person.
    """
    if holds_full_bodies(path):
        return read_isaac(path, options)
    if options.stated():
        stated = ", ".join(options.stated())
        raise BadRecording(path, f"a session takes no options: leave out {stated}")
    if not path.stat().st_size:
        raise BadRecording(path, "is empty")
    reader = SessionReader(path)
    clip, lost = _clip_of(reader)
    notes = [*clip.notes, f"session: {len(clip)} frames of {reader.header.robot}"]
    if lost:
        notes.append(f"{lost} incomplete frames left out")
    return replace(clip, notes=(*notes, *reader.problems), source=str(path))


def _clip_of(reader: SessionReader) -> tuple[HumanClip, int]:
    """Return the clip, and how many frames were left out."""
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
    return clip, int(np.count_nonzero(~whole))


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
