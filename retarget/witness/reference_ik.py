"""Dynamical inverse kinematics [R], as the paper has it: Jacobians and a QP solver.

The step minimises || W (v* - J nu) ||^2 + regularisation subject to joint limits,
velocity limits and couplings, [R] (10) and (13). Large motions within one step are
followed by repeating the linearisation inside the same bounds, so that the step ends
at the constrained optimum of the targets and not only near it.

Clear rather than fast: this is the witness of the compiled `RecursiveIk`.
"""

from __future__ import annotations

import numpy as np
from telexist.retarget.ik import (
    IkSettings,
    JointRoles,
    StepBounds,
    Targets,
    step_bounds,
)
from telexist.retarget.kinematics import Configuration
from telexist.retarget.qp import LeastSquares, QpProblem, make_solver, polish
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, inverse_right_jacobian, log_so3

__all__ = ["ReferenceIk"]


class ReferenceIk:
    """Moves one robot towards targets, step by step, inside its limits."""

    def __init__(
        self,
        body: RobotBody,
        settings: IkSettings | None = None,
        *,
        solver: str = "daqp",
    ) -> None:
        """Prepare the solver for a robot.

        Args:
            body: The robot.
            settings: See `IkSettings`.
            solver: QP solver, a name in `telexist.retarget.qp.solver.SOLVERS`.
        """
        self.settings = settings or IkSettings()
        self.roles = JointRoles(body)
        self._body = body
        self._solver = make_solver(solver)

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
            bounds: Displacement allowed to the joints; from the limits if None.

        Returns:
            Configuration at the end of the step, inside all limits.

        Raises:
            QpFailed: If the limits contradict each other.
        """
        roles, kinematics = self.roles, self._body.kinematics
        bounds = bounds or step_bounds(
            start.q, roles.lower, roles.upper, roles.velocity, dt
        )
        sums = self._row_bounds(start.q, dt)
        kinematics.update(start)
        rotations = kinematics.rotations(targets.orientations.frames)
        leftovers = targets.leftovers(rotations, self.settings.gain, dt)
        configuration, moved = start, np.zeros(kinematics.n)
        for iteration in range(self.settings.iterations):
            if iteration > 0:
                kinematics.update(configuration)
            along = roles.rows @ moved
            problem = self.build_problem(
                configuration,
                targets,
                leftovers,
                StepBounds(lower=bounds.lower - moved, upper=bounds.upper - moved),
                StepBounds(lower=sums.lower - along, upper=sums.upper - along),
            )
            x = polish(problem, self._solver.solve(problem))[: 6 + kinematics.n]
            configuration = kinematics.moved(configuration, x, 1.0)
            moved = moved + x[6:]
            if np.abs(x).max() < self.settings.tolerance:
                break
        return Configuration(
            world_p_base=configuration.world_p_base,
            world_R_base=configuration.world_R_base,
            q=roles.settle(configuration.q, start.q),
        )

    def build_problem(
        self,
        configuration: Configuration,
        targets: Targets,
        leftovers: Array,
        bounds: StepBounds,
        sums: StepBounds,
    ) -> QpProblem:
        """Linearise at a configuration, where the kinematics must be.

        The unknowns are 6 displacements of the base, n of the joints, and how deep
        each floor point stays below the floor.

        Args:
            configuration: Where to linearise.
            targets: Wanted.
            leftovers: Orientation errors that may be left (k, 3).
            bounds: Displacement left to the joints.
            sums: Displacement left to the rows.
        """
        roles = self.roles
        floor, heights = self._floor_rows(targets)
        n, f = len(configuration.q), len(heights)
        squares = self._squares(configuration, targets, leftovers, f)
        H = squares.J.T @ squares.J
        H[np.diag_indices(6 + n + f)] += squares.diagonal
        free = np.full(6, 0.0 if self._body.fixed_base else np.inf)
        A = np.zeros((len(roles.rows) + f, 6 + n + f))
        A[: len(roles.rows), 6 : 6 + n] = roles.rows
        A[len(roles.rows) :, : 6 + n] = floor
        A[len(roles.rows) :, 6 + n :] = np.eye(f)
        lower = np.where(roles.held, 0.0, bounds.lower)
        upper = np.where(roles.held, 0.0, bounds.upper)
        return QpProblem(
            H=H,
            g=squares.h - squares.J.T @ squares.r,
            lower=np.concatenate([-free, lower, np.zeros(f)]),
            upper=np.concatenate([free, upper, np.full(f, np.inf)]),
            A=A,
            row_lower=np.concatenate([sums.lower, -heights]),
            row_upper=np.concatenate([sums.upper, np.full(f, np.inf)]),
            squares=squares,
        )

    def _squares(
        self, at: Configuration, targets: Targets, leftovers: Array, floor: int
    ) -> LeastSquares:
        """Return the cost of the targets, of damping and of posture."""
        settings, kinematics = self.settings, self._body.kinematics
        n = kinematics.n
        turns, errors = self._orientation_rows(targets, leftovers)
        points, misses = self._point_rows(targets)
        k = len(errors)
        J = np.zeros((k + len(misses), 6 + n + floor))
        J[:k, : 6 + n], J[k:, : 6 + n] = turns, points
        diagonal = np.full(6 + n + floor, settings.damping)
        diagonal[6 : 6 + n] += settings.posture
        diagonal[6 + n :] = settings.floor_weight
        h = np.zeros(6 + n + floor)
        away = kinematics.posture_error(at.q, self._body.neutral.q)
        h[6 : 6 + n] = -settings.posture * away
        r = np.concatenate([errors, misses])
        return LeastSquares(J=J, r=r, diagonal=diagonal, h=h)

    def _row_bounds(self, q: Array, dt: float) -> StepBounds:
        roles = self.roles
        if len(roles.rows) == 0:
            return StepBounds(lower=np.zeros(0), upper=np.zeros(0))
        value = roles.rows @ q
        bounds = step_bounds(
            value, roles.row_lower, roles.row_upper, roles.row_speed, dt
        )
        equal, exact = roles.row_lower == roles.row_upper, roles.row_lower - value
        return StepBounds(
            lower=np.where(equal, exact, bounds.lower),
            upper=np.where(equal, exact, bounds.upper),
        )

    def _orientation_rows(
        self, targets: Targets, leftovers: Array
    ) -> tuple[Array, Array]:
        """Return the weighted Jacobian (3 k, 6 + n) and residual of orientations."""
        kinematics, wanted = self._body.kinematics, targets.orientations
        now = kinematics.rotations(wanted.frames)
        error = log_so3(wanted.world_R_link @ np.swapaxes(now, -1, -2))
        root = np.sqrt(wanted.weights)[:, :, None] * np.swapaxes(wanted.axes, -1, -2)
        turning = kinematics.supports(wanted.frames) * kinematics.angular_columns()
        rows = root @ inverse_right_jacobian(error) @ turning
        errors = root @ (error - leftovers)[:, :, None]
        return rows.reshape(-1, 6 + kinematics.n), errors.reshape(-1)

    def _point_rows(self, targets: Targets) -> tuple[Array, Array]:
        """Return the weighted Jacobian (3 m, 6 + n) and residual of the points."""
        kinematics, points = self._body.kinematics, targets.points
        world_p = self._world(
            [point.frame for point in points], [point.link_p_point for point in points]
        )
        root = np.sqrt([point.weights for point in points]).reshape(-1, 3)
        goals = np.reshape([point.world_p_goal for point in points], (-1, 3))
        moving = kinematics.point_columns([p.frame for p in points], world_p)
        rows = root[:, :, None] * moving
        # the goal of a direction without weight may be anything
        misses = np.where(root > 0.0, root * (goals - world_p), 0.0)
        return rows.reshape(-1, 6 + kinematics.n), misses.reshape(-1)

    def _floor_rows(self, targets: Targets) -> tuple[Array, Array]:
        """Return rows J and heights z of the floor points: z + J x + depth >= 0."""
        if not targets.floor:
            return np.zeros((0, 6 + self._body.kinematics.n)), np.zeros(0)
        guards = [(g.frame, point) for g in targets.floor for point in g.link_p_points]
        frames = [frame for frame, _ in guards]
        world_p = self._world(frames, [point for _, point in guards])
        moving = self._body.kinematics.point_columns(frames, world_p)
        return moving[:, 2], world_p[:, 2]

    def _world(self, frames: list[int], link_p_points: list[Array]) -> Array:
        """Return the places of points of links (m, 3)."""
        kinematics, places = self._body.kinematics, np.reshape(link_p_points, (-1, 3))
        turned = kinematics.rotations(frames) @ places[:, :, None]
        return np.asarray(kinematics.positions(frames) + turned[:, :, 0])
