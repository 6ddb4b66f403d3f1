r"""Contestants follow one problem in turn, frame by frame, in one program.

Run by `benchmarks/peers/peers.py` in the environment where the contestants live:

    python -m telexist.benchmarks.peers.peer_contest \
        problem.pkl result.npz recursive,placo 5 300
"""

from __future__ import annotations

import gc
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from telexist.benchmarks.peers.contestant import Contestant, make_contestant
from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.kinematics import Configuration
from telexist.retarget.so3 import Array
from telexist.teleop.clock import now, sleep

__all__ = ["ContestResult", "load_result", "main", "run_contest"]

WARM_UP = 20  # frames, so that compiling and first calls are not timed


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestResult:
    """What was measured.

    Attributes:
        names: The contestants (c,).
        wall: Time of each step (passes, t, c) [s].
        paced: The same at 60 Hz with sleep, each contestant alone (p, c) [s].
        q: Joints after each frame (t, c, n).
        p: Place of the base (t, c, 3) [m].
        R: Orientation of the base (t, c, 3, 3).
    """

    names: tuple[str, ...]
    wall: Array
    paced: Array
    q: Array
    p: Array
    R: Array

    def times(self, name: str) -> Array:
        """Return the best time of each frame over the passes (t,) [s]."""
        return self.wall[:, :, self.names.index(name)].min(axis=0)

    def answers(self, name: str) -> list[Configuration]:
        """Return where a contestant was after each frame."""
        c = self.names.index(name)
        return [
            Configuration(
                world_p_base=self.p[k, c], world_R_base=self.R[k, c], q=self.q[k, c]
            )
            for k in range(len(self.q))
        ]


def run_contest(
    problem: PeerProblem, names: Sequence[str], *, passes: int, paced: int
) -> ContestResult:
    """Let contestants follow a problem.

    Args:
        problem: To be followed.
        names: Contestants of `CONTESTANTS`.
        passes: How often all frames are run.
        paced: Frames to run at the problem's rate with sleep, each contestant alone.
    """
    contestants = [make_contestant(name, problem) for name in names]
    for contestant in contestants:
        contestant.reset()
        for k in range(min(WARM_UP, len(problem))):
            contestant.step(k)
    gc.collect()
    gc.disable()
    try:
        wall = np.array([_in_turn(contestants, len(problem)) for _ in range(passes)])
        slow = np.array([_paced(c, problem, paced) for c in contestants])
    finally:
        gc.enable()
    answers = [_answers(contestant, len(problem)) for contestant in contestants]
    return ContestResult(
        names=tuple(names),
        wall=wall,
        paced=slow.T,
        q=np.array([[a.q for a in row] for row in answers]).swapaxes(0, 1),
        p=np.array([[a.world_p_base for a in row] for row in answers]).swapaxes(0, 1),
        R=np.array([[a.world_R_base for a in row] for row in answers]).swapaxes(0, 1),
    )


def _in_turn(contestants: Sequence[Contestant], frames: int) -> Array:
    """Return the times of all steps (t, c) [s]; who begins changes every frame."""
    for contestant in contestants:
        contestant.reset()
    count = len(contestants)
    wall = np.empty((frames, count))
    for k in range(frames):
        for i in range(count):
            c = (k + i) % count
            step = contestants[c].step
            begin = now()
            step(k)
            wall[k, c] = now() - begin
    return wall


def _paced(contestant: Contestant, problem: PeerProblem, frames: int) -> Array:
    """Return the times of steps (p,) [s] with sleep until the next frame is due."""
    contestant.reset()
    wall = np.empty(min(frames, len(problem)))
    due = now()
    for k in range(len(wall)):
        due += problem.dt
        sleep(max(due - now(), 0.0))
        begin = now()
        contestant.step(k)
        wall[k] = now() - begin
    return wall


def _answers(contestant: Contestant, frames: int) -> list[Configuration]:
    contestant.reset()
    answers = []
    for k in range(frames):
        contestant.step(k)
        answers.append(contestant.configuration())
    return answers


def load_result(path: Path) -> ContestResult:
    """Read what `main` wrote."""
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    names = tuple(str(name) for name in arrays.pop("names"))
    return ContestResult(names=names, **arrays)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one contest: problem file, result file, names, passes, paced frames."""
    words = list(sys.argv[1:] if argv is None else argv)
    problem = pickle.loads(Path(words[0]).read_bytes())
    result = run_contest(
        problem, words[2].split(","), passes=int(words[3]), paced=int(words[4])
    )
    np.savez(
        words[1],
        names=np.array(result.names),
        wall=result.wall,
        paced=result.paced,
        q=result.q,
        p=result.p,
        R=result.R,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
