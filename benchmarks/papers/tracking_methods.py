"""The three methods that the paper compares, [R] 5: each takes targets to a posture."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np
from telexist.benchmarks.papers.part_solver import PartSolver, make_part_solver
from telexist.benchmarks.papers.subsystem import Subsystem, paired, whole
from telexist.retarget.ik import IkSettings, JointRoles, RecursiveIk, Targets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.teleop.clock import now

__all__ = ["METHODS", "Method", "Tracked", "make_method"]

TOLERANCE = 1e-4  # of the nonlinear programs: errors near 0.01 degrees
GAIN = 40.0  # [1/s] K of the dynamical method


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """A posture and how long it took [s]."""

    configuration: Configuration
    time: float


class Method(Protocol):
    """Follows targets from one posture to the next."""

    def step(self, start: Configuration, targets: Targets, dt: float) -> Tracked:
        """Return the next posture and the time it took to find."""
        ...


class Dynamical:
    """One constrained linear step a frame: the recursive step."""

    def __init__(self, body: RobotBody) -> None:
        """Prepare for a robot."""
        self._ik = RecursiveIk(body, IkSettings(gain=GAIN, iterations=1))

    def step(self, start: Configuration, targets: Targets, dt: float) -> Tracked:
        """Return the next posture; see `Method`."""
        begin = now()
        configuration = self._ik.step(start, targets, dt)
        return Tracked(configuration=configuration, time=now() - begin)


class _Instantaneous(abc.ABC):
    """Solves every part to the end in every frame, from the last posture."""

    def __init__(self, body: RobotBody, targets: Targets) -> None:
        self._body, self._tree = body, body.kinematics.tree()
        carried = [body.kinematics.attachment(f) for f in targets.orientations.frames]
        self._links = np.array([R for _, R, _ in carried])
        self._bodies = tuple(carrier for carrier, _, _ in carried)
        roles = JointRoles(body)
        self._parts: list[tuple[Subsystem, PartSolver]] = [
            (part, make_part_solver(part, self._tree, self._bodies, roles, TOLERANCE))
            for part in self._split()
        ]

    @abc.abstractmethod
    def _split(self) -> list[Subsystem]:
        """Return the parts that are solved one by one."""

    def _solve(
        self, start: Configuration, targets: Targets
    ) -> tuple[Configuration, list[float]]:
        """Return the posture and the time of each part [s]."""
        wanted = targets.orientations.world_R_link @ np.swapaxes(self._links, 1, 2)
        base_R, q, times = start.world_R_base, start.q.copy(), []
        if 0 in self._bodies:
            base_R = wanted[self._bodies.index(0)]
        for part, solver in self._parts:
            begin = now()
            root_R = start.world_R_base if part.turns else base_R
            if not part.turns and part.root in self._bodies:
                root_R = wanted[self._bodies.index(part.root)]
            found = solver.solve(root_R, start.q, wanted[list(part.tips)])
            times.append(now() - begin)
            q[list(part.joints)] = found.joints
            base_R = found.root_R if part.turns else base_R
        place = targets.points[0].world_p_goal if targets.points else start.world_p_base
        configuration = Configuration(world_p_base=place, world_R_base=base_R, q=q)
        return configuration, times


class WholeBody(_Instantaneous):
    """One nonlinear program for the whole robot."""

    def _split(self) -> list[Subsystem]:
        return whole(self._tree, self._bodies, fixed_base=self._body.fixed_base)

    def step(self, start: Configuration, targets: Targets, dt: float) -> Tracked:
        """Return the next posture; see `Method`."""
        configuration, times = self._solve(start, targets)
        return Tracked(configuration=configuration, time=sum(times))


class PairWise(_Instantaneous):
    """One small program for each pair of targets, as if each had its own core."""

    def _split(self) -> list[Subsystem]:
        return paired(self._tree, self._bodies)

    def step(self, start: Configuration, targets: Targets, dt: float) -> Tracked:
        """Return the next posture; its time is that of the slowest pair."""
        configuration, times = self._solve(start, targets)
        return Tracked(configuration=configuration, time=max(times))


METHODS: Mapping[str, str] = MappingProxyType(
    {
        "whole-body": "instantaneous optimisation of the whole body",
        "pair-wise": "instantaneous optimisation of pairs of targets, in parallel",
        "dynamical": "dynamical inverse kinematics: the recursive step",
    }
)


def make_method(name: str, body: RobotBody, targets: Targets) -> Method:
    """Prepare a method of `METHODS` for a robot and for targets on certain links."""
    if name == "dynamical":
        return Dynamical(body)
    return WholeBody(body, targets) if name == "whole-body" else PairWise(body, targets)
