"""List, check and draft robots.

  telexist robots list                       what is there, and how to get the rest
  telexist robots check icub                 does its robot.toml fit its model?
  telexist robots check my/robot.toml --png neutral.png
  telexist robots check icub --control       every number of its controllers
  telexist robots draft my.urdf              write my/robot.toml for a new robot
  telexist robots draft my.urdf --out robots/mine --name mine

`check` prints what it found, draws the neutral posture beside a person's, and the
fingers of its hands, straight and closed; exit code 1 if something is wrong. With
--control it lists instead what balancing and walking
work with: name, value, unit, range and reason; `[control]` of a robot.toml may state
them, those with a dot in a table of their own ([control.swing]). `draft` finds base,
limbs, sides, facing, soles and neutral posture by itself and checks what it wrote;
then try it:

  telexist retarget builtin --robot my/robot.toml
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from telexist.launch_scripts.shell import OK, Parser
from telexist.launch_scripts.terminal import print_control, print_robots

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run `list`, `check` or `draft`; return the exit code."""
    args = _parser().parse_args(argv)
    folders = tuple(args.models)
    if args.action == "list":
        print_robots(folders)
        return OK
    if args.action == "check":
        from telexist.launch_scripts.robots.robot_check import check

        if args.control:
            from telexist.robots.description import load_robot

            print_control(load_robot(args.robot, folders))
            return OK
        picture = args.png or Path(f"{_short_name(args.robot)}.neutral.png")
        return check(args.robot, picture, folders)
    from telexist.launch_scripts.robots.robot_draft import draft

    return draft(args.urdf, args.out, name=args.name, overwrite=args.overwrite)


def _short_name(robot: str) -> str:
    """Return a robot's name, or that of the folder of its `robot.toml`."""
    path = Path(robot)
    return path.resolve().parent.name if path.name == "robot.toml" else path.stem


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist robots", __doc__ or "")
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|check|draft", parser_class=_Action
    )
    for action in ("list", "check", "draft"):
        sub = actions.add_parser(action)
        sub.add_argument(
            "--models",
            action="append",
            default=[],
            metavar="DIR",
            help="folder with robot models; may be given several times",
        )
        if action == "check":
            sub.add_argument("robot", metavar="NAME|FILE", help="a robot or robot.toml")
            sub.add_argument("--png", type=Path, metavar="FILE", help="the picture")
            sub.add_argument(
                "--control", action="store_true", help="list the controllers' numbers"
            )
        if action == "draft":
            sub.add_argument("urdf", type=Path, metavar="URDF", help="the model")
            sub.add_argument("--out", type=Path, metavar="FILE|DIR", help="where to")
            sub.add_argument("--name", help="of the robot; default: the file's name")
            sub.add_argument("--overwrite", action="store_true", help="an older file")
    return parser


class _Action(Parser):
    """The parser of one action; its manual is that of the command."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, __doc__ or "")
