"""A recording format: a file `slow.tempo` that holds a number, such as 0.5.

It is the built-in motion at that tempo.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from telexist.retarget.errors import BadRecording
from telexist.retarget.recordings import ReadOptions

from telexist import HumanClip, read_clip

__all__ = ["read_tempo"]


def read_tempo(path: Path, options: ReadOptions) -> HumanClip:
    """Read a `.tempo` file.

    Raises:
        BadRecording: If it does not hold a number that makes sense.
    """
    try:
        tempo = float(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadRecording(path, "does not hold one number") from error
    if not 0.1 <= tempo <= 2.0:
        raise BadRecording(path, f"a tempo of {tempo:g}: expected 0.1 to 2")
    clip = read_clip("builtin")
    return replace(
        clip,
        name=path.stem,
        source=str(path),
        time=clip.time / tempo,
        angular_velocities=clip.angular_velocities * tempo,
        linear_velocities=clip.linear_velocities * tempo,
    )
