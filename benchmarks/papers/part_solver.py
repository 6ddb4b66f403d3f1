"""Nonlinear programs for parts of a robot, [R] (17), by IPOPT or by scipy.

    min  sum tr(1 - h_j^T R*_j)
    s.t. lower <= s <= upper,  row_lower <= A s <= row_upper

The paper's |vee(skew(R* h^T))|^2 vanishes at an error of pi as well, where programs
that start far away were caught; the trace is equal to it near 0 and greatest there. A
hair of damping towards the start settles joints that no target fixes.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.optimize import least_squares
from telexist.benchmarks.papers.subsystem import Subsystem, rotations_of
from telexist.retarget.ik import JointRoles
from telexist.retarget.so3 import Array, exp_so3
from telexist.retarget.tree import Tree

__all__ = ["PartSolution", "PartSolver", "best_solver", "make_part_solver"]

DAMPING = 1e-6  # of the squared distance to the start [1/rad^2]
ROW_WEIGHT = 1e2  # [1/rad] on broken couplings, where the solver takes only boxes
INSIDE = 1e-9  # [rad] scipy starts strictly inside


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSolution:
    """Orientation of the root (3, 3) and the joints that were solved for."""

    root_R: Array
    joints: Array


class PartSolver(Protocol):
    """Solves one part again and again, each time from the last solution."""

    def solve(self, root_R: Array, q: Array, wanted: Array) -> PartSolution:
        """Return the optimum.

        Args:
            root_R: Orientation of the root, or where to start if it turns (3, 3).
            q: All joints, where to start (n,).
            wanted: Orientations of the part's tips (k, 3, 3).
        """
        ...


def best_solver() -> str:
    """Return `ipopt` if CasADi is installed, else `scipy`."""
    return "ipopt" if importlib.util.find_spec("casadi") else "scipy"


def make_part_solver(
    part: Subsystem, tree: Tree, bodies: tuple[int, ...], roles: JointRoles, tol: float
) -> PartSolver:
    """Prepare the best solver at hand for a part.

    Args:
        part: The part.
        tree: The robot.
        bodies: Body of every target.
        roles: Limits and couplings.
        tol: Tolerance of the solver.
    """
    kind = IpoptPart if best_solver() == "ipopt" else ScipyPart
    return kind(part, tree, bodies, roles, tol)


class _Part:
    """What both solvers share: limits, couplings and layout of the unknowns."""

    def __init__(
        self,
        part: Subsystem,
        tree: Tree,
        bodies: tuple[int, ...],
        roles: JointRoles,
        tol: float,
    ) -> None:
        self.part, self.tree, self.tol = part, tree, tol
        self.tip_bodies = [bodies[tip] for tip in part.tips]
        self.joints = np.array(part.joints, dtype=int)
        self.base = 3 if part.turns else 0
        self.lower, self.upper = roles.lower[self.joints], roles.upper[self.joints]
        outside = np.delete(roles.rows, self.joints, axis=1)
        mine = np.all(outside == 0.0, axis=1) & np.any(roles.rows != 0.0, axis=1)
        self.rows = roles.rows[mine][:, self.joints]
        self.row_lower, self.row_upper = roles.row_lower[mine], roles.row_upper[mine]
        self.prepare()

    def prepare(self) -> None:
        """Do what need not be done again for every frame."""


class ScipyPart(_Part):
    """Solves by scipy's trust region method; couplings are penalties."""

    def solve(self, root_R: Array, q: Array, wanted: Array) -> PartSolution:
        """Return the optimum; see `PartSolver`."""
        start = np.clip(q[self.joints], self.lower + INSIDE, self.upper - INSIDE)
        free = np.full(self.base, np.inf)
        result = least_squares(
            lambda x: self._residual(x, root_R, q, wanted),
            np.concatenate([np.zeros(self.base), start]),
            bounds=(
                np.concatenate([-free, self.lower]),
                np.concatenate([free, self.upper]),
            ),
            gtol=self.tol,
            xtol=self.tol,
            ftol=self.tol,
        )
        return PartSolution(
            root_R=_turned(root_R, result.x[: self.base]), joints=result.x[self.base :]
        )

    def _residual(self, x: Array, root_R: Array, q: Array, wanted: Array) -> Array:
        s = q.copy()
        s[self.joints] = x[self.base :]
        values = dict(enumerate(s))
        base_R = _turned(root_R, x[: self.base])
        found = rotations_of(self.part, self.tree, base_R, values, np.asarray)
        errors = [  # |R* - h|^2 / 2 = tr(1 - h^T R*)
            (wanted[k] - found[body]).reshape(-1) / np.sqrt(2.0)
            for k, body in enumerate(self.tip_bodies)
        ]
        along = self.rows @ x[self.base :]
        broken = along - np.clip(along, self.row_lower, self.row_upper)
        near = np.sqrt(DAMPING) * (x[self.base :] - q[self.joints])
        return np.concatenate([*errors, ROW_WEIGHT * broken, near])


