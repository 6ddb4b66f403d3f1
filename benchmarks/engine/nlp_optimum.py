"""How near the engine comes to the best posture of every single frame.

Compares the limb directions of `Retargeter` with those of a per-frame constrained
nonlinear optimum of the same targets and weights (`frame_optimum.py`), on frames spread
evenly over a clip. "Anytime" is the optimum within position limits and couplings, the
best of many starts, however far it is from the one before. "In time" is what a robot
with speed limits can do frame by frame: it starts in the first frame's optimum, and
every `STEP` is the optimum within reach of its own last posture. The optimum knows no
floor, so the engine follows the same targets without one, and must then be within 1
degree of "in time" in the clip's mean; how far it is from "anytime", and what standing
on the floor costs, is shown beside it. Example:

    python -m telexist.benchmarks.engine.nlp_optimum --robot icub,g1 builtin walk.bvh
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from telexist.benchmarks.engine.frame_optimum import Box, FrameOptimum
from telexist.retarget.errors import BadInput
from telexist.retarget.files import write_bytes
from telexist.retarget.follow import Retargeter, RetargetSettings, start_postures
from telexist.retarget.kinematics import Configuration
from telexist.retarget.metrics import configurations, link_motion, tracking_errors
from telexist.retarget.recordings import read_clip
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.signals import HumanClip, RobotMotion
from telexist.retarget.so3 import Array
from telexist.retarget.witness import HumanTargets
from telexist.robots.description import load_body

__all__ = ["OptimumComparison", "compare", "main"]

ALLOWED_DEG = 1.0  # by which the engine's mean may exceed the optimum's
SKIPPED = 1.0  # [s] at the start of a clip, left out of the means
STEP = 1.0 / 30.0  # [s] from one optimum in time to the next
STARTS = 4  # postures drawn at random from which the optimum at any time is sought


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimumComparison:
    """Mean limb direction errors over the compared frames.

    Attributes:
        clip: Name of the clip.
        robot: Name of the robot.
        frames: How many frames were compared.
        engine_deg: Of the engine.
        anytime_deg: Of the optimum within position limits.
        in_time_deg: Of the optimum that keeps speed limits too, step by step.
        arms_deg: Engine minus optimum in time, of the arms.
        legs_deg: The same of the legs.
        standing_deg: Of the engine when it keeps planted feet on the floor.
    """

    clip: str
    robot: str
    frames: int
    engine_deg: float
    anytime_deg: float
    in_time_deg: float
    arms_deg: float
    legs_deg: float
    standing_deg: float = float("nan")

    @property
    def excess_deg(self) -> float:
        """By how much the engine is worse than the optimum in time."""
        return self.engine_deg - self.in_time_deg

    @property
    def anytime_excess_deg(self) -> float:
        """By how much the engine is worse than the optimum at any time."""
        return self.engine_deg - self.anytime_deg


def compare(
    clip: HumanClip, body: RobotBody, motion: RobotMotion, every: float
) -> OptimumComparison:
    """Hold a motion of the engine against the optimum of one frame every so often [s].

    Raises:
        BadInput: If the robot has no limbs to compare.
    """
    frames = _spread(clip, every)
    part, engine = _sampled(clip, frames), _at_frames(motion, frames)
    solver = FrameOptimum(body)
    anytime = _anytime(solver, part, engine)
    in_time = _in_time(solver, clip, anytime, frames)
    errors = {
        name: _limb_errors(part, body, postures)
        for name, postures in (
            ("engine", engine),
            ("anytime", _with_postures(engine, anytime)),
            ("in time", _with_postures(engine, in_time)),
        )
    }
    mean = {name: float(np.mean(list(e.values()))) for name, e in errors.items()}
    return OptimumComparison(
        clip=clip.name,
        robot=body.name,
        frames=len(frames),
        engine_deg=mean["engine"],
        anytime_deg=mean["anytime"],
        in_time_deg=mean["in time"],
        arms_deg=_excess(errors["engine"], errors["in time"], "Arm"),
        legs_deg=_excess(errors["engine"], errors["in time"], "Leg"),
    )


def _excess(engine: dict[str, Array], optimum: dict[str, Array], part: str) -> float:
    gaps = [np.mean(engine[x] - optimum[x]) for x in engine if part in x]
    return float(np.mean(gaps)) if gaps else 0.0


def _spread(clip: HumanClip, every: float) -> list[int]:
    """Return frames of a clip that are `every` [s] apart."""
    times = np.arange(clip.time[0], clip.time[-1], every)
    found: list[int] = np.unique(np.searchsorted(clip.time, times)).tolist()
    return found


def _anytime(
    solver: FrameOptimum, clip: HumanClip, motion: RobotMotion
) -> list[Configuration]:
    """Return the best posture of each frame, whatever the others are."""
    body, human = solver.body, HumanTargets(solver.body)
    drawn = start_postures(body)[1 : 1 + STARTS]
    found: list[Configuration] = []
    for k, answer in enumerate(configurations(body, motion)):
        targets = human.orientations(clip.frame(k), clip.frame(k), 1.0)
        postures = [body.neutral.q, *drawn, *(last.q for last in found[-1:])]
        starts = [answer, *(replace(answer, q=q) for q in postures)]
        found.append(solver.solve(targets, starts).configuration)
    return found


def _in_time(
    solver: FrameOptimum,
    clip: HumanClip,
    anytime: Sequence[Configuration],
    frames: Sequence[int],
) -> list[Configuration]:
    """Return postures at `frames` that speed limits allow, each the best it can be.

    Args:
        solver: Of the robot.
        clip: The whole recording.
        anytime: The best posture of each of the frames.
        frames: Which frames to return.
    """
    human = HumanTargets(solver.body)
    best = dict(zip(frames, anytime, strict=True))
    now, last = anytime[0], frames[0]
    found = {last: now}
    for k in sorted({*_spread(clip, STEP), *frames} - {last}):
        targets = human.orientations(clip.frame(k), clip.frame(k), 1.0)
        reach = Box.within_reach(
            solver.body, now.q, float(clip.time[k] - clip.time[last])
        )
        starts = [now, best[k]] if k in best else [now]
        now, last = solver.solve(targets, starts, reach).configuration, k
        found[k] = now
    return [found[k] for k in frames]


def _sampled(clip: HumanClip, frames: Sequence[int]) -> HumanClip:
    return HumanClip(
        name=clip.name,
        source=clip.source,
        time=clip.time[frames],
        rotations=clip.rotations[frames],
        angular_velocities=clip.angular_velocities[frames],
        positions=clip.positions[frames],
        linear_velocities=clip.linear_velocities[frames],
        size=clip.size,
    )


def _at_frames(motion: RobotMotion, frames: Sequence[int]) -> RobotMotion:
    return replace(
        motion,
        time=motion.time[frames],
        joint_positions=motion.joint_positions[frames],
        joint_velocities=motion.joint_velocities[frames],
        base_position=motion.base_position[frames],
        base_rotation=motion.base_rotation[frames],
        contact_left=motion.contact_left[frames],
        contact_right=motion.contact_right[frames],
    )


def _with_postures(
    motion: RobotMotion, postures: Sequence[Configuration]
) -> RobotMotion:
    return replace(
        motion,
        joint_positions=np.array([posture.q for posture in postures]),
        base_rotation=np.array([posture.world_R_base for posture in postures]),
    )


def _limb_errors(
    clip: HumanClip, body: RobotBody, motion: RobotMotion
) -> dict[str, Array]:
    """Return the direction error of every limb after the first second (t,) [deg]."""
    links = link_motion(body, motion, body.links.values())
    errors = tracking_errors(clip, body, links)
    if not errors.limbs:
        raise BadInput(f"robot {body.name} has no limbs to compare")
    kept = clip.time >= min(clip.time[0] + SKIPPED, clip.time[-1])
    degrees = np.degrees(errors.limb_direction[kept])
    return {limb: degrees[:, k] for k, limb in enumerate(errors.limbs)}


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print a table, and return 1 if the engine is too far off anywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="*", default=["builtin"], metavar="CLIP")
    parser.add_argument("--robot", default="icub,g1", help="names, with commas")
    parser.add_argument("--every", type=float, default=0.2, help="time step [s]")
    parser.add_argument("--models", action="append", default=[], metavar="DIR")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    found = []
    for path in args.clips:
        clip = read_clip(path)
        for name in args.robot.split(","):
            found.append(_compare_both(clip, load_body(name, args.models), args.every))
    Console().print(_table(found))
    if args.json:
        rows = [
            {
                **asdict(c),
                "excess_deg": c.excess_deg,
                "anytime_excess_deg": c.anytime_excess_deg,
            }
            for c in found
        ]
        write_bytes(args.json, f"{json.dumps(rows, indent=2)}\n".encode())
    return int(any(c.excess_deg > ALLOWED_DEG for c in found))


def _compare_both(clip: HumanClip, body: RobotBody, every: float) -> OptimumComparison:
    """Compare the engine without a floor; say what it reaches with one, too."""
    floating = Retargeter(body, clip.size, RetargetSettings(feet=False)).run(clip)
    found = compare(clip, body, floating, every)
    standing = _limb_errors(clip, body, Retargeter(body, clip.size).run(clip))
    return replace(found, standing_deg=float(np.mean(list(standing.values()))))


def _table(found: Sequence[OptimumComparison]) -> Table:
    table = Table(title=r"mean limb direction error \[deg]")
    for heading in ("clip", "robot"):
        table.add_column(heading)
    means = ("engine", "in time", "excess", "arms", "legs", "anytime", "excess")
    for heading in ("frames", *means, "standing"):
        table.add_column(heading, justify="right")
    for c in found:
        numbers = (
            *(c.engine_deg, c.in_time_deg, c.excess_deg, c.arms_deg, c.legs_deg),
            *(c.anytime_deg, c.anytime_excess_deg, c.standing_deg),
        )
        table.add_row(c.clip, c.robot, str(c.frames), *(f"{x:.2f}" for x in numbers))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
