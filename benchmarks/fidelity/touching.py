"""Judge from outside whether results pass through themselves or through the floor.

  telexist bench touching results/ --robot g1
  telexist bench touching results/ --robot icub --every 2 --json touching.json

Reads every CLIP.ROBOT.npz below a folder and the robot's model, and asks the program
nothing. Bodies are the exact meshes of the model. All pairs are looked at but
neighbours: bodies with one joint between them, or with joints in one place. How deep
two are in each other is how far the deepest point of one is inside the other; of pairs
that touch in the robot's neutral posture what is deeper than there counts. deep: share
of frames with a pair deeper than 10 mm; floor: with a body other than the feet 10 mm
below z = 0.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray
from telexist.benchmarks.fidelity.fidelity import MODELS
from telexist.benchmarks.fidelity.judged_robot import JudgedRobot, load_judged_robot
from telexist.benchmarks.fidelity.judged_solids import JudgedSolid, judged_solids
from telexist.benchmarks.tables import print_table, write_json
from telexist.launch_scripts.shell import Parser, whole_number

__all__ = ["JudgedBodies", "Touching", "main", "touching_of"]

Array = NDArray[np.float64]

DEEP = 0.01  # [m]
SAME_PLACE = 0.02  # [m] between joints that are as good as one
FRAMES = 200  # looked at in a clip, evenly spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Touching:
    """What was found in one result.

    Attributes:
        frames: Number of frames looked at.
        deep: In how many a pair was deeper than 10 mm.
        deepest: How deep one ever was [m].
        floor: In how many a body other than the feet was 10 mm below the floor.
        floor_deepest: How far one ever was [m].
        pairs: Deep pairs, "a / b", and in how many frames.
    """

    frames: int
    deep: int
    deepest: float
    floor: int
    floor_deepest: float
    pairs: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return a plain table."""
        return {
            "frames": self.frames,
            "deep_share": self.deep / self.frames,
            "deepest_mm": 1e3 * self.deepest,
            "floor_share": self.floor / self.frames,
            "floor_deepest_mm": 1e3 * self.floor_deepest,
            "pairs": self.pairs,
        }


class JudgedBodies:
    """The solids of a robot, and which pairs are looked at."""

    def __init__(self, robot: JudgedRobot, neutral: dict[str, float]) -> None:
        self._robot, self._model = robot, robot.model
        self._data = robot.model.createData()
        self._solids = judged_solids(robot.model, robot.urdf)
        joints = [solid.joint for solid in self._solids]
        self._pairs = [
            (a, b)
            for a, b in combinations(range(len(joints)), 2)
            if not _are_neighbours(robot.model, joints[a], joints[b])
        ]
        feet = {
            robot.model.frames[robot.model.getFrameId(sole["link"])].parentJoint
            for sole in robot.soles.values()
        }
        self._not_feet = [s for s in self._solids if s.joint not in feet]
        q = pin.neutral(robot.model)
        for name, value in neutral.items():
            if robot.model.existJointName(name):
                q[robot.model.joints[robot.model.getJointId(name)].idx_q] = value
        self._neutral: dict[tuple[int, int], float] = {}
        self._place(q)
        self._neutral = self.depths()

    def _place(self, q: Array) -> None:
        pin.forwardKinematics(self._model, self._data, q)

    def go(self, names: list[str], q: Array, p: Array, quat_wxyz: Array) -> None:
        """Put the robot where one frame has it."""
        model = self._model
        full = pin.neutral(model)
        full[:3], full[3:7] = p, quat_wxyz[[1, 2, 3, 0]]
        for name, value in zip(names, q, strict=True):
            if model.existJointName(name):
                full[model.joints[model.getJointId(name)].idx_q] = value
        base = model.frames[model.getFrameId(self._robot.base)].placement
        full[:7] = pin.SE3ToXYZQUAT(pin.XYZQUATToSE3(full[:7]) * base.inverse())
        self._place(full)

    def depths(self) -> dict[tuple[int, int], float]:
        """Return the pairs that are in each other, and how deep beyond neutral [m]."""
        M = [self._data.oMi[solid.joint] for solid in self._solids]
        middles = np.array(
            [m.act(solid.middle) for m, solid in zip(M, self._solids, strict=True)]
        )
        found = {}
        for a, b in self._pairs:
            one, other = self._solids[a], self._solids[b]
            reach = one.radius + other.radius
            if np.sum((middles[a] - middles[b]) ** 2) >= reach * reach:
                continue
            depth = _depth(one, other, M[a].actInv(M[b]))
            depth -= self._neutral.get((a, b), 0.0)
            if depth > 0.0:
                found[a, b] = depth
        return found

    def below_floor(self) -> float:
        """Return how far a body other than the feet is below z = 0 [m]."""
        lowest = 0.0
        for solid in self._not_feet:
            M = self._data.oMi[solid.joint]
            if M.act(solid.middle)[2] < solid.radius:
                heights = solid.corners @ M.rotation[2] + M.translation[2]
                lowest = min(lowest, float(heights.min()))
        return -lowest

    def label(self, pair: tuple[int, int]) -> str:
        """Return the names of a pair's joints."""
        return " / ".join(self._model.names[self._solids[k].joint] for k in pair)