class IpoptPart(_Part):
    """Solves by IPOPT with exact derivatives from CasADi."""

    def prepare(self) -> None:
        """Write the program down once, with targets and start as parameters."""
        import casadi

        n, k = len(self.tree.parent), len(self.tip_bodies)
        x = casadi.SX.sym("x", self.base + len(self.joints))
        given = casadi.SX.sym("given", n)
        root = casadi.SX.sym("root", 3, 3)
        wanted = [casadi.SX.sym(f"wanted{i}", 3, 3) for i in range(k)]
        values = {i: given[i] for i in range(n)}
        values |= {int(i): x[self.base + c] for c, i in enumerate(self.joints)}
        base_R = _symbolic_turn(casadi, x[:3]) @ root if self.base else root
        found = rotations_of(
            self.part,
            self.tree,
            base_R,
            values,
            casadi.DM,
            sine=casadi.sin,
            cosine=casadi.cos,
        )
        cost = DAMPING * casadi.sumsqr(x[self.base :] - given[list(self.joints)])
        for target, body in zip(wanted, self.tip_bodies, strict=True):
            cost += 3.0 - casadi.trace(target @ found[body].T)
        parameters = [given, root.reshape((9, 1)), *(w.reshape((9, 1)) for w in wanted)]
        program = {"x": x, "p": casadi.vertcat(*parameters), "f": cost}
        if len(self.rows):
            program["g"] = casadi.DM(self.rows) @ x[self.base :]
        self._solver: Callable[..., Any] = casadi.nlpsol(
            "part", "ipopt", program, self._options()
        )

    def _options(self) -> dict[str, Any]:
        return {
            "print_time": False,
            "ipopt.print_level": 0,
            "ipopt.sb": "yes",
            "ipopt.tol": self.tol,
            "ipopt.warm_start_init_point": "yes",
            "ipopt.mu_init": 1e-4,
            "ipopt.max_iter": 100,
        }

    def solve(self, root_R: Array, q: Array, wanted: Array) -> PartSolution:
        """Return the optimum; see `PartSolver`."""
        free = np.full(self.base, np.inf)
        columns = [R.T.reshape(-1) for R in (root_R, *wanted)]  # column by column
        options: dict[str, Any] = {}
        if len(self.rows):
            options = {"lbg": self.row_lower, "ubg": self.row_upper}
        result = self._solver(
            x0=np.concatenate([np.zeros(self.base), q[self.joints]]),
            p=np.concatenate([q, *columns]),
            lbx=np.concatenate([-free, self.lower]),
            ubx=np.concatenate([free, self.upper]),
            **options,
        )
        x = np.array(result["x"]).reshape(-1)
        joints = np.clip(x[self.base :], self.lower, self.upper)
        return PartSolution(root_R=_turned(root_R, x[: self.base]), joints=joints)


def _turned(R: Array, turn: Array) -> Array:
    return exp_so3(turn) @ R if len(turn) else R


def _symbolic_turn(casadi: Any, w: Any) -> Any:
    """Return exp of a rotation vector near 0."""
    angle = casadi.sqrt(casadi.sumsqr(w) + 1e-16)
    K = casadi.skew(w / angle)
    one = casadi.DM(np.eye(3))
    return one + casadi.sin(angle) * K + (1.0 - casadi.cos(angle)) * (K @ K)
