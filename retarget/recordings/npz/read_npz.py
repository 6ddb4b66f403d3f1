"""`.npz` recordings: clips that we saved, and SMPL motion as AMASS keeps it."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadRecording
from telexist.retarget.files import read_arrays
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.npz.clip_file import (
    CLIP_KEYS,
    FORMAT,
    clip_from_arrays,
)
from telexist.retarget.recordings.smpl import FLAT_KEYS, clip_from_smpl
from telexist.retarget.signals import HumanClip

__all__ = ["read_npz"]

_MOTIONS = {
    "poses",
    "pose",
    "pose_world",
    "smpl_poses",
    "fullpose",
    "root_orient",
    "global_orient",
}


def read_npz(path: Path, options: ReadOptions) -> HumanClip:
    """Look inside and read what it is.

    Args:
        path: The file.
        options: What is known about it. A saved clip was read before and takes none.

    Raises:
        BadRecording: If it is neither, or damaged.
        BadModel: If the body model that the options name cannot be used.
    """
    path = Path(path)
    arrays = read_arrays(path, {*CLIP_KEYS, *FLAT_KEYS})
    if "format" in arrays and str(arrays["format"]) == FORMAT:
        if options.stated():
            stated = ", ".join(options.stated())
            raise BadRecording(
                path, f"a saved clip takes no options: leave out {stated}"
            )
        return clip_from_arrays(path, arrays)
    if not _MOTIONS & arrays.keys():
        problem = "neither a saved clip nor SMPL motion: no `poses` and no `format`"
        raise BadRecording(path, problem)
    return clip_from_smpl(path, arrays, options, gender=_gender(path))


def _gender(path: Path) -> str:
    """Return what the file says, in whatever way; it only chooses a body model."""
    try:
        found = read_arrays(path, {"gender"}).get("gender")
    except BadRecording:
        return ""
    if found is None or found.size != 1 or found.dtype.kind not in "US":
        return ""
    value = found.reshape(-1)[0]
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
