"""How near the engine comes to the best posture of every single frame.

Compares the limb directions of `Retargeter` with those of a per-frame constrained
nonlinear optimum of the same targets and weights (`frame_optimum.py`), on frames spread
evenly over a clip. The engine must be within 1 degree in the clip's mean. Example:

    python -m benchmarks.nlp_optimum --robot icub,g1 --frames 40 builtin walk.bvh
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

from benchmarks.frame_optimum import FrameOptimum
from retarget.human_targets import HumanTargets
from retarget.kinematics import Configuration
from retarget.metrics import link_motion, tracking_errors
from retarget.metrics.link_motion import configurations
from retarget.recordings.format import read_clip
from retarget.results import write_bytes
from retarget.retargeter import Retargeter
from retarget.robot_body import RobotBody
from retarget.signals import HumanClip, RobotMotion
from retarget.so3 import Array
from robots.body import load_body

__all__ = ["Comparison", "compare", "main"]

ALLOWED_DEG = 1.0  # by which the engine's mean may exceed the optimum's
SKIPPED = 1.0  # [s] at the start of a clip, while the robot catches up


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Mean limb direction errors over the compared frames.

    Attributes:
        clip: Name of the clip.
        robot: Name of the robot.
        frames: How many frames were compared.
        engine_deg: Of the engine.
        optimum_deg: Of the per-frame optimum.
        arms_deg: Engine minus optimum, of the arms.
        legs_deg: The same of the legs, which the engine also keeps on the floor.
    """

    clip: str
    robot: str
    frames: int
    engine_deg: float
    optimum_deg: float
    arms_deg: float
    legs_deg: float

    @property
    def excess_deg(self) -> float:
        """By how much the engine is worse."""
        return self.engine_deg - self.optimum_deg


def compare(
    clip: HumanClip, body: RobotBody, motion: RobotMotion, count: int
) -> Comparison:
    """Hold a motion of the engine against the optimum of some of its frames."""
    first = int(np.searchsorted(clip.time, clip.time[0] + SKIPPED))
    first = min(first, len(clip) - 1)
    frames = np.unique(np.linspace(first, len(clip) - 1, count).astype(int)).tolist()
    best = _optima(clip, body, motion, frames)
    part = _sampled(clip, frames)
    engine = _limb_errors(part, body, _at_frames(motion, frames))
    optimum = _limb_errors(part, body, _with_postures(motion, frames, best))
    excess = {limb: float(np.mean(engine[limb] - optimum[limb])) for limb in engine}
    arms = [x for limb, x in excess.items() if "Arm" in limb]
    legs = [x for limb, x in excess.items() if "Leg" in limb]
    return Comparison(
        clip=clip.name,
        robot=body.name,
        frames=len(frames),
        engine_deg=float(np.mean(list(engine.values()))),
        optimum_deg=float(np.mean(list(optimum.values()))),
        arms_deg=float(np.mean(arms)) if arms else 0.0,
        legs_deg=float(np.mean(legs)) if legs else 0.0,
    )


def _optima(
    clip: HumanClip, body: RobotBody, motion: RobotMotion, frames: Sequence[int]
) -> list[Configuration]:
    solver, human = FrameOptimum(body), HumanTargets(body)
    found: list[Configuration] = []
    answers = configurations(body, motion, frames)
    for k, answer in zip(frames, answers, strict=True):
        frame = clip.frame(k)
        targets = human.orientations(frame, frame, 1.0)
        neutral = replace(body.neutral, world_R_base=answer.world_R_base)
        starts = [answer, neutral, *found[-1:]]
        found.append(solver.solve(targets, starts).configuration)
    return found


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
    motion: RobotMotion, frames: Sequence[int], postures: Sequence[Configuration]
) -> RobotMotion:
    return replace(
        _at_frames(motion, frames),
        joint_positions=np.array([posture.q for posture in postures]),
        base_rotation=np.array([posture.world_R_base for posture in postures]),
    )


def _limb_errors(
    clip: HumanClip, body: RobotBody, motion: RobotMotion
) -> dict[str, Array]:
    """Return the direction error of every limb (t,) [deg]."""
    links = link_motion(body, motion, body.links.values())
    errors = tracking_errors(clip, body, links)
    degrees = np.degrees(errors.limb_direction)
    return {limb: degrees[:, k] for k, limb in enumerate(errors.limbs)}


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print a table, and return 1 if the engine is too far off anywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="*", default=["builtin"], metavar="CLIP")
    parser.add_argument("--robot", default="icub,g1", help="names, with commas")
    parser.add_argument("--frames", type=int, default=40, help="compared in each clip")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    args = parser.parse_args(argv)
    found = []
    for path in args.clips:
        clip = read_clip(path)
        for name in args.robot.split(","):
            body = load_body(name)
            motion = Retargeter(body, clip.size).run(clip)
            found.append(compare(clip, body, motion, args.frames))
    Console().print(_table(found))
    if args.json:
        rows = [{**asdict(c), "excess_deg": c.excess_deg} for c in found]
        write_bytes(args.json, f"{json.dumps(rows, indent=2)}\n".encode())
    return int(any(c.excess_deg > ALLOWED_DEG for c in found))


def _table(found: Sequence[Comparison]) -> Table:
    table = Table(title=r"mean limb direction error \[deg]")
    for heading in ("clip", "robot"):
        table.add_column(heading)
    for heading in ("frames", "engine", "optimum", "excess", "arms", "legs"):
        table.add_column(heading, justify="right")
    for c in found:
        numbers = (c.engine_deg, c.optimum_deg, c.excess_deg, c.arms_deg, c.legs_deg)
        table.add_row(c.clip, c.robot, str(c.frames), *(f"{x:.2f}" for x in numbers))
    return table


if __name__ == "__main__":
    raise SystemExit(main())
