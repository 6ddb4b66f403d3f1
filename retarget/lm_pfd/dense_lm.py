"""Levenberg-Marquardt with Jacobians and a dense Cholesky factor: the baseline.

[A] (8)-(14) and (52)-(54) as they stand: J of all links in numpy, B = J' Sigma J +
damping, LAPACK. Kinematics, errors and line search are those of LM-PFD, so that only
the step differs.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dposv
from telexist.retarget.lm_pfd.iterations import (
    ROOT_EPSILON,
    evaluate,
    evaluate_gradient,
    try_step,
)
from telexist.retarget.lm_pfd.records import FIXED, FREE, PRISMATIC, SPHERICAL, Problem
from telexist.retarget.so3 import Array, hat

__all__ = ["DenseSteps", "JointColumns"]


class JointColumns:
    """Where the degrees of freedom of every joint are in q, and what they move.

    The coordinates of ball and free joints are along the joint's axes on its parent.
    """

    def __init__(self, problem: Problem) -> None:
        """Number the degrees of freedom."""
        links = problem.links
        joint, axis = [], []
        for i, kind in enumerate(links["kind"]):
            for unit in _units(int(kind), links["axis"][i]):
                joint.append(i)
                axis.append(unit)
        self.joint = np.array(joint, dtype=np.int64)  # (N,)
        self.axis = np.array(axis).reshape(-1, 6)  # (N, 6) joint axes
        self.moves = np.zeros((len(links), len(joint)), dtype=bool)
        for i, parent in enumerate(links["parent"]):
            if parent >= 0:
                self.moves[i] = self.moves[parent]
            self.moves[i] |= self.joint == i
        self._mask = self.moves.astype(np.float64)[:, None, :]

    def gradient(self, problem: Problem) -> Array:
        """Return g, minus the gradient, from the recursion (N,)."""
        links = problem.links
        evaluate_gradient(problem)
        base, g = links["base"], links["g"].reshape(-1, 2, 3)
        in_joint_axes = np.einsum("iab,ika->ikb", base, g).reshape(-1, 6)
        return np.einsum("nk,nk->n", self.axis, in_joint_axes[self.joint])

    def set_step(self, problem: Problem, dq: Array) -> None:
        """Hand a step to the joints, dq (N,)."""
        step = np.zeros((len(problem.links), 6))
        np.add.at(step, self.joint, self.axis * dq[:, None])
        problem.links["dq"] = step

    def jacobians(self, problem: Problem) -> Array:
        """Return J of all links as placed, (angular, linear) rows, (n, 6, N)."""
        links = problem.links
        base = links["base"][self.joint]
        w = np.einsum("nab,nb->an", base, self.axis[:, :3])  # (3, N)
        v = np.einsum("nab,nb->an", base, self.axis[:, 3:])
        origin = links["p"][self.joint].T
        v = v - np.cross(w, origin, axis=0)  # at the world's origin
        x, y, z = links["p"].T[:, :, None]
        J = np.empty((len(links), 6, len(self.joint)))
        J[:, :3] = w
        J[:, 3] = v[0] + w[1] * z - w[2] * y
        J[:, 4] = v[1] + w[2] * x - w[0] * z
        J[:, 5] = v[2] + w[0] * y - w[1] * x
        J *= self._mask
        return J


def _units(kind: int, axis: Array) -> list[Array]:
    """Return the unit displacements (6,) of a joint, in its axes."""
    if kind == FIXED:
        return []
    if kind == SPHERICAL:
        return list(np.eye(6)[:3])
    if kind == FREE:
        return list(np.eye(6))
    unit = np.zeros((2, 3))
    unit[int(kind == PRISMATIC)] = axis
    return [unit.ravel()]


class DenseSteps:
    """LM with a dense normal matrix, O(N^3)."""

    def __init__(self, problem: Problem) -> None:
        """Prepare for a problem of this layout."""
        self.columns = JointColumns(problem)
        self._roots = [_root(target["weight"]) for target in problem.targets]

    def run(self, problem: Problem, count: int) -> bool:
        """Do up to `count` iterations; return whether nothing is left to do."""
        solver = problem.solver[0]
        before = evaluate(problem)
        for _ in range(count):
            g = self.columns.gradient(problem)
            solver["gradient"] = np.max(np.abs(g), initial=0.0)
            if self._done(problem):
                return True
            dq = self.step(problem, g)
            self.columns.set_step(problem, dq)
            solver["iterations"] += 1
            fell = try_step(problem, before, float(g @ dq))
            if not fell or solver["step"] <= solver["step_goal"]:
                return True
            before = float(solver["merit"])
        return bool(solver["cost"] <= solver["cost_goal"])

    def _done(self, problem: Problem) -> bool:
        solver = problem.solver[0]
        small = solver["gradient"] <= solver["gradient_goal"]
        return bool(small or solver["cost"] <= solver["cost_goal"])

    def step(self, problem: Problem, g: Array) -> Array:
        """Solve (J' Sigma J + damping) dq = g for the links as placed (N,)."""
        rows = self.weighted_rows(problem)
        B = rows.T @ rows
        damping = problem.solver[0]["cost"] + len(g) * ROOT_EPSILON
        B[np.diag_indices_from(B)] += damping
        _, dq, info = dposv(B, g, overwrite_a=True)
        if info != 0:
            raise np.linalg.LinAlgError(f"dposv returned {info}")
        return dq

    def weighted_rows(self, problem: Problem) -> Array:
        """Return A with A'A = J' (Sigma_L + L' Sigma_W L) J + loops (rows, N)."""
        J = self.columns.jacobians(problem)
        rows = [self._target_rows(problem, J)]
        for wire in problem.wires[problem.wires["excess"] > 0.0]:
            parts = problem.parts[int(wire["first_part"]) : int(wire["end_part"])]
            row = np.einsum("ik,ikn->n", parts["row"], J[parts["link"]])
            rows.append(np.sqrt(wire["weight"]) * row[None])
        rows += [self._loop_rows(problem, J, loop) for loop in problem.loops]
        return rows[0] if len(rows) == 1 else np.concatenate(rows)

    def _target_rows(self, problem: Problem, J: Array) -> Array:
        targets = problem.targets
        if not len(targets):
            return np.zeros((0, J.shape[2]))
        at = J[targets["link"]]
        if np.any(targets["offset"]):
            lever = hat(targets["arm"] * (targets["offset"] != 0)[:, None])
            at[:, 3:] -= lever @ at[:, :3]
        ranks = {len(root) for root in self._roots}
        if len(ranks) == 1:
            return (np.stack(self._roots) @ at).reshape(-1, J.shape[2])
        pairs = zip(self._roots, at, strict=True)
        return np.concatenate([root @ block for root, block in pairs])

    @staticmethod
    def _loop_rows(problem: Problem, J: Array, loop: np.void) -> Array:
        first, second = J[loop["first"]].copy(), J[loop["second"]].copy()
        first[3:] -= hat(loop["first_arm"]) @ first[:3]
        second[3:] -= hat(loop["second_arm"]) @ second[:3]
        rows = (second - first) / np.sqrt(problem.solver[0]["loop_compliance"])
        return rows if loop["turns"] else rows[3:]


def _root(weight: Array) -> Array:
    """Return A with A'A = weight, without rows of zeros (r, 6)."""
    values, vectors = np.linalg.eigh(weight)
    kept = values > 1e-14 * max(float(values[-1]), 0.0)
    return (vectors[:, kept] * np.sqrt(values[kept])).T
