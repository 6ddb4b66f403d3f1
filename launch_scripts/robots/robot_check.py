"""The `check` of `telexist robots`."""

from __future__ import annotations

from pathlib import Path

from telexist.launch_scripts.shell import FAILED, OK
from telexist.launch_scripts.terminal import print_findings
from telexist.retarget.hands import RobotHand
from telexist.retarget.human import adult_size
from telexist.retarget.pictures import hands_figure, neutral_figure, save_figure
from telexist.robots.check import check_robot
from telexist.robots.description import RobotModel, load_robot, spec_path
from telexist.robots.hands import robot_hands
from telexist.robots.urdf import link_hulls

__all__ = ["check"]


def check(robot: str, picture: Path, folders: tuple[str, ...] = ()) -> int:
    """Check a robot, print what was found, draw its neutral posture and its hands.

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
    _draw_hands(loaded, picture.with_name(f"{picture.stem}.hands{picture.suffix}"))
    return FAILED if report.worst == "error" else OK


def _draw_hands(robot: RobotModel, picture: Path) -> None:
    """Say what moves at the hands, and draw their fingers where there are any."""
    found = robot_hands(robot)
    for side, hand in found.items():
        if isinstance(hand, RobotHand):
            names = ", ".join(finger.name for finger in hand.fingers)
            print(f"{side} hand: {names} with {len(hand.drives)} drives")
        else:
            print(f"{side} hand: a gripper that opens and closes")
    hands = [hand for hand in found.values() if isinstance(hand, RobotHand)]
    if hands:
        save_figure(picture, hands_figure(robot.spec.name, hands))
        print(f"its hands, straight and closed: {picture.resolve()}")
