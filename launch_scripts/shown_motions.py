"""The motions that `telexist view` shows: from results, or computed now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from telexist.launch_scripts.terminal import announce_compilation
from telexist.retarget.follow import Retargeter
from telexist.retarget.results import load_motion
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.robots.description import DEFAULT_ROBOT, RobotModel, load_robot

__all__ = ["shown_motions"]


def shown_motions(
    clip: HumanClip,
    results: Sequence[Path],
    robots: Sequence[str],
    *,
    folders: Sequence[str],
    download: bool,
) -> Iterator[tuple[RobotModel, RobotMotion]]:
    """Yield each robot with its motion.

    Args:
        clip: The person.
        results: Files of `telexist retarget`; if there are none, motions are computed.
        robots: Names or `robot.toml` files: of the results, where they are not shipped
            robots, or else of the robots to compute.
        folders: Where the user keeps models.
        download: Whether models may be fetched from the net.

    Raises:
        UnknownName: If there is no such robot.
        BadRecording: If a result cannot be read.
    """

    def load(robot: str) -> RobotModel:
        return load_robot(robot, folders, download=download)

    named = {robot.spec.name: robot for robot in map(load, robots)}
    for path in results:
        motion = load_motion(path)
        yield named.get(motion.robot) or load(motion.robot), motion
    if results:
        return
    announce_compilation()
    for robot in named.values() or (load(DEFAULT_ROBOT),):
        print(f"{clip.name} on {robot.spec.name} ...", file=sys.stderr)
        yield robot, Retargeter(robot.body, clip.size).run(clip)
