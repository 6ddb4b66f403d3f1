"""The best posture for one frame: a constrained nonlinear least squares problem.

    min_q  sum_i | sqrt(w_i) log(R*_i R_i(q)^T) |^2    s.t.  lower <= q <= upper

with the engine's own targets and weights, solved to the end from several starts by
scipy's trust region method. It knows nothing of feet. A box around the last posture
makes it respect speed limits too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares
from telexist.retarget.ik import IkSettings, OrientationTargets
from telexist.retarget.kinematics import Configuration
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, exp_so3, hat, log_so3

__all__ = ["Box", "FrameOptimum", "FrameProblem", "Optimum"]

ROW_WEIGHT = 1e2  # [1/rad] on couplings and mimics: broken by less than 1e-3 rad
POSTURE_WEIGHT = IkSettings().posture ** 0.5  # [1/rad] as the engine's
INSIDE = 1e-6  # [rad] starts are at least this far inside the limits
MOST_STEPS = 100  # of one solve


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """The best posture found and its cost."""

    configuration: Configuration
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Least and greatest joint positions (n,)."""

    lower: Array
    upper: Array

    @classmethod
    def within_reach(cls, body: RobotBody, q: Array, dt: float) -> Box:
        """Return what is inside the limits and can be reached from q in dt [s]."""
        reach = body.velocity * dt
        least = np.maximum(body.lower, np.minimum(q, body.upper) - reach)
        most = np.minimum(body.upper, np.maximum(q, body.lower) + reach)
        return cls(lower=least, upper=most)


class FrameOptimum:
    """Solves frames of one robot."""

    def __init__(self, body: RobotBody) -> None:
        """Choose the joints that matter: those that move a mapped link."""
        self._body = body
        kinematics = body.kinematics
        moving = np.zeros(kinematics.n, dtype=bool)
        for link in body.links.values():
            moving |= kinematics.support(kinematics.frame(link))[6:]
        names = np.array(kinematics.joints)
        moving |= np.isin(names, [m.leader for m in body.mimics])
        moving &= ~np.isin(names, body.locked) & (body.upper - body.lower > 4 * INSIDE)
        self._joints = np.flatnonzero(moving)
        self._base = 0 if body.fixed_base else 3
        self._rows, self._row_lower, self._row_upper = _rows(body)

    def solve(
        self,
        targets: OrientationTargets,
        starts: Iterable[Configuration],
        box: Box | None = None,
    ) -> Optimum:
        """Return the best of the optima reached from several starts.

        Args:
            targets: Wanted orientations.
            starts: Where to start from.
            box: Joint positions allowed; all inside the limits if None.
        """
        box = box or Box(lower=self._body.lower, upper=self._body.upper)
        return min(
            (self._from(targets, start, box) for start in starts), key=lambda o: o.cost
        )

    def _from(
        self, targets: OrientationTargets, start: Configuration, box: Box
    ) -> Optimum:
        lower = box.lower[self._joints] + INSIDE
        upper = box.upper[self._joints] - INSIDE
        free = np.full(self._base, np.inf)
        problem = FrameProblem(self, targets, start)
        x0 = np.clip(start.q[self._joints], lower + INSIDE, upper - INSIDE)
        result = least_squares(
            problem.residual,
            np.concatenate([np.zeros(self._base), x0]),
            jac=problem.jacobian,
            bounds=(np.concatenate([-free, lower]), np.concatenate([free, upper])),
            method="trf",
            x_scale=1.0,
            max_nfev=MOST_STEPS,
        )
        return Optimum(
            configuration=problem.configuration(result.x), cost=float(result.cost)
        )

    @property
    def joints(self) -> np.ndarray:
        """Index in the robot's joints of each joint that is solved for."""
        return self._joints

    @property
    def base(self) -> int:
        """How many unknowns turn the base: 3 or 0."""
        return self._base

    @property
    def body(self) -> RobotBody:
        """The robot."""
        return self._body

    def broken_rows(self, q: Array) -> tuple[Array, Array]:
        """Return by how much each coupling or mimic is broken (c,) and its slope."""
        value = self._rows @ q
        over = np.maximum(value - self._row_upper, 0.0)
        under = np.minimum(value - self._row_lower, 0.0)
        active = (over + under != 0.0)[:, None]
        return over + under, np.where(active, self._rows, 0.0)