def _are_neighbours(model: Any, a: int, b: int) -> bool:
    """Return whether one joint, or joints in one place, join two bodies."""
    inner, joint = min(a, b), max(a, b)
    while joint > inner:
        at, joint = model.jointPlacements[joint].translation, model.parents[joint]
        if joint > inner and np.linalg.norm(at) > SAME_PLACE:
            return False
    return joint == inner


def _depth(one: JudgedSolid, other: JudgedSolid, one_M_other: Any) -> float:
    """Return how far the deepest point of either is inside the other [m]."""
    R, p = one_M_other.rotation, one_M_other.translation
    there = other.probes @ R.T + p
    here = (one.probes - p) @ R
    return max(one.depth(there), other.depth(here))


def touching_of(result: Path, bodies: JudgedBodies, *, every: int = 0) -> Touching:
    """Look through one result; one frame in `every`, 0: some 200 in all."""
    with np.load(result, allow_pickle=False) as file:
        q, names = file["joint_positions"], [str(n) for n in file["joint_names"]]
        p, quat = file["base_position"], file["base_quat_wxyz"]
    every = every or max(1, len(q) // FRAMES)
    pairs: Counter[str] = Counter()
    deep, deepest, floor, lowest, frames = 0, 0.0, 0, 0.0, range(0, len(q), every)
    for k in frames:
        bodies.go(names, q[k], p[k], quat[k])
        found = bodies.depths()
        worst = max(found.values(), default=0.0)
        deep, deepest = deep + (worst > DEEP), max(deepest, worst)
        pairs.update(bodies.label(pair) for pair, d in found.items() if d > DEEP)
        below = bodies.below_floor()
        floor, lowest = floor + (below > DEEP), max(lowest, below)
    return Touching(
        frames=len(frames),
        deep=deep,
        deepest=deepest,
        floor=floor,
        floor_deepest=lowest,
        pairs=dict(pairs.most_common()),
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Judge all results; print the table, write the file."""
    args = _parser().parse_args(argv)
    table = MODELS / args.robot / "robot.toml"
    neutral = tomllib.loads(table.read_text()).get("neutral", {})
    bodies = JudgedBodies(load_judged_robot(table, args.urdf), neutral)
    found = {
        path.name.removesuffix(f".{args.robot}.npz"): touching_of(
            path, bodies, every=args.every
        )
        for path in sorted(args.results.rglob(f"*.{args.robot}.npz"))
    }
    rows = [
        [
            stem[:28],
            f"{100.0 * t.deep / t.frames:.1f}",
            f"{1e3 * t.deepest:.0f}",
            f"{100.0 * t.floor / t.frames:.1f}",
            f"{1e3 * t.floor_deepest:.0f}",
            next(
                (f"{n} {pair.replace('_joint', '')}" for pair, n in t.pairs.items()), ""
            ),
        ]
        for stem, t in found.items()
    ]
    if found:
        frames = sum(t.frames for t in found.values())
        shares = [sum(t.deep for t in found.values()) / frames]
        shares += [sum(t.floor for t in found.values()) / frames]
        rows.append(
            ["all", f"{100 * shares[0]:.2f}", "", f"{100 * shares[1]:.2f}", "", ""]
        )
    headings = ["", "deep, %", "deepest, mm", "floor, %", "lowest, mm", "most often"]
    print_table(f"{args.robot}: in itself and in the floor", headings, rows)
    write_json(args.json, {stem: t.to_json() for stem, t in found.items()})
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("telexist bench touching", __doc__ or "")
    parser.add_argument("results", type=Path, help="folder with CLIP.ROBOT.npz")
    parser.add_argument("--robot", default="g1", help="name of the robot; default g1")
    parser.add_argument("--urdf", type=Path, help="its model, if it is elsewhere")
    parser.add_argument(
        "--every", type=whole_number(1, 10000), default=0, help="one frame in so many"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    return parser
