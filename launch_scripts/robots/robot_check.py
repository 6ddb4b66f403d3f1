"""The `check` of `telexist robots`."""

from __future__ import annotations

from pathlib import Path

from telexist.launch_scripts.shell import FAILED, OK
from telexist.launch_scripts.terminal import print_findings
from telexist.retarget.human import adult_size
from telexist.retarget.pictures import neutral_figure, save_figure
from telexist.robots.check import check_robot
from telexist.robots.description import load_robot, spec_path
from telexist.robots.urdf import link_hulls

__all__ = ["check"]


def check(robot: str, picture: Path, folders: tuple[str, ...] = ()) -> int:
    """Check a robot, print what was found and draw its neutral posture.

    Args:
        robot: Name of a shipped robot or path of a `robot.toml`.
        picture: Where the picture goes.
        folders: Where the user keeps models.

    Returns:
        The exit code: 1 if something is wrong.

    Raises:
        UnknownName: If there is no such robot.
        ModelNotFound: If its model is not on this machine.
    """
    spec_path(robot)  # a mistyped name is a wrong argument, not a finding
    report = check_robot(robot, folders)
    print_findings(report)
    if any(finding.subject == "load" for finding in report.findings):
        return FAILED
    loaded = load_robot(robot, folders)
    hulls = link_hulls(loaded.urdf).visual
    save_figure(picture, neutral_figure(loaded.body, adult_size(), hulls=hulls))
    print(f"its neutral posture beside a person's: {picture.resolve()}")
    return FAILED if report.worst == "error" else OK