class FrameProblem:
    """Residual and Jacobian of one frame; x = (turn of the base, joints)."""

    def __init__(
        self, solver: FrameOptimum, targets: OrientationTargets, start: Configuration
    ) -> None:
        """Set the problem up around the base of a start."""
        self._solver, self._targets, self._start = solver, targets, start
        self._roots = np.sqrt(targets.weights)[:, :, None] * np.swapaxes(
            targets.axes, -1, -2
        )
        self._neutral = solver.body.neutral.q[solver.joints]

    def configuration(self, x: Array) -> Configuration:
        """Return the posture of the unknowns."""
        base = self._solver.base
        turn = exp_so3(x[:base]) if base else np.eye(3)
        q = self._start.q.copy()
        q[self._solver.joints] = x[base:]
        return Configuration(
            world_p_base=self._start.world_p_base,
            world_R_base=turn @ self._start.world_R_base,
            q=q,
        )

    def _errors(self, x: Array) -> tuple[Array, Configuration]:
        configuration = self.configuration(x)
        kinematics = self._solver.body.kinematics
        kinematics.update(configuration)
        rotations = kinematics.rotations(self._targets.frames)
        apart = self._targets.world_R_link @ np.swapaxes(rotations, -1, -2)
        return log_so3(apart), configuration

    def residual(self, x: Array) -> Array:
        """Return weighted orientation errors, posture and broken couplings."""
        errors, configuration = self._errors(x)
        tracked = (self._roots @ errors[..., None]).reshape(-1)
        posture = POSTURE_WEIGHT * (x[self._solver.base :] - self._neutral)
        broken, _ = self._solver.broken_rows(configuration.q)
        return np.concatenate([tracked, posture, ROW_WEIGHT * broken])

    def jacobian(self, x: Array) -> Array:
        """Return the derivative of `residual`: log(R* (exp(J dx) R)^T), exactly."""
        errors, configuration = self._errors(x)
        solver, kinematics = self._solver, self._solver.body.kinematics
        columns = kinematics.angular_columns()
        masks = np.array([kinematics.support(f) for f in self._targets.frames])
        J = columns * masks[:, None, :]
        turning = J[:, :, 3:6] @ _left_jacobian(x[:3]) if solver.base else J[:, :, :0]
        J = np.concatenate([turning, J[:, :, 6 + solver.joints]], axis=-1)
        tracked = -self._roots @ _inverse_right_jacobian(errors) @ J
        posture = np.zeros((len(solver.joints), J.shape[-1]))
        posture[:, solver.base :] = POSTURE_WEIGHT * np.eye(len(solver.joints))
        _, slope = solver.broken_rows(configuration.q)
        rows = np.zeros((len(slope), J.shape[-1]))
        rows[:, solver.base :] = ROW_WEIGHT * slope[:, solver.joints]
        return np.concatenate([tracked.reshape(-1, J.shape[-1]), posture, rows])


def _rows(body: RobotBody) -> tuple[Array, Array, Array]:
    """Return couplings and mimics as lower <= rows q <= upper."""
    index = {name: i for i, name in enumerate(body.kinematics.joints)}
    count = len(body.couplings) + len(body.mimics)
    rows = np.zeros((count, len(index)))
    lower, upper = np.empty(count), np.empty(count)
    for r, coupling in enumerate(body.couplings):
        for name, c in zip(coupling.joints, coupling.coefficients, strict=True):
            rows[r, index[name]] = c
        lower[r], upper[r] = coupling.lower, coupling.upper
    for r, mimic in enumerate(body.mimics, start=len(body.couplings)):
        rows[r, index[mimic.joint]] = 1.0
        rows[r, index[mimic.leader]] = -mimic.multiplier
        lower[r] = upper[r] = mimic.offset
    return rows, lower, upper


def _left_jacobian(w: Array) -> Array:
    """Return J with exp(w + d) = exp(J d) exp(w) to first order (3, 3)."""
    angle = float(np.linalg.norm(w))
    S = hat(w)
    if angle < 1e-6:
        return np.eye(3) + 0.5 * S
    a = (1.0 - np.cos(angle)) / angle**2
    b = (angle - np.sin(angle)) / angle**3
    return np.eye(3) + a * S + b * (S @ S)


def _inverse_right_jacobian(w: Array) -> Array:
    """Return J with log(exp(w) exp(d)) = w + J d to first order (k, 3, 3)."""
    angle = np.linalg.norm(w, axis=-1)
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    # (1 + cos) / sin = cot(angle / 2), finite at pi where sin is not
    c = 1.0 / safe**2 - 1.0 / (2.0 * safe * np.tan(safe / 2.0))
    c = np.where(small, 1.0 / 12.0, c)
    S = hat(w)
    return np.eye(3) + 0.5 * S + c[..., None, None] * (S @ S)
