"""The same clip on several robots, side by side in numbers.

python examples/many_robots.py walk.bvh icub human48
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from telexist import Report, Retargeter, RobotModel, load_robot, make_report, read_clip


def compare(clip_path: str, robots: Sequence[str]) -> dict[str, Report]:
    """Return each robot's report."""
    clip = read_clip(clip_path)
    found: dict[str, Report] = {}
    for name in robots:
        robot: RobotModel = load_robot(name)
        motion = Retargeter(robot.body, clip.size).run(clip)
        found[robot.spec.name] = make_report(clip, robot.body, motion)
    return found


if __name__ == "__main__":
    words = sys.argv[1:] or ["builtin", "icub", "human48"]
    for name, report in compare(words[0], words[1:]).items():
        print(f"{name:12} leg ratio {report.leg_ratio:.2f}  limits: {report.limits}")
