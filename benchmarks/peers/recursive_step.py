"""Our compiled step: one call with the targets of a frame, on records that are kept."""

from __future__ import annotations

from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.ik import step_towards
from telexist.retarget.kinematics import Configuration

__all__ = ["RecursiveStep"]


class RecursiveStep:
    """The recursive step on records that are kept."""

    def __init__(self, problem: PeerProblem) -> None:
        """Take the mechanism of a problem."""
        self._problem, self._m = problem, problem.mechanism
        self._parts, self._dt = tuple(self._m), problem.dt
        self._rotations, self._places = list(problem.rotations), list(problem.places)

    def reset(self) -> None:
        """Go to the problem's start."""
        bodies = self._m.bodies
        bodies[0]["p"], bodies[0]["R"] = self._problem.start_p, self._problem.start_R
        bodies["q"][1:] = self._problem.start_q
        bodies["status"] = 0

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        step_towards(self._parts, self._rotations[frame], self._places[frame], self._dt)

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        bodies = self._m.bodies
        return Configuration(
            world_p_base=bodies[0]["p"].copy(),
            world_R_base=bodies[0]["R"].copy(),
            q=bodies["q"][1:].copy(),
        )
