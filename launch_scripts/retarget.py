"""Carry recordings of people over to robots.

CLIP is a recording, a folder that is searched for recordings, or the word `builtin` for
the motion that comes with the program. Recordings are
  .bvh .amc .mvnx      skeletons with their motion (.amc needs its .asf)
  .fbx .glb .gltf      animated characters (FBX: binary); .vrm .vrma, named by VRM
  .c3d .trc            markers of known sets
  .json .csv           landmarks in space: MediaPipe Pose, COCO
  .mot .sto            coordinates of OpenSim, with their .osim
  .mcap                recorded sessions
  .npz .pkl .pt        SMPL: AMASS, GVHMR, WHAM, PromptHMR; clips saved by Telexist
For each clip and robot, the folder --out gets
  CLIP.ROBOT.npz    joint trajectories     (--format adds others, see below)
  CLIP.ROBOT.json   the report: errors, limits, feet, collisions, speed
  CLIP.ROBOT.png    the sheet to look at

Examples:
  telexist retarget builtin
  telexist retarget walk.bvh --robot icub,g1,talos
  telexist retarget recordings/ --robot g1 --jobs 8 --out results --format npz,csv
  telexist retarget walk.bvh --robot my_robot/robot.toml

Formats beside npz: csv (a table with names), mujoco (keyframes), and the dialects of
trainers, with the orders, quaternions, rate and velocities that each loader expects:
  beyondmimic, mjlab   CLIP.ROBOT.mjlab.npz    joints and bodies, 50 Hz
  holosoma             CLIP.ROBOT.holosoma.npz qpos, qvel, named bodies, 50 Hz
  locomujoco           CLIP.ROBOT.locomujoco.npz
  unitree-csv          CLIP.ROBOT.unitree.csv  as Unitree's LAFAN1 set, 30 Hz
  seed-csv             CLIP.ROBOT.seed.csv     as BONES-SEED: cm, degrees, 120 Hz
  protomotions         CLIP.ROBOT.protomotions.csv, for its converter, 30 Hz
  gmr, mimickit        CLIP.ROBOT.gmr.pkl      (TWIST2 reads gmr)
  sonic                CLIP.ROBOT.sonic/       reference of the G1 controller, 50 Hz
--fps takes another rate, --pad adds standing at both ends:
  telexist retarget walk.bvh --robot g1 --format mjlab,unitree-csv --pad 1

A second pass over the whole clip brings balance and smoothness; the report shows price
and gain. --quality kinematic leaves it out: what the same person would give live.
--distances on keeps links apart and off the floor; a step takes twice the time.

A run that was interrupted goes on where it stopped: results whose recording, robot and
settings are unchanged are kept. Exit code: 0 all done, 1 some failed, 2 nothing started
because an argument is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from telexist.launch_scripts.arguments import add_retarget_arguments, source_options
from telexist.launch_scripts.shell import FAILED, OK, Parser
from telexist.launch_scripts.terminal import announce_compilation
from telexist.retarget.training import TrainingOptions
from telexist.teleop.batch import (
    BatchOptions,
    Quality,
    Watcher,
    make_watcher,
    passed_over_line,
    print_summary,
    retarget_clips,
)

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Retarget clips; return the exit code."""
    parser = Parser("telexist retarget", __doc__ or "")
    add_retarget_arguments(parser)
    args = parser.parse_args(argv)
    options = BatchOptions(
        formats=tuple(args.format),
        training=TrainingOptions(fps=args.fps, pad=args.pad),
        pictures=not args.no_pictures,
        reading=source_options(args.source_config),
        folders=tuple(args.models),
        download=args.download,
        processes=args.jobs,
        quality=Quality(args.quality),
        distances=args.distances == "on",
        overwrite=args.overwrite,
    )
    passed_over: list[tuple[Path, str]] = []
    outcomes = retarget_clips(
        args.clips,
        args.robot,
        args.out,
        options,
        watch=_watch,
        on_passed_over=lambda path, why: passed_over.append((path, why)),
    )
    if passed_over:
        print(passed_over_line(passed_over), file=sys.stderr)
    print_summary(outcomes, args.out)
    return FAILED if any(o.status == "failed" for o in outcomes) else OK


def _watch(left: int, total: int) -> Watcher:
    if left:
        announce_compilation()
    return make_watcher(Console(file=sys.stderr), total)
