"""The whole-body quadratic program that balancing and walking share.

Unknowns x = (dnu, f_left, f_right, ...): accelerations and wrenches at the middles of
the contact patches, world axes, in body weights: of the floor at the soles, and of a
seat at the thighs while they may touch one. Minimised: weighted squares of what
`WholeBodyTasks` asks. Kept: the six equations of motion of the base, friction cones,
centres of pressure inside the soles, torques tau = M_a dnu + h_a - J_a' f within the
drives' efforts, and joints that brake before their limits. Forces that are known, at
the hands, are in h and in what the floor is asked for.

Solver: DAQP, by measurement the fastest exact one at this size. When it finds no answer
the torque and joint limits are taken out and torques are cut afterwards; when that
fails too, the last torques are held with damping. Both are counted and reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import daqp
import numpy as np
from telexist.retarget.qp import QpProblem
from telexist.retarget.so3 import Array
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.geometry import joint_room
from telexist.teleop.controllers.terms import (
    CONE_ROWS,
    AppliedForces,
    FootTask,
    WholeBodyTasks,
    contact_cone,
)
from telexist.teleop.controllers.whole_body.whole_body_matrices import (
    EQUAL,
    FREE,
    bound_joints,
    drive_torques,
    fill_constraints,
    fill_cost,
    fill_momentum_cost,
)

__all__ = ["WholeBodyQp", "WholeBodySolution"]

EFFORT_SHARE = 0.97  # of a drive's effort that is asked for
SPEED_SHARE = 0.95  # of a joint's greatest speed that is asked for
HOLD_DAMPING = 0.05  # [s] of effort per rad/s when nothing can be solved


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBodySolution:
    """The answer of one step.

    Attributes:
        tau: Torques of the drives (n,) [N m].
        dnu: Accelerations (6 + n,).
        wrenches: On the left and the right sole (2, 6), world axes [N], [N m].
        thighs: On the left and the right thigh (2, 6), likewise.
        fallback: "" if all was solved, else what was done instead.
    """

    tau: Array
    dnu: Array
    wrenches: Array
    fallback: str
    thighs: Array = field(default_factory=lambda: np.zeros((2, 6)))


class _Arrays:
    """The program's arrays for k contact patches."""

    def __init__(self, model: DynamicsModel, k: int) -> None:
        """Look at the first k patches of a model."""
        nv = 6 + model.n
        self.k, self.size = k, nv + 6 * k
        self.rows = 6 + k * (CONE_ROWS + 1) + model.n
        size, both = self.size, self.size + self.rows
        self.H, self.g = np.zeros((size, size)), np.zeros(size)
        self.A = np.zeros((self.rows, size))
        self.top, self.bottom = np.full(both, FREE), np.full(both, -FREE)
        self.sense = np.zeros(both, dtype=np.int32)
        self.sense[size : size + 6] = EQUAL
        self.loads, self.acc = np.zeros(k), np.zeros((k, 6))
        self.tips, self.stance = np.zeros(k, dtype=bool), np.zeros(k)
        self.rolls, self.force = np.zeros(k, dtype=bool), np.zeros(k)
        self.rolls[:2] = model.soles_roll
        self.p, self.R = model.contact_p[:k], model.contact_R[:k]
        self.J, self.bias = model.contact_J[:k], model.contact_bias[:k]


