"""The plug-in point of QP solvers: one small protocol, one table."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol

from telexist.retarget.errors import UnknownName
from telexist.retarget.qp.problem import QpProblem
from telexist.retarget.so3 import Array

__all__ = ["SOLVERS", "QpSolver", "make_solver"]

SOLVERS: Mapping[str, str] = {
    "daqp": "telexist.retarget.qp.daqp_solver:DaqpSolver",
    "osqp": "telexist.retarget.qp.osqp_solver:OsqpSolver",
    "proxqp": "telexist.retarget.qp.proxqp_solver:ProxqpSolver",
}
"""Name to class, imported only when asked for; daqp is exact, fastest and default."""


class QpSolver(Protocol):
    """Anything that solves a `QpProblem`."""

    def solve(self, problem: QpProblem) -> Array:
        """Return the minimiser, inside the bounds to the last bit.

        Raises:
            QpFailed: If there is none.
        """
        ...


def make_solver(name: str) -> QpSolver:
    """Return a new solver by its name in `SOLVERS`.

    Raises:
        UnknownName: If there is none of that name.
        MissingDependency: If its library is absent.
    """
    if name not in SOLVERS:
        raise UnknownName("QP solver", name, SOLVERS)
    module, kind = SOLVERS[name].split(":")
    solver: QpSolver = getattr(importlib.import_module(module), kind)()
    return solver
