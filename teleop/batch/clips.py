"""Which recordings the arguments of a command mean, and the name of each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from telexist.retarget.errors import UsageError
from telexist.retarget.recordings import BUILTIN, FORMATS, why_no_recording

__all__ = ["ClipSource", "OnPassedOver", "find_clips", "passed_over_line"]

OnPassedOver = Callable[[Path, str], None]
"""Called with a file of a folder that is not read, and why."""

_UNKNOWN = "no known format"
_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipSource:
    """A recording to read.

    Attributes:
        path: The file, or the word `builtin`.
        name: Unique among the clips of a run; output files begin with it. With a
            folder in it they lie in that folder.
        mirrored: Whether left and right change places.
        trimmed: Whether standing still at both ends is cut off.
    """

    path: str
    name: str
    mirrored: bool = False
    trimmed: bool = False


def find_clips(
    arguments: Iterable[str], on_passed_over: OnPassedOver | None = None
) -> tuple[ClipSource, ...]:
    """Return the recordings that files, folders and the word `builtin` stand for.

    Folders are searched to the bottom. Recordings of equal names get the name of their
    folder in front, so that their results do not meet.

    Args:
        arguments: What the user named.
        on_passed_over: Told of files in folders that are no recordings.

    Raises:
        UsageError: If a path does not exist, is no recording or holds none.
    """
    paths: dict[str, Path] = {}
    for argument in arguments:
        for path in _paths_of(argument, on_passed_over or _say_nothing):
            paths.setdefault(os.path.realpath(path), path)
    chosen = tuple(paths.values())
    names = _unique_names(chosen)
    return tuple(
        ClipSource(path=str(path), name=name)
        for path, name in zip(chosen, names, strict=True)
    )


def passed_over_line(passed_over: Sequence[tuple[Path, str]]) -> str:
    """Return one line on files that were passed over; empty if there are none.

    Those of unknown formats are counted by suffix, all others named, up to five.
    """
    if not passed_over:
        return ""
    unknown = Counter(
        p.suffix.lower() or p.name for p, why in passed_over if why == _UNKNOWN
    )
    others = [f"{p.name} ({why})" for p, why in passed_over if why != _UNKNOWN]
    words = [f"{count} {suffix}" for suffix, count in unknown.most_common(_NAMED)]
    if len(unknown) > _NAMED:
        words.append(f"{len(unknown) - _NAMED} more kinds")
    words += others[:_NAMED]
    if len(others) > _NAMED:
        words.append(f"{len(others) - _NAMED} more")
    return f"passed over {len(passed_over)} files: {', '.join(words)}"


def _say_nothing(path: Path, why: str) -> None:
    pass


def _paths_of(argument: str, on_passed_over: OnPassedOver) -> Sequence[Path]:
    path = Path(argument)
    if argument == BUILTIN:
        return (path,)
    if path.is_dir():
        found = sorted(_recordings_below(path, on_passed_over))
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
    if path.suffix.lower() == ".npz" and why_no_recording(path):
        raise UsageError(
            f"{path}: this is a robot's motion; give the recording it was made from"
        )
    return (path,)


def _recordings_below(folder: Path, on_passed_over: OnPassedOver) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            path = Path(here, name)
            if name.startswith("."):
                continue
            if path.exists() and not path.is_file():  # a pipe would never end
                continue
            why = why_no_recording(path)
            if why:
                on_passed_over(path, why)
            else:
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
