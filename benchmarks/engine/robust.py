"""Random starts: how many reach their targets, and how fast.

  telexist bench robust --json robust.json
  telexist bench robust --robot g1,icub --starts 500 --seed 1

A robot starts anywhere inside its limits, its base facing any way; one start in ten
faces exactly away from the goal. The targets are the orientations of all mapped links
in another posture, drawn the same way: reachable, and from the start at full speed
within 1.2 s. Both hold iCub's couplings. The step is `ReachingIk`, at 60 Hz for 2 s.
Counted is who ends below 0.1 degrees at every link, and any posture outside a limit on
the way.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from telexist.benchmarks.tables import describe_machine, print_table, write_json
from telexist.launch_scripts.shell import Parser, comma_list, whole_number
from telexist.retarget.ik import (
    JointRoles,
    OrientationTargets,
    ReachingIk,
    Targets,
    orientation_errors,
)
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, rotation_z
from telexist.robots.description import load_body

__all__ = ["StartsOutcome", "main", "run_starts"]

ROBOTS = ("g1", "icub", "human66", "talos")
RATE = 60.0  # [Hz]
DURATION = 2.0  # [s]
REACHED_DEG = 0.1
WANTED = 0.999  # share of starts
TRAVEL = 1.2  # [s] from start to goal at full speed
ENDLESS = np.pi  # [rad] stands in for a limit where there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class StartsOutcome:
    """What became of a robot's starts.

    Attributes:
        starts: How many.
        converged: Share that ended below 0.1 degrees.
        beyond: Largest distance of a joint outside its limits on the way [rad].
        seconds_p50: Simulated time to 0.1 degrees, median of the converged.
        seconds_p99: The same for the slowest hundredth.
        worst_deg: Largest error at the end.
    """

    starts: int
    converged: float
    beyond: float
    seconds_p50: float
    seconds_p99: float
    worst_deg: float


def run_starts(body: RobotBody, starts: int, *, seed: int = 0) -> StartsOutcome:
    """Let a robot reach targets from random starts."""
    rng, ik = np.random.default_rng(seed), ReachingIk(body)
    ends, times, beyond = np.empty(starts), np.full(starts, np.inf), 0.0
    for k in range(starts):
        start, targets = _problem(body, rng, away=k % 10 == 0)
        ik.reset()
        at = start
        for step in range(round(DURATION * RATE)):
            at = ik.step(at, targets, 1.0 / RATE)
            outside = np.maximum(body.lower - at.q, at.q - body.upper)
            beyond = max(beyond, float(outside.max(initial=0.0)))
            if step % 6 == 5:
                ends[k] = np.degrees(orientation_errors(body, at, targets).max())
                if ends[k] < REACHED_DEG:
                    times[k] = min(times[k], (step + 1) / RATE)
                else:
                    times[k] = np.inf
    reached = ends < REACHED_DEG
    return StartsOutcome(
        starts=starts,
        converged=float(reached.mean()),
        beyond=beyond,
        seconds_p50=float(np.percentile(times[reached], 50.0)) if reached.any() else -1,
        seconds_p99=float(np.percentile(times[reached], 99.0)) if reached.any() else -1,
        worst_deg=float(ends.max()),
    )


def _problem(
    body: RobotBody, rng: np.random.Generator, *, away: bool
) -> tuple[Configuration, Targets]:
    """Return a start and targets that another posture meets."""
    heading = np.pi if away else rng.uniform(-np.pi, np.pi)
    goal = replace(body.neutral, q=_posture(body, rng))
    if not body.fixed_base:
        goal = replace(goal, world_R_base=rotation_z(heading) @ goal.world_R_base)
    q = _posture(body, rng)
    while np.max(np.abs(q - goal.q) / body.velocity) > TRAVEL:
        q = _posture(body, rng)
    kinematics = body.kinematics
    kinematics.update(goal)
    frames = tuple(kinematics.frame(link) for link in body.links.values())
    k = len(frames)
    wanted = OrientationTargets(
        frames=frames,
        world_R_link=kinematics.rotations(frames),
        angular_velocities=np.zeros((k, 3)),
        axes=np.tile(np.eye(3), (k, 1, 1)),
        weights=np.ones((k, 3)),
    )
    return replace(body.neutral, q=q), Targets(orientations=wanted)


def _posture(body: RobotBody, rng: np.random.Generator) -> Array:
    """Return joints anywhere inside limits and couplings."""
    roles, index = JointRoles(body), body.kinematics.index
    lower = np.maximum(body.lower, -ENDLESS)
    upper = np.minimum(body.upper, ENDLESS)
    while True:
        q = rng.uniform(lower, upper)
        for joint in body.locked:
            q[index(joint)] = body.neutral.q[index(joint)]
        for mimic in body.mimics:
            q[index(mimic.joint)] = (
                mimic.multiplier * q[index(mimic.leader)] + mimic.offset
            )
        q = np.clip(q, body.lower, body.upper)
        sums = roles.rows @ q
        if np.all((sums >= roles.row_lower) & (sums <= roles.row_upper)):
            return q


def main(argv: Sequence[str] | None = None) -> int:
    """Run all robots, print the table, and return 1 if too few converge."""
    args = _parser().parse_args(argv)
    each = -(-args.starts // len(args.robot))
    found = {
        name: run_starts(load_body(name), each, seed=args.seed) for name in args.robot
    }
    rows = [
        [
            name,
            str(one.starts),
            f"{100.0 * one.converged:.2f} %",
            f"{one.beyond:.1e}",
            f"{one.seconds_p50:.1f} / {one.seconds_p99:.1f}",
            f"{one.worst_deg:.3f}",
        ]
        for name, one in found.items()
    ]
    headings = [
        "",
        "starts",
        "converged",
        "outside",
        "time p50 / p99 [s]",
        "worst [deg]",
    ]
    print_table("random starts, reachable targets", headings, rows)
    content = {name: asdict(one) for name, one in found.items()}
    write_json(args.json, {"machine": describe_machine(), **content})
    mean = float(np.mean([one.converged for one in found.values()]))
    return int(mean < WANTED or any(one.beyond > 0.0 for one in found.values()))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench robust", __doc__ or "")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    parser.add_argument("--robot", type=comma_list, default=ROBOTS, help="a,b,c")
    parser.add_argument(
        "--starts",
        type=whole_number(1, 1_000_000),
        default=10_000,
        help="of all robots together",
    )
    parser.add_argument("--seed", type=whole_number(0, 1_000_000), default=0)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
