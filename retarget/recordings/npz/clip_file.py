"""Clips in our own format: an `.npz` archive that reads back bit for bit."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from telexist.retarget.errors import BadInput, BadRecording
from telexist.retarget.files import read_arrays, write_bytes
from telexist.retarget.human_size import TIPS, HumanSize
from telexist.retarget.segments import SEGMENTS
from telexist.retarget.signals import HumanClip

__all__ = ["CLIP_KEYS", "FORMAT", "clip_from_arrays", "read_saved_clip", "save_clip"]

FORMAT = "telexist clip"
FORMAT_VERSION = 1

_S, _K = len(SEGMENTS), len(TIPS)
_MOTION: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "time": (),
        "rotations": (_S, 3, 3),
        "angular_velocities": (_S, 3),
        "positions": (_S, 3),
        "linear_velocities": (_S, 3),
    }
)
_TEXTS = ("format", "name", "source", "notes", "segments", "tips")
_SIZE = {"size_joints": (_S, 3), "size_tips": (_K, 3)}

CLIP_KEYS = ("format_version", *_TEXTS, *_MOTION, *_SIZE)
"""Every key of a saved clip."""


def save_clip(path: Path, clip: HumanClip) -> None:
    """Write a clip so that `read_clip` gives the same numbers again.

    Raises:
        CannotWrite: If the file cannot be written.
    """
    arrays: dict[str, np.ndarray] = {
        "format": np.array(FORMAT),
        "format_version": np.array(FORMAT_VERSION),
        "name": np.array(clip.name),
        "source": np.array(clip.source),
        "notes": np.array(clip.notes, dtype=np.str_),
        "segments": np.array(SEGMENTS),
        "tips": np.array(tuple(TIPS)),
        "size_joints": np.stack([clip.size.joints[name] for name in SEGMENTS]),
        "size_tips": np.stack([clip.size.tips[name] for name in TIPS]),
    }
    arrays.update({name: getattr(clip, name) for name in _MOTION})
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    write_bytes(Path(path), buffer.getvalue())


def read_saved_clip(path: Path) -> HumanClip:
    """Read what `save_clip` wrote.

    Raises:
        BadRecording: If it is something else or damaged.
    """
    return clip_from_arrays(path, read_arrays(path, CLIP_KEYS))


def clip_from_arrays(path: Path, arrays: Mapping[str, np.ndarray]) -> HumanClip:
    """Check the arrays of a saved clip and build it.

    Raises:
        BadRecording: Naming the key.
    """
    _check(path, arrays)
    joints = dict(zip(SEGMENTS, arrays["size_joints"], strict=True))
    tips = dict(zip(TIPS, arrays["size_tips"], strict=True))
    try:
        return HumanClip(
            name=str(arrays["name"]),
            source=str(arrays["source"]),
            size=HumanSize(joints=joints, tips=tips),
            notes=tuple(str(note) for note in arrays["notes"]),
            **{name: arrays[name] for name in _MOTION},
        )
    except BadInput as error:
        raise BadRecording(path, str(error)) from error


def _check(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    missing = [key for key in CLIP_KEYS if key not in arrays]
    if missing:
        raise BadRecording(path, "missing: not a clip of ours", place=missing[0])
    version = arrays["format_version"]
    if str(arrays["format"]) != FORMAT or version.shape or version != FORMAT_VERSION:
        problem = f"is {version}, this program reads {FORMAT_VERSION}"
        raise BadRecording(path, problem, place="format_version")
    if arrays["segments"].tolist() != list(SEGMENTS):
        raise BadRecording(path, "are not the 23 of a person", place="segments")
    if arrays["tips"].tolist() != list(TIPS):
        raise BadRecording(path, f"expected {', '.join(TIPS)}", place="tips")
    frames = arrays["time"].shape[:1]
    shapes = {name: (*frames, *shape) for name, shape in _MOTION.items()} | _SIZE
    for name, shape in shapes.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float64:
            found = f"{arrays[name].dtype} {arrays[name].shape}"
            raise BadRecording(path, f"is {found}, not float64 {shape}", place=name)
    if arrays["notes"].ndim != 1:
        raise BadRecording(path, "is not a list of lines", place="notes")
    _check_rotations(path, arrays["rotations"])


def _check_rotations(path: Path, rotations: np.ndarray) -> None:
    if not np.isfinite(rotations).all():
        raise BadRecording(path, "holds a value that is not finite", place="rotations")
    off = np.abs(rotations @ np.swapaxes(rotations, -1, -2) - np.eye(3)).max(
        axis=(2, 3)
    )
    if off.size and off.max() > 1e-6:
        frame, segment = np.unravel_index(int(off.argmax()), off.shape)
        problem = f"frame {frame}, {SEGMENTS[segment]} is not a rotation"
        raise BadRecording(path, problem, place="rotations")
