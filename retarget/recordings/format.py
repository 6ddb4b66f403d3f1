"""The formats of recordings, and the one function that reads them all.

To add a format: write a function `read_x(path, options) -> HumanClip` in a file of its
own and add a row to `FORMATS`; strangers bring an entry point of the group
`telexist.formats`, whose name is the suffix. A format that only knows moving points
builds a `SourceSkeleton` and returns `clip_from_skeleton(skeleton, options)`.
"""

from __future__ import annotations

import importlib
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from telexist.retarget.errors import BadRecording, TelexistError, UnknownName
from telexist.retarget.plugins import PluginTable
from telexist.retarget.recordings.options import ReadOptions, load_options
from telexist.retarget.signals import HumanClip

__all__ = ["BUILTIN", "FORMATS", "RecordingFormat", "read_clip"]

FORMATS = PluginTable(
    "recording format",
    "telexist.formats",
    {
        ".amc": "telexist.retarget.recordings.acclaim:read_amc",
        ".bvh": "telexist.retarget.recordings.bvh.read_bvh:read_bvh",
        ".c3d": "telexist.retarget.recordings.c3d:read_c3d",
        ".csv": "telexist.retarget.recordings.landmarks:read_landmark_table",
        ".fbx": "telexist.retarget.recordings.fbx:read_fbx",
        ".glb": "telexist.retarget.recordings.gltf:read_gltf",
        ".gltf": "telexist.retarget.recordings.gltf:read_gltf",
        ".json": "telexist.retarget.recordings.landmarks:read_landmark_json",
        # Of a folder above this one, which the word does not import.
        ".mcap": "telexist.teleop.recording.export.clip_file:read_session",
        ".mot": "telexist.retarget.recordings.opensim_motion:read_mot",
        ".mvnx": "telexist.retarget.recordings.mvnx.read_mvnx:read_mvnx",
        ".npz": "telexist.retarget.recordings.npz.read_npz:read_npz",
        ".pkl": "telexist.retarget.recordings.smpl:read_pickled_smpl",
        ".pt": "telexist.retarget.recordings.smpl:read_torch_smpl",
        ".pth": "telexist.retarget.recordings.smpl:read_torch_smpl",
        ".sto": "telexist.retarget.recordings.opensim_motion:read_mot",
        ".trc": "telexist.retarget.recordings.trc:read_trc",
        ".vrm": "telexist.retarget.recordings.gltf:read_gltf",
        ".vrma": "telexist.retarget.recordings.gltf:read_gltf",
    },
    prefix=".",
)
"""File suffix to the function that reads it, imported only when asked for."""

_DAMAGE = (
    *(ValueError, LookupError, ArithmeticError, TypeError, AttributeError),
    *(RuntimeError, AssertionError, MemoryError, struct.error, zlib.error),
)
FARTHEST = 1e5  # [m] from the origin; nobody is recorded that far
BUILTIN = "builtin"
"""The name that stands for the generated motion: no file is needed."""
_BUILTIN_FUNCTION = "telexist.retarget.recordings.builtin.clip:builtin_clip"


class RecordingFormat(Protocol):
    """A function that reads one file format."""

    def __call__(self, path: Path, options: ReadOptions) -> HumanClip:
        """Read the file into a clip.

        Raises:
            BadRecording: Naming the file, the place in it and the problem.
        """


def read_clip(path: str | Path, options: ReadOptions | None = None) -> HumanClip:
    """Read a recording of any known format, or the built-in motion.

    Without `options`, a file of the same name that ends in `.toml` beside the recording
    is used where there is one.

    Args:
        path: The recording, or the word "builtin".
        options: What is known about the recording; see `options.py`.

    Raises:
        BadRecording: If the file cannot be read.
        UnknownName: If its suffix belongs to no known format.
        BadConfig: If the file of options beside it is wrong.
    """
    if str(path) == BUILTIN:
        return cast(Callable[[], HumanClip], _imported(_BUILTIN_FUNCTION))()
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise UnknownName("recording format", suffix or path.name, FORMATS)
    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "no such file"
        raise BadRecording(path, problem)
    options = options if options is not None else _options_beside(path)
    try:
        # Damaged numbers overflow on their way; what comes of them is refused.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            clip = cast(HumanClip, FORMATS.call(suffix, path, options, like=HumanClip))
    except TelexistError:
        raise
    except _DAMAGE as error:  # that its reader did not foresee
        raise BadRecording(path, f"damaged: {type(error).__name__}") from error
    farthest = float(np.abs(clip.positions).max())
    if farthest > FARTHEST:
        problem = f"a joint is {farthest:.2g} m away: damaged, or in another unit"
        raise BadRecording(path, problem, place="positions")
    return clip


def _options_beside(path: Path) -> ReadOptions:
    beside = path.with_suffix(".toml")
    return load_options(beside) if beside.is_file() else ReadOptions()


def _imported(target: str) -> object:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)
