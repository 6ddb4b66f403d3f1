"""Which recordings the arguments of a command mean, and the name of each."""

from __future__ import annotations

import os
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from telexist.retarget.errors import UsageError
from telexist.retarget.recordings import BUILTIN, FORMATS

__all__ = ["ClipSource", "find_clips", "is_result"]

_RESULT_KEYS = {"joint_positions.npy", "base_quat_wxyz.npy", "format_version.npy"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipSource:
    """A recording to read.

    Attributes:
        path: The file, or the word `builtin`.
        name: Unique among the clips of a run; output files begin with it.
    """

    path: str
    name: str


def find_clips(arguments: Iterable[str]) -> tuple[ClipSource, ...]:
    """Return the recordings that files, folders and the word `builtin` stand for.

    Folders are searched to the bottom. Recordings of equal names get the name of their
    folder in front, so that their results do not meet.

    Raises:
        UsageError: If a path does not exist, is no recording or holds none.
    """
    paths: dict[str, Path] = {}
    for argument in arguments:
        for path in _paths_of(argument):
            paths.setdefault(os.path.realpath(path), path)
    chosen = tuple(paths.values())
    names = _unique_names(chosen)
    return tuple(
        ClipSource(path=str(path), name=name)
        for path, name in zip(chosen, names, strict=True)
    )


def is_result(path: Path) -> bool:
    """Whether a `.npz` holds a robot's motion, as `telexist retarget` writes it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return set(archive.namelist()) >= _RESULT_KEYS
    except (zipfile.BadZipFile, OSError):
        return False


def _paths_of(argument: str) -> Sequence[Path]:
    path = Path(argument)
    if argument == BUILTIN:
        return (path,)
    if path.is_dir():
        found = sorted(_recordings_below(path))
        if not found:
            kinds = ", ".join(FORMATS)
            raise UsageError(f"{path}: no recordings ({kinds}) in this folder")
        return found
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if not path.is_file():
        raise UsageError(f"{path}: not a file: save the recording first")
    if path.suffix.lower() not in FORMATS:
        kinds = ", ".join(FORMATS)
        raise UsageError(f"{path}: not a recording of a known format: {kinds}")
    if path.suffix.lower() == ".npz" and is_result(path):
        raise UsageError(
            f"{path}: this is a robot's motion; give the recording it was made from"
        )
    return (path,)


def _recordings_below(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            path = Path(here, name)
            suffix = path.suffix.lower()
            if name.startswith(".") or suffix not in FORMATS:
                continue
            if path.exists() and not path.is_file():  # a pipe would never end
                continue
            if suffix != ".npz" or not is_result(path):
                yield path


def _unique_names(paths: Sequence[Path]) -> list[str]:
    """Return stems; equal ones get their suffix, then their folders, in the name."""
    absolute = [Path(os.path.abspath(path)) for path in paths]
    names = [path.stem for path in paths]
    again = _repeated(f"{p.parent}/{p.stem}" for p in absolute)
    for i, path in enumerate(absolute):  # walk.bvh beside walk.mvnx
        if f"{path.parent}/{path.stem}".casefold() in again:
            names[i] = f"{path.stem}_{path.suffix[1:]}"
    for depth in range(max((len(p.parts) for p in absolute), default=0) - 2):
        again = _repeated(names)
        for i, path in enumerate(absolute):
            if names[i].casefold() in again and depth < len(path.parts) - 2:
                names[i] = f"{path.parts[-2 - depth]}_{names[i]}"
    again = _repeated(names)
    return [
        f"{name}_{i}" if name.casefold() in again else name
        for i, name in enumerate(names)
    ]


def _repeated(names: Iterable[str]) -> set[str]:
    """Return the names that occur twice, for file systems that ignore case."""
    return {n for n, k in Counter(name.casefold() for name in names).items() if k > 1}
