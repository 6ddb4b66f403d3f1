"""`.npz` recordings: clips that we saved, and AMASS-like SMPL motion."""

from __future__ import annotations

from pathlib import Path

from telexist.retarget.errors import BadRecording
from telexist.retarget.files import read_arrays
from telexist.retarget.recordings import ReadOptions
from telexist.retarget.recordings.npz.amass import AMASS_KEYS, clip_from_smpl
from telexist.retarget.recordings.npz.clip_file import (
    CLIP_KEYS,
    FORMAT,
    clip_from_arrays,
)
from telexist.retarget.signals import HumanClip

__all__ = ["read_npz"]


def read_npz(path: Path, options: ReadOptions) -> HumanClip:
    """Look inside and read what it is.

    Args:
        path: The file.
        options: What is known about it. A saved clip was read before and takes none.

    Raises:
        BadRecording: If it is neither, or damaged.
    """
    path = Path(path)
    arrays = read_arrays(path, {*CLIP_KEYS, *AMASS_KEYS})
    if "format" in arrays and str(arrays["format"]) == FORMAT:
        if options.stated():
            stated = ", ".join(options.stated())
            raise BadRecording(
                path, f"a saved clip takes no options: leave out {stated}"
            )
        return clip_from_arrays(path, arrays)
    if "poses" in arrays or {"root_orient", "pose_body"} <= arrays.keys():
        return clip_from_smpl(path, arrays, options)
    problem = "neither a saved clip nor AMASS: no `poses` and no `format`"
    raise BadRecording(path, problem)
