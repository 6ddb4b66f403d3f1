"""A folder of recordings on several robots, on all cores; run again, it resumes.

python examples/many_clips.py recordings out icub human48
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from telexist import BatchOptions, retarget_clips


def retarget_all(clips: Sequence[str], robots: Sequence[str], out: Path) -> list[str]:
    """Write CLIP.ROBOT.npz, .json and .csv for each; return a line for each."""
    options = BatchOptions(
        formats=("csv",), pictures=False, processes=os.cpu_count() or 1
    )
    outcomes = retarget_clips(clips, robots, out, options)
    return [f"{one.job.stem}: {one.status} {one.reason}" for one in outcomes]


if __name__ == "__main__":
    words = sys.argv[1:] or ["builtin", "out", "icub"]
    print("\n".join(retarget_all(words[:1], words[2:], Path(words[1]))))
