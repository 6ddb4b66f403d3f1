"""Dynamical inverse kinematics [R], as the paper has it: Jacobians and a QP solver.

The step minimises || W (v* - J nu) ||^2 + regularisation subject to joint limits,
velocity limits and couplings, [R] (10) and (13). Large motions within one step are
followed by repeating the linearisation inside the same bounds, so that the step ends
at the constrained optimum of the targets and not only near it.

Clear rather than fast: this is the witness of the compiled `RecursiveIk`.
"""

from __future__ import annotations

import numpy as np

from retarget.ik.joint_roles import JointRoles
from retarget.ik.limits import StepBounds, step_bounds
from retarget.ik.settings import IkSettings
from retarget.ik.targets import Targets
from retarget.kinematics import Configuration
from retarget.qp.problem import QpProblem
from retarget.qp.solver import make_solver
from retarget.robot_body import RobotBody
from retarget.so3 import Array, inverse_right_jacobian, log_so3

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
            solver: QP solver, a name in `retarget.qp.solver.SOLVERS`.
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
        configuration = start
        for _ in range(self.settings.iterations):
            kinematics.update(configuration)
            moved = configuration.q - start.q
            along = roles.rows @ moved
            problem = self.build_problem(
                configuration,
                targets,
                leftovers,
                StepBounds(lower=bounds.lower - moved, upper=bounds.upper - moved),
                StepBounds(lower=sums.lower - along, upper=sums.upper - along),
            )
            x = self._solver.solve(problem)[: 6 + kinematics.n]
            configuration = configuration.moved(x, 1.0)
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
        settings, roles = self.settings, self.roles
        J, r = self._rows(targets, leftovers)
        floor, heights = self._floor_rows(targets)
        n, f = len(configuration.q), len(heights)
        H = np.zeros((6 + n + f, 6 + n + f))
        H[: 6 + n, : 6 + n] = J.T @ J
        diagonal = np.full(6 + n + f, settings.damping)
        diagonal[6 : 6 + n] += settings.posture
        diagonal[6 + n :] = settings.floor_weight
        H += np.diag(diagonal)
        g = np.zeros(6 + n + f)
        g[: 6 + n] = -(J.T @ r)
        g[6 : 6 + n] -= settings.posture * (self._body.neutral.q - configuration.q)
        free = np.full(6, 0.0 if self._body.fixed_base else np.inf)
        A = np.zeros((len(roles.rows) + f, 6 + n + f))
        A[: len(roles.rows), 6 : 6 + n] = roles.rows
        A[len(roles.rows) :, : 6 + n] = floor
        A[len(roles.rows) :, 6 + n :] = np.eye(f)
        lower = np.where(roles.held, 0.0, bounds.lower)
        upper = np.where(roles.held, 0.0, bounds.upper)
        return QpProblem(
            H=H,
            g=g,
            lower=np.concatenate([-free, lower, np.zeros(f)]),
            upper=np.concatenate([free, upper, np.full(f, np.inf)]),
            A=A,
            row_lower=np.concatenate([sums.lower, -heights]),
            row_upper=np.concatenate([sums.upper, np.full(f, np.inf)]),
        )

    def _row_bounds(self, q: Array, dt: float) -> StepBounds:
        roles = self.roles
        value = roles.rows @ q
        bounds = step_bounds(
            value, roles.row_lower, roles.row_upper, roles.row_speed, dt
        )
        equal, exact = roles.row_lower == roles.row_upper, roles.row_lower - value
        return StepBounds(
            lower=np.where(equal, exact, bounds.lower),
            upper=np.where(equal, exact, bounds.upper),
        )

    def _rows(self, targets: Targets, leftovers: Array) -> tuple[Array, Array]:
        """Return the weighted Jacobian and residual of all targets."""
        kinematics, wanted = self._body.kinematics, targets.orientations
        rows, errors = [np.zeros((0, 6 + kinematics.n))], [np.zeros(0)]
        for k, frame in enumerate(wanted.frames):
            root = np.sqrt(wanted.weights[k])[:, None] * wanted.axes[k].T
            error = log_so3(wanted.world_R_link[k] @ kinematics.rotation(frame).T)
            turning = inverse_right_jacobian(error) @ kinematics.jacobian(frame)[3:]
            rows.append(root @ turning)
            errors.append(root @ (error - leftovers[k]))
        for point in targets.points:
            world_p = self._world(point.frame, point.link_p_point)
            root = np.diag(np.sqrt(point.weights))
            rows.append(root @ kinematics.jacobian(point.frame, world_p)[:3])
            errors.append(root @ (point.world_p_goal - world_p))
        return np.concatenate(rows), np.concatenate(errors)

    def _floor_rows(self, targets: Targets) -> tuple[Array, Array]:
        """Return rows J and heights z of the floor points: z + J x + depth >= 0."""
        kinematics = self._body.kinematics
        rows, heights = [np.zeros((0, 6 + kinematics.n))], []
        for guard in targets.floor:
            for point in guard.link_p_points:
                world_p = self._world(guard.frame, point)
                rows.append(kinematics.jacobian(guard.frame, world_p)[2:3])
                heights.append(world_p[2])
        return np.concatenate(rows), np.array(heights)

    def _world(self, frame: int, link_p_point: Array) -> Array:
        kinematics = self._body.kinematics
        rotation = kinematics.rotation(frame)
        return kinematics.position(frame) + rotation @ link_p_point
