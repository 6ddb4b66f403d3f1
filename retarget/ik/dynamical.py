"""Dynamical inverse kinematics [R]: one constrained step from targets to motion.

The step minimises || W (v* - J nu) ||^2 + regularisation subject to joint limits,
velocity limits and couplings, [R] (10) and (13). Large motions within one step are
followed by repeating the linearisation inside the same bounds, so that the step ends
at the constrained optimum of the targets and not only near it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from retarget.ik.free_joints import FreeJoints
from retarget.ik.limits import StepBounds, step_bounds
from retarget.ik.targets import PointTarget, Targets
from retarget.kinematics import Configuration
from retarget.qp.problem import QpProblem
from retarget.qp.solver import make_solver
from retarget.robot_body import RobotBody
from retarget.so3 import Array, log_so3

__all__ = ["DynamicalIk", "IkSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IkSettings:
    """How a step is solved.

    Attributes:
        gain: K, how fast errors are corrected [1/s].
        posture: Weight that draws joints without a target to neutral [1/rad^2].
        damping: Weight on the length of each linearised step [1/rad^2].
        iterations: Most linearisations in one step.
        tolerance: A linearised step below this ends the step [rad].
        solver: QP solver, a name in `retarget.qp.solver.SOLVERS`.
    """

    gain: float = 40.0
    posture: float = 1e-5
    damping: float = 1e-5
    iterations: int = 4
    tolerance: float = 2e-3
    solver: str = "daqp"


class DynamicalIk:
    """Moves one robot towards targets, step by step, inside its limits."""

    def __init__(self, body: RobotBody, settings: IkSettings | None = None) -> None:
        """Prepare the solver for a robot."""
        self.settings = settings or IkSettings()
        self.free = FreeJoints(body)
        self._kinematics = body.kinematics
        self._neutral = body.neutral.q[self.free.joints]
        self._solver = make_solver(self.settings.solver)
        self._selects = bool(np.isin(self.free.expand, (0.0, 1.0)).all())
        self._columns = np.argmax(self.free.expand, axis=0)
        self._supports: dict[int, Array] = {}

    def bounds(self, q: Array, dt: float) -> StepBounds:
        """Return how far the free joints may move in a step of dt from q (n,)."""
        free = self.free
        return step_bounds(q[free.joints], free.lower, free.upper, free.velocity, dt)

    def step(
        self,
        start: Configuration,
        targets: Targets,
        dt: float,
        *,
        bounds: StepBounds | None = None,
    ) -> Configuration:
        """Move from `start` towards the targets in one step of dt.

        Args:
            start: Configuration at the start of the step.
            targets: Wanted at the end of the step.
            dt: Length of the step [s].
            bounds: Displacement allowed to the free joints; from the limits if None.

        Returns:
            Configuration at the end of the step, inside all limits.

        Raises:
            QpFailed: If the limits contradict each other.
        """
        free, kinematics = self.free, self._kinematics
        bounds = bounds or self.bounds(start.q, dt)
        kinematics.update(start)
        frames = targets.orientations.frames
        goals = targets.goals(kinematics.rotations(frames), self.settings.gain, dt)
        row_bounds = step_bounds(
            free.rows @ start.q[free.joints],
            free.row_lower,
            free.row_upper,
            free.row_speed,
            dt,
        )
        configuration = start
        for iteration in range(self.settings.iterations):
            if iteration:
                kinematics.update(configuration)
            moved = configuration.q[free.joints] - start.q[free.joints]
            problem = self._build(configuration, targets, goals)
            problem = _bounded(problem, free, bounds, row_bounds, moved)
            x = self._solver.solve(problem)
            configuration = self._apply(configuration, x)
            if np.abs(x).max() < self.settings.tolerance:
                break
        return configuration

    def _apply(self, configuration: Configuration, x: Array) -> Configuration:
        moved = configuration.moved(self.free.expand @ x, 1.0)
        return Configuration(
            world_p_base=moved.world_p_base,
            world_R_base=moved.world_R_base,
            q=self.free.settle(moved.q),
        )

    def _build(
        self, configuration: Configuration, targets: Targets, goals: Array
    ) -> QpProblem:
        """Linearise: H = sum J'WJ + damping + posture, g = -sum J'Wr."""
        wanted = targets.orientations
        J, r = self._orientation_rows(wanted.frames, goals)
        root = np.sqrt(wanted.weights)[:, :, None] * np.swapaxes(wanted.axes, -1, -2)
        rows = [(root @ J).reshape(-1, J.shape[-1])]
        errors = [(root @ r[:, :, None]).reshape(-1)]
        for point in targets.points:
            J_point, r_point = self._point_rows(point)
            rows.append(J_point)
            errors.append(r_point)
        stacked, error = np.concatenate(rows), np.concatenate(errors)
        H = stacked.T @ stacked
        g = -(stacked.T @ error)
        settings, base = self.settings, self.free.base
        diagonal = np.full(len(g), settings.damping)
        diagonal[base:] += settings.posture
        H[np.diag_indices_from(H)] += diagonal
        g[base:] -= settings.posture * (
            self._neutral - configuration.q[self.free.joints]
        )
        none = np.empty(0)
        return QpProblem(
            H=H, g=g, lower=none, upper=none, A=none, row_lower=none, row_upper=none
        )

    def _reduced(self, columns: Array) -> Array:
        """Take Jacobian columns of all velocities to the free ones."""
        if self._selects:
            return columns[..., self._columns]
        return columns @ self.free.expand

    def _support(self, frame: int) -> Array:
        mask = self._supports.get(frame)
        if mask is None:
            mask = self._kinematics.support(frame).astype(np.float64)
            self._supports[frame] = mask
        return mask

    def _orientation_rows(
        self, frames: tuple[int, ...], goals: Array
    ) -> tuple[Array, Array]:
        kinematics = self._kinematics
        masks = np.array([self._support(frame) for frame in frames])
        J = kinematics.angular_columns() * masks[:, None, :]
        rotations = kinematics.rotations(frames)
        return self._reduced(J), log_so3(goals @ np.swapaxes(rotations, -1, -2))

    def _point_rows(self, point: PointTarget) -> tuple[Array, Array]:
        kinematics = self._kinematics
        used = point.weights > 0.0
        rotation = kinematics.rotation(point.frame)
        world_p = kinematics.position(point.frame) + rotation @ point.link_p_point
        J = self._reduced(kinematics.jacobian(point.frame, world_p)[:3][used])
        root = np.sqrt(point.weights[used])
        return root[:, None] * J, root * (point.world_p_goal - world_p)[used]


def _bounded(
    problem: QpProblem,
    free: FreeJoints,
    bounds: StepBounds,
    row_bounds: StepBounds,
    moved: Array,
) -> QpProblem:
    """Add the bounds that are left after `moved` of the step is used up."""
    m = len(problem.g)
    lower, upper = np.full(m, -np.inf), np.full(m, np.inf)
    upper[free.base :] = bounds.upper - moved
    lower[free.base :] = bounds.lower - moved
    A = np.zeros((len(free.rows), m))
    A[:, free.base :] = free.rows
    along = free.rows @ moved
    return QpProblem(
        H=problem.H,
        g=problem.g,
        lower=lower,
        upper=upper,
        A=A,
        row_lower=row_bounds.lower - along,
        row_upper=row_bounds.upper - along,
    )
