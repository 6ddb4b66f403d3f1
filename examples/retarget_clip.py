"""A recording to a robot's joints, a report and a sheet to look at.

python examples/retarget_clip.py walk.bvh icub out
"""

from __future__ import annotations

import sys
from pathlib import Path

from telexist import (
    Report,
    Retargeter,
    draw_sheet,
    load_motion,
    load_robot,
    make_report,
    read_clip,
    save_figure,
    save_motion,
)


def retarget(clip_path: str, robot: str, folder: Path) -> Report:
    """Write `folder/CLIP.ROBOT.npz` and `.png`; return what was measured."""
    clip, body = read_clip(clip_path), load_robot(robot).body
    motion = Retargeter(body, clip.size).run(clip)
    stem = f"{clip.name}.{robot}"
    (path,) = save_motion(folder, stem, motion)
    motion = load_motion(path)  # what anybody else reads
    report = make_report(clip, body, motion)
    figure = draw_sheet(clip, body, motion, report)
    save_figure(folder / f"{stem}.png", figure)
    return report


if __name__ == "__main__":
    words = sys.argv[1:] or ["builtin", "icub", "out"]
    found = retarget(words[0], words[1], Path(words[2]))
    print(
        f"{found.clip} on {found.robot}: {found.frames} frames, {found.duration:.1f} s"
    )
    for note in found.notes:
        print(f"  {note}")
