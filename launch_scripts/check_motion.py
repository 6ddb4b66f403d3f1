"""Play a retargeted motion in MuJoCo before a robot does: does it fall, when and why?

MOTION is a result of `telexist retarget` (CLIP.ROBOT.npz). The robot stands on its own
feet, where the motion has them, under the whole-body QP of balance and walk; no step is
added or moved to save it. --gantry holds the base and plays the joints alone: can the
drives follow?

Examples:
  telexist check-motion out/walk.g1.npz
  telexist check-motion out/walk.g1.npz --gantry
  telexist check-motion out/*.npz --json checks.json
  telexist check-motion out/walk.g1.npz --plot walk.png --video walk.gif

The controller knows the robot's true state, so that what is judged is the motion.
Exit code: 0 every motion was played to its end, 1 one was not, 2 nothing was started
because an argument, the robot or a file cannot be used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from telexist.launch_scripts.shell import FAILED, OK, Parser
from telexist.launch_scripts.terminal import announce_controllers
from telexist.retarget.errors import (
    BadInput,
    BadRecording,
    MissingDependency,
    ModelNotFound,
    UsageError,
)
from telexist.retarget.results import load_motion
from telexist.robots.description import load_robot
from telexist.teleop.motion_check import (
    MotionCheck,
    check_figure_manual,
    check_figures,
    check_line,
    check_motion,
    figure_lines,
    save_check_plot,
)
from telexist.teleop.scenarios import ENDINGS, Video, prepare_outputs, write_figures

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Check motions; return the exit code."""
    args = _parser().parse_args(argv)
    if len(args.motions) > 1 and (args.plot or args.video):
        raise UsageError("--plot and --video are of one motion: give one")
    video = Video() if args.video else None
    checks = {}
    try:
        prepare_outputs({kind: getattr(args, kind) for kind in ENDINGS})
        announce_controllers()
        for path in args.motions:
            checks[path] = check = _check(path, args, video)
            print(f"{path.name}: {check_line(check)}", flush=True)
    except (BadInput, BadRecording, ModelNotFound, MissingDependency) as error:
        raise UsageError(str(error)) from error  # 1 would say that the robot fell
    finally:
        if video is not None:
            video.close()
    if args.json:
        figures = {str(path): check_figures(check) for path, check in checks.items()}
        write_figures(args.json, figures)
    if len(checks) == 1:
        print(*figure_lines(check), sep="\n")
    if args.plot:
        save_check_plot(check, args.plot)
    if video is not None:
        video.save(args.video)
    return OK if all(check.passed for check in checks.values()) else FAILED


def _check(path: Path, args: argparse.Namespace, video: Video | None) -> MotionCheck:
    motion = load_motion(path)
    robot = load_robot(args.robot or motion.robot, args.models)
    if sys.stderr.isatty():
        print(f"playing {path.name} ...", file=sys.stderr, flush=True)
    on_step = video.on_step if video is not None else None
    return check_motion(robot, motion, gantry=args.gantry, on_step=on_step)


def _parser() -> Parser:
    parser = Parser("telexist check-motion", __doc__ or "")
    add = parser.add_argument
    add("motions", nargs="+", type=Path, metavar="MOTION", help="CLIP.ROBOT.npz")
    add("--robot", metavar="NAME", help="name or robot.toml; default: the motion's own")
    add("--gantry", action="store_true", help="hold the base, feet in the air")
    for kind, endings in ENDINGS.items():
        text = f"write a {kind} file {', '.join(endings)}".rstrip()
        add(f"--{kind}", type=Path, metavar="FILE", help=text)
    text = "a folder of robot models; may be given again"
    add("--models", action="append", default=[], type=Path, metavar="DIR", help=text)
    parser.epilog = check_figure_manual()
    return parser
