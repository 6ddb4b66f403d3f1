"""The clips of a data set: named by their place below the folder they were found in."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from telexist.retarget.recordings import BUILTIN
from telexist.teleop.batch import ClipSource, find_clips

__all__ = ["MIRRORED", "dataset_clips"]

MIRRORED = "~mirrored"
"""End of the name of a clip in a mirror."""


def dataset_clips(
    sources: Sequence[str], *, mirror: bool, trim: bool
) -> tuple[ClipSource, ...]:
    """Return the clips of some sources, sorted by name; folders become folders.

    Args:
        sources: Files, folders, or the word `builtin`.
        mirror: Whether each is there in a mirror too.
        trim: Whether standing still at the ends is cut off.

    Raises:
        UsageError: If a source does not exist or holds no recording.
    """
    found: dict[str, ClipSource] = {}
    roots: dict[str, str] = {}
    for source in sources:
        for clip in find_clips([source]):
            real = os.path.realpath(clip.path)
            if real not in found:
                found[real] = replace(clip, name=_place(clip.path, source))
                roots[real] = Path(os.path.abspath(source)).name
    clips = _apart(list(found.values()), list(roots.values()))
    if trim:
        clips = [replace(clip, trimmed=True) for clip in clips]
    if mirror:
        clips += [
            replace(clip, name=f"{clip.name}{MIRRORED}", mirrored=True)
            for clip in clips
        ]
    return tuple(sorted(clips, key=lambda clip: clip.name))


def _place(path: str, source: str) -> str:
    """Return the place of a recording below its source, without its suffix."""
    if path == BUILTIN:
        return BUILTIN
    if Path(source).is_dir():
        return Path(path).relative_to(source).with_suffix("").as_posix()
    return Path(path).stem


def _apart(clips: list[ClipSource], roots: list[str]) -> list[ClipSource]:
    """Tell clips of one name apart: by suffix, by the folder named, by number."""
    names = [clip.name for clip in clips]
    numbers = range(len(clips))
    for others in (
        [f"{names[k]}_{Path(clips[k].path).suffix[1:]}" for k in numbers],
        [f"{roots[k]}/{names[k]}" for k in numbers],
        [f"{names[k]}_{k}" for k in numbers],
    ):
        # for file systems that ignore case
        counts = Counter(name.casefold() for name in names)
        again = [counts[name.casefold()] > 1 for name in names]
        names = [others[k] if again[k] else names[k] for k in numbers]
    return [replace(c, name=name) for c, name in zip(clips, names, strict=True)]
