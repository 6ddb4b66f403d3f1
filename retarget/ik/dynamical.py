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
from retarget.ik.targets import FloorGuard, PointTarget, Targets
from retarget.kinematics import Configuration
from retarget.qp.problem import QpProblem
from retarget.qp.solver import make_solver
from retarget.robot_body import RobotBody
from retarget.so3 import Array, log_so3

__all__ = ["DynamicalIk", "IkSettings"]

NEAR_FLOOR = 0.1  # [m] points higher than this cannot reach the floor in one step


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
        bounds = bounds or self.bounds(start.q, dt)
        self._kinematics.update(start)
        rotations = self._kinematics.rotations(targets.orientations.frames)
        goals = targets.goals(rotations, self.settings.gain, dt)
        sums = self._coupling_bounds(start.q, dt)
        configuration = start
        for iteration in range(self.settings.iterations):
            if iteration:
                self._kinematics.update(configuration)
            moved = (configuration.q - start.q)[self.free.joints]
            left = StepBounds(lower=bounds.lower - moved, upper=bounds.upper - moved)
            along = self.free.rows @ moved
            sums_left = StepBounds(lower=sums.lower - along, upper=sums.upper - along)
            cost = self._cost(configuration, targets, goals)
            x = self._solver.solve(self._problem(cost, targets.floor, left, sums_left))
            configuration = self._apply(configuration, x)
            if np.abs(x).max() < self.settings.tolerance:
                break
        return configuration

    def _coupling_bounds(self, q: Array, dt: float) -> StepBounds:
        free = self.free
        value = free.rows @ q[free.joints]
        return step_bounds(value, free.row_lower, free.row_upper, free.row_speed, dt)

    def _apply(self, configuration: Configuration, x: Array) -> Configuration:
        moved = configuration.moved(self.free.expand @ x, 1.0)
        return Configuration(
            world_p_base=moved.world_p_base,
            world_R_base=moved.world_R_base,
            q=self.free.settle(moved.q),
        )

    def _cost(
        self, configuration: Configuration, targets: Targets, goals: Array
    ) -> tuple[Array, Array]:
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
        return H, g

    def _problem(
        self,
        cost: tuple[Array, Array],
        floor: tuple[FloorGuard, ...],
        bounds: StepBounds,
        sums: StepBounds,
    ) -> QpProblem:
        """Put cost, bounds, couplings and floor together."""
        H, g = cost
        base, m = self.free.base, len(g)
        lower, upper = np.full(m, -np.inf), np.full(m, np.inf)
        lower[base:], upper[base:] = bounds.lower, bounds.upper
        couplings = np.zeros((len(self.free.rows), m))
        couplings[:, base:] = self.free.rows
        J_floor, room = self._floor_rows(floor)
        return QpProblem(
            H=H,
            g=g,
            lower=lower,
            upper=upper,
            A=np.concatenate([couplings, J_floor]),
            row_lower=np.concatenate([sums.lower, -room]),
            row_upper=np.concatenate([sums.upper, np.full(len(room), np.inf)]),
            soft=np.arange(len(couplings) + len(room)) >= len(couplings),
        )

    def _floor_rows(self, guards: tuple[FloorGuard, ...]) -> tuple[Array, Array]:
        """Return rows J and heights z with J x >= -z for points near the floor."""
        rows, room = [np.zeros((0, self.free.expand.shape[1]))], [np.zeros(0)]
        for guard in guards:
            rotation = self._kinematics.rotation(guard.frame)
            position = self._kinematics.position(guard.frame)
            points = position + guard.link_p_points @ rotation.T
            for point in points[points[:, 2] < NEAR_FLOOR]:
                J = self._kinematics.jacobian(guard.frame, point)[2:3]
                rows.append(self._reduced(J))
                room.append(point[2:3])
        return np.concatenate(rows), np.concatenate(room)

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