class WholeBodyQp:
    """Builds and solves the program; keeps its arrays between steps.

    With as many patches as touch: what is not asked for costs nothing.
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Prepare for a robot with two soles."""
        self._model = model
        self.n, self.nv = model.n, 6 + model.n
        body = model.robot.body
        self._cones: dict[tuple[int, float, float], Array] = {}
        self._lower, self._upper = joint_room(body)
        self._speed = SPEED_SHARE * np.array(body.velocity)
        self._effort = np.array(model.actuators.effort)
        self._asked = EFFORT_SHARE * self._effort
        self.weight = model.mass * GRAVITY
        self._all = {k: _Arrays(model, k) for k in {2, len(model.patches)}}
        self._now = self._all[2]
        self._margin = np.zeros(self.n)
        self._h = model.h
        self._own, self._wanted = np.zeros(self.nv), np.zeros(self.nv)
        self._mimics = np.array(
            [
                (6 + joint, 6 + leader, mimic.multiplier)
                for mimic in body.mimics
                for joint, leader in [
                    (model.joints.index(mimic.joint), model.joints.index(mimic.leader))
                ]
            ]
        ).reshape(-1, 3)
        self._load_compiled()
        self._last_tau = np.zeros(self.n)
        self.failures = 0

    def _load_compiled(self) -> None:
        """Solve once: what is compiled is loaded before time matters."""
        n, zero = self.n, np.zeros(3)
        self._last_tau, self.failures = np.zeros(n), 0
        tasks = WholeBodyTasks(
            com_acc=zero,
            angular_rate=zero,
            feet=(FootTask(), FootTask()),
            base_acc=zero,
            joint_acc=np.zeros(n),
            joint_weight=np.ones(n),
        )
        self.solve(tasks, np.zeros(n), np.zeros(n))
        drive_torques(
            *self._dynamics(), np.zeros(self.nv), np.zeros((2, 6)), self._effort
        )

    def limit(self, effort: Array) -> None:
        """Ask the drives for no more than they can do (n,) [N m]."""
        np.multiply(EFFORT_SHARE, effort, out=self._asked)

    def solve(self, tasks: WholeBodyTasks, q: Array, dq: Array) -> WholeBodySolution:
        """Solve one step at the model's last update.

        Args:
            tasks: What to do.
            q: Joint positions (n,).
            dq: Joint velocities (n,).
        """
        self._h = self._model.h
        if tasks.known is not None:
            tasks = self._with_known(tasks, tasks.known)
        touching = (*tasks.feet, *tasks.thighs)
        self._now = now = self._all[len(touching)]
        for i, patch in enumerate(touching):
            now.loads[i], now.tips[i], now.acc[i] = patch.load, patch.tips, patch.acc
            weights = tasks.weights
            now.stance[i] = weights.stance if i < 2 else weights.seat
            now.force[i] = weights.force if i < 2 else weights.seat_force
        bound_joints(
            q,
            dq,
            self._lower,
            self._upper,
            self._speed,
            self._margin,
            now.top,
            now.bottom,
        )
        self._build_cost(tasks)
        self._build_constraints(tasks)
        x, flag = self._run()
        fallback = ""
        if flag < 1:
            fallback = "limits left out"
            now.top[6 : self.nv], now.bottom[6 : self.nv] = FREE, -FREE
            now.top[-self.n :], now.bottom[-self.n :] = FREE, -FREE
            x, flag = self._run()
        if flag < 1:
            return self._held(dq)
        return self._answer(x, fallback)

    def _with_known(
        self, tasks: WholeBodyTasks, known: AppliedForces
    ) -> WholeBodyTasks:
        """Take forces into the bias; the floor need not do what they do."""
        self._h = self._model.h - known.generalized
        return replace(
            tasks,
            com_acc=tasks.com_acc - known.force / self._model.mass,
            angular_rate=tasks.angular_rate - known.moment,
        )

    def _dynamics(self) -> tuple[Array, Array, Array]:
        model = self._model
        return model.M, self._h, self._now.J

    def _answer(self, x: Array, fallback: str) -> WholeBodySolution:
        dnu, wrenches = x[: self.nv], self.weight * x[self.nv :].reshape(-1, 6)
        tau = drive_torques(*self._dynamics(), dnu, wrenches, self._effort)
        self._last_tau = tau
        if fallback:
            self.failures += 1
        thighs = wrenches[2:] if len(wrenches) > 2 else np.zeros((2, 6))
        return WholeBodySolution(
            tau=tau, dnu=dnu, wrenches=wrenches[:2], fallback=fallback, thighs=thighs
        )

    def _held(self, dq: Array) -> WholeBodySolution:
        """Return the last torques with damping: the fallback when nothing is solved."""
        self.failures += 1
        tau = self._last_tau - HOLD_DAMPING * self._effort * dq
        tau = np.clip(tau, -self._effort, self._effort)
        return WholeBodySolution(
            tau=tau, dnu=np.zeros(self.nv), wrenches=np.zeros((2, 6)), fallback="held"
        )

    def problem(self) -> QpProblem:
        """Return the last program, to be printed, tested or timed."""
        now, size = self._now, self._now.size
        top, bottom = now.top.copy(), now.bottom.copy()
        top[top >= FREE], bottom[bottom <= -FREE] = np.inf, -np.inf
        return QpProblem(
            H=now.H.copy(),
            g=now.g.copy(),
            lower=bottom[:size],
            upper=top[:size],
            A=now.A.copy(),
            row_lower=bottom[size:],
            row_upper=top[size:],
        )

    def solve_again(self) -> int:
        """Solve the last program once more, for timing; return the solver's flag."""
        return self._run()[1]

    def _run(self) -> tuple[Array, int]:
        now = self._now
        x, _, flag, _ = daqp.solve(now.H, now.g, now.A, now.top, now.bottom, now.sense)
        if flag >= 1 and not np.all(np.isfinite(x)):
            flag = -1
        return x, flag

    def _build_cost(self, tasks: WholeBodyTasks) -> None:
        model, weights, now = self._model, tasks.weights, self._now
        own, wanted = self._own, self._wanted
        # The base's angular acceleration and the joints' are unknowns themselves.
        own[3] = own[4] = weights.base
        own[5], own[6:] = weights.base_yaw, tasks.joint_weight
        wanted[3:6], wanted[6:] = tasks.base_acc, tasks.joint_acc
        fill_cost(
            now.J,
            now.R,
            now.rolls,
            now.bias,
            now.acc,
            now.loads,
            now.tips,
            self._margin,
            now.stance,
            weights.swing,
            own,
            wanted,
            weights.smooth,
            self._mimics,
            now.H,
            now.g,
        )
        fill_momentum_cost(
            now.p,
            model.com,
            model.mass,
            tasks.com_acc,
            tasks.angular_rate,
            weights.com,
            weights.angular,
            now.force,
            now.H,
            now.g,
        )

    def _build_constraints(self, tasks: WholeBodyTasks) -> None:
        now = self._now
        share, friction = tasks.sole_share, tasks.friction
        cones = self._cones.get((now.k, share, friction))
        if cones is None:
            patches = self._model.patches[: now.k]
            cones = np.array(
                [contact_cone(s, share=share, friction=friction) for s in patches]
            )
            self._cones[now.k, share, friction] = cones
        fill_constraints(
            *self._dynamics(),
            now.R,
            self._model.sole_tip,
            cones,
            now.loads,
            self.weight,
            self._asked,
            now.A,
            now.top,
            now.bottom,
            now.sense,
        )
