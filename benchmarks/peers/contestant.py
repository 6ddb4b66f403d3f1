"""The plug-in point of compared libraries: one small protocol, one table."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol

from telexist.benchmarks.peers.peer_problem import PeerProblem
from telexist.retarget.errors import UnknownName
from telexist.retarget.kinematics import Configuration

__all__ = ["CONTESTANTS", "Contestant", "make_contestant"]

CONTESTANTS: Mapping[str, str] = {
    "recursive": "telexist.benchmarks.peers.recursive_step:RecursiveStep",
    "reference": "telexist.benchmarks.peers.reference_step:ReferenceStep",
    "mink-daqp": "telexist.benchmarks.peers.mink_step:MinkDaqp",
    "mink-quadprog": "telexist.benchmarks.peers.mink_step:MinkQuadprog",
    "pink-daqp": "telexist.benchmarks.peers.pink_step:PinkDaqp",
    "pink-quadprog": "telexist.benchmarks.peers.pink_step:PinkQuadprog",
    "placo": "telexist.benchmarks.peers.placo_step:PlacoStep",
}
"""Name to class, imported only when asked for: library, then its QP solver."""


class Contestant(Protocol):
    """Follows a problem frame by frame. Only `step` is timed."""

    def reset(self) -> None:
        """Go to the problem's start."""
        ...

    def step(self, frame: int) -> None:
        """Set the targets of a frame, solve once, integrate."""
        ...

    def configuration(self) -> Configuration:
        """Return where the robot is now."""
        ...


def make_contestant(name: str, problem: PeerProblem) -> Contestant:
    """Prepare a contestant; conversions of targets happen here, untimed.

    Raises:
        UnknownName: If there is none of that name.
        MissingDependency: If its library is absent.
    """
    if name not in CONTESTANTS:
        raise UnknownName("contestant", name, CONTESTANTS)
    module, kind = CONTESTANTS[name].split(":")
    contestant: Contestant = getattr(importlib.import_module(module), kind)(problem)
    return contestant
