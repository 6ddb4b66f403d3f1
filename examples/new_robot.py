"""A robot that Telexist has never seen: from its URDF to a description that works.

python examples/new_robot.py my_robot.urdf
"""

from __future__ import annotations

import sys
from pathlib import Path

from telexist import RobotModel, draft_robot, load_robot


def describe(urdf: Path, folder: Path) -> RobotModel:
    """Write `folder/robot.toml` and load it; look at it before you trust it."""
    folder.mkdir(parents=True, exist_ok=True)
    drafted = draft_robot(urdf)
    path = folder / "robot.toml"
    path.write_text(drafted.text, encoding="utf-8")
    for note in drafted.notes:
        print(f"note: {note}")
    return load_robot(path)


if __name__ == "__main__":
    urdf = Path(sys.argv[1])
    robot = describe(urdf, Path(urdf.stem))
    print(f"{robot.spec.name}: {len(robot.body.joints)} joints, {robot.path}")
