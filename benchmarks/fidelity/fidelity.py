"""Judge results from outside: recordings, result files and the robot's URDF alone.

  telexist bench fidelity results/ --recordings motions/ --robot g1
  telexist bench fidelity results/ --recordings motions/ --robot g1 --peer gmr_g1/
  telexist bench fidelity results/ --recordings motions/ --robot g1 --json f.json

Every CLIP.ROBOT.npz below the first folder that has its CLIP.bvh below --recordings is
judged. limb: angle between the person's and the robot's limbs, joint to joint, after
one heading; the first half second is left out. A foot of the person is planted while
its ankle is slower than 0.15 m/s and within 80 mm of the clip's lowest (for a leg of
0.85 m) at three frames in a row; slide is the speed of the sole's middle then, hover
the height of its lowest corner, held the share in which the sole is within 10 mm of
the floor and slower than 50 mm/s. floats: frames in the air whose centre of mass does
not fall. jerk: third differences at 30 Hz. tremble: joint speed while the person stands
still [rad/s]. ZMP and CoM: share of supported frames with each inside the corners near
the floor; beside: the farthest that the CoM is outside the sole of a still one-leg
stance [mm]; effort: share of frames with a joint beyond its effort; lacks: wrench that
contacts cannot give, in body weights. The engine takes no part in this.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from telexist.benchmarks.fidelity.bvh_points import read_bvh_points
from telexist.benchmarks.fidelity.judge import Verdict, judge
from telexist.benchmarks.fidelity.judged_forces import JudgedForces, judge_forces
from telexist.benchmarks.fidelity.judged_person import judged_person
from telexist.benchmarks.fidelity.judged_robot import JudgedRobot, load_judged_robot
from telexist.benchmarks.tables import print_table, write_json
from telexist.launch_scripts.shell import Parser

__all__ = ["forces_of", "main", "verdict_on"]

MODELS = Path(__file__).parents[2] / "robots" / "models"

COLUMNS = {
    "limb": "limb_mean_deg",
    "p95": "limb_p95_deg",
    "upper arm": "upper_arm_deg",
    "slide": "slide_p95_mm_s",
    "hover": "hover_p95_mm",
    "depth": "depth_max_mm",
    "jerk": "jerk_rad_s3",
    "drift": "root_drift_mm",
    "root z": "root_z_rms_mm",
    "planted": "planted_share",
    "held": "held_share",
    "flagged": "flagged_share",
    "floats": "airborne_not_ballistic",
    "tremble": "still_joint_speed",
    "ZMP": "zmp_inside_share",
    "CoM": "com_inside_share",
    "beside": "one_leg_com_beside_mm",
    "effort": "beyond_effort_share",
    "lacks": "base_missing_share",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Judge all results; print the table, write the file."""
    args = _parser().parse_args(argv)
    recordings = {path.stem: path for path in sorted(args.recordings.rglob("*.bvh"))}
    robot = load_judged_robot(MODELS / args.robot / "robot.toml", args.urdf)
    folders = {"": args.results, **({"peer": args.peer} if args.peer else {})}
    content: dict[str, dict[str, dict[str, float]]] = {}
    for label, folder in folders.items():
        found = {}
        for stem, bvh in recordings.items():
            result = next(iter(folder.rglob(f"{stem}.{args.robot}.npz")), None)
            if result is not None:
                found[stem] = {
                    **verdict_on(bvh, result, robot).to_json(),
                    **asdict(forces_of(result, robot)),
                }
        _show(f"{args.robot} {label}".strip(), found)
        content[label or "results"] = found
    write_json(args.json, content)
    return 0


def verdict_on(bvh: Path, result: Path, robot: JudgedRobot) -> Verdict:
    """Judge one result against its recording."""
    person = judged_person(read_bvh_points(bvh))
    with np.load(result, allow_pickle=False) as file:
        time, q = file["time"], file["joint_positions"]
        names = [str(name) for name in file["joint_names"]]
        base = file["base_position"], file["base_quat_wxyz"]
        sides = [k for k in ("contact_left", "contact_right") if k in file]
        flags = np.stack([file[k] for k in sides], axis=-1) if sides else None
    placed = robot.place(names, q, *base)
    return judge(person, placed, time - time[0], q, flags)


def forces_of(result: Path, robot: JudgedRobot) -> JudgedForces:
    """Judge what one result asks of the floor and the drives."""
    with np.load(result, allow_pickle=False) as file:
        names = [str(name) for name in file["joint_names"]]
        base = file["base_position"], file["base_quat_wxyz"]
        return judge_forces(robot, names, file["time"], file["joint_positions"], base)


def _show(title: str, found: dict[str, dict[str, float]]) -> None:
    rows = [
        [stem[:28], *(f"{figures[key]:.3g}" for key in COLUMNS.values())]
        for stem, figures in found.items()
    ]
    if found:
        medians = [
            np.median([v for v in values if v == v] or [np.nan])
            for values in (
                [figures[key] for figures in found.values()] for key in COLUMNS.values()
            )
        ]
        rows.append(["median", *(f"{value:.3g}" for value in medians)])
    print_table(title, ["", *COLUMNS], rows)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench fidelity", __doc__ or "")
    parser.add_argument("results", type=Path, help="folder with CLIP.ROBOT.npz")
    parser.add_argument("--recordings", type=Path, required=True, help="with CLIP.bvh")
    parser.add_argument("--robot", default="g1", help="name of the robot; default g1")
    parser.add_argument("--urdf", type=Path, help="its model, if it is elsewhere")
    parser.add_argument("--peer", type=Path, help="folder with another tool's results")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    return parser
