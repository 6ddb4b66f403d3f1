"""The whole-body quadratic programme that balancing and walking share.

Unknowns x = (dnu, f_left, f_right): accelerations and wrenches of the floor at the
soles' middles, world axes, in body weights. Minimised: weighted squares of what
`WholeBodyTasks` asks. Kept: the six equations of motion of the base, friction cones,
centres of pressure inside the soles, torques tau = M_a dnu + h_a - J_a' f within the
drives' efforts, and joints that brake before their limits.

Solver: DAQP, by measurement the fastest exact one at this size. When it finds no answer
the torque and joint limits are taken out and torques are cut afterwards; when that
fails too, the last torques are held with damping. Both are counted and reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import daqp
import numpy as np

from retarget.qp.problem import QpProblem
from retarget.so3 import Array
from robots.actuators import GRAVITY
from robots.dynamics_model import DynamicsModel
from teleop.controllers.contact_cone import CONE_ROWS, contact_cone
from teleop.controllers.whole_body_tasks import WholeBodyTasks

__all__ = ["WholeBodyQp", "WholeBodySolution"]

FREE = 1e30  # what daqp takes for infinity
EQUAL = 5  # daqp's mark of an equality
BRAKE_TIME = 0.04  # [s] in which a joint at full speed stops before its limit
BEYOND = 0.01  # [rad] from which a joint beyond its limit is not drawn back harder
ROOM = 0.05  # [rad] of a leg from its limits below which its standing sole may tip
TIPPING = 1e-3  # weight of a sole that must tip, of one that may not
MAX_ACC = 400.0  # [rad/s^2] of a joint
EFFORT_SHARE = 0.97  # of a drive's effort that is asked for
FOLLOW = 1e3  # weight of a follower's tie to its leader
HOLD_DAMPING = 0.05  # [s] of effort per rad/s when nothing can be solved


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeBodySolution:
    """The answer of one step.

    Attributes:
        tau: Torques of the drives (n,) [N m].
        dnu: Accelerations (6 + n,).
        wrenches: On the left and the right sole (2, 6), world axes [N], [N m].
        fallback: "" if all was solved, else what was done instead.
    """

    tau: Array
    dnu: Array
    wrenches: Array
    fallback: str


class WholeBodyQp:
    """Builds and solves the programme; keeps its arrays between steps."""

    def __init__(self, model: DynamicsModel) -> None:
        """Prepare for a robot with two soles."""
        self._model = model
        self.n, self.nv = model.n, 6 + model.n
        body = model.robot.body
        self._soles = [body.soles[side] for side in model.sides]
        self._cones: dict[float, list[Array]] = {}
        self._frames = list(model.sole_frames())
        self._lower, self._upper = body.lower, body.upper
        self._effort = model.actuators.effort
        self._legs: list[list[int]] = []
        self.weight = model.mass * GRAVITY
        size = self.nv + 12
        self._rows = 6 + 2 * (CONE_ROWS + 1) + self.n
        self._H = np.zeros((size, size))
        self._g = np.zeros(size)
        self._A = np.zeros((self._rows, size))
        self._top = np.full(size + self._rows, FREE)
        self._bottom = np.full(size + self._rows, -FREE)
        self._sense = np.zeros(size + self._rows, dtype=np.int32)
        self._sense[size : size + 6] = EQUAL
        self._last_tau = np.zeros(self.n)
        self._G = np.zeros((6, 12))
        self._G[:3, :3] = self._G[:3, 6:9] = np.eye(3)
        self._G[3:, 3:6] = self._G[3:, 9:] = np.eye(3)
        self._Z = np.zeros((2, 12))
        self._Z[0, 3] = self._Z[1, 4] = self._Z[0, 9] = self._Z[1, 10] = 1.0
        self._mimics = [
            (6 + joint, 6 + leader, mimic.multiplier)
            for mimic in body.mimics
            for joint, leader in [
                (model.joints.index(mimic.joint), model.joints.index(mimic.leader))
            ]
        ]
        self.failures = 0

    def solve(self, tasks: WholeBodyTasks, q: Array, dq: Array) -> WholeBodySolution:
        """Solve one step at the model's last update.

        Args:
            tasks: What to do.
            q: Joint positions (n,).
            dq: Joint velocities (n,).
        """
        J = [self._model.jacobian(frame) for frame in self._frames]
        self._build_cost(tasks, J, q)
        self._build_constraints(tasks, J)
        self._bound_joints(q, dq)
        x, flag = self._run()
        fallback = ""
        if flag < 1:
            fallback = "limits left out"
            self._top[6 : self.nv], self._bottom[6 : self.nv] = FREE, -FREE
            self._top[-self.n :], self._bottom[-self.n :] = FREE, -FREE
            x, flag = self._run()
        if flag < 1:
            return self._held(dq)
        return self._answer(x, J, fallback)

    def _answer(self, x: Array, J: list[Array], fallback: str) -> WholeBodySolution:
        model, nv = self._model, self.nv
        dnu, wrenches = x[:nv], self.weight * x[nv:].reshape(2, 6)
        tau = model.M[6:] @ dnu + model.h[6:]
        tau -= J[0][:, 6:].T @ wrenches[0] + J[1][:, 6:].T @ wrenches[1]
        tau = np.clip(tau, -self._effort, self._effort)
        self._last_tau = tau
        if fallback:
            self.failures += 1
        return WholeBodySolution(tau=tau, dnu=dnu, wrenches=wrenches, fallback=fallback)

    def _held(self, dq: Array) -> WholeBodySolution:
        """Return the last torques with damping: the fallback when nothing is solved."""
        self.failures += 1
        tau = self._last_tau - HOLD_DAMPING * self._effort * dq
        tau = np.clip(tau, -self._effort, self._effort)
        return WholeBodySolution(
            tau=tau, dnu=np.zeros(self.nv), wrenches=np.zeros((2, 6)), fallback="held"
        )

    def problem(self) -> QpProblem:
        """Return the last programme, to be printed, tested or timed."""
        size = self.nv + 12

        top, bottom = self._top.copy(), self._bottom.copy()
        top[top >= FREE], bottom[bottom <= -FREE] = np.inf, -np.inf
        return QpProblem(
            H=self._H.copy(),
            g=self._g.copy(),
            lower=bottom[:size],
            upper=top[:size],
            A=self._A.copy(),
            row_lower=bottom[size:],
            row_upper=top[size:],
        )

    def solve_again(self) -> int:
        """Solve the last programme once more, for timing; return the solver's flag."""
        return self._run()[1]

    def _run(self) -> tuple[Array, int]:
        x, _, flag, _ = daqp.solve(
            self._H, self._g, self._A, self._top, self._bottom, self._sense
        )
        if flag >= 1 and not np.all(np.isfinite(x)):
            flag = -1
        return x, flag

    def _feet_weights(self, tasks: WholeBodyTasks, J: list[Array], q: Array) -> Array:
        """Return the weights (12,) of both soles' accelerations.

        A sole stays flat as long as its leg can: with an ankle at its limit it tips on
        its edge, and the programme must not throw the trunk about to prevent it.
        """
        if not self._legs:
            moves = [np.abs(Ji[3:, 6:]).sum(axis=0) > 0.0 for Ji in J]
            self._legs = [np.flatnonzero(each).tolist() for each in moves]
        weights, w = tasks.weights, np.empty(12)
        room = np.minimum(q - self._lower, self._upper - q)
        for i, foot in enumerate(tasks.feet):
            rows = w[6 * i : 6 * i + 6]
            rows[:] = weights.stance if foot.load > 0.0 else weights.swing
            left = float(room[self._legs[i]].min()) / ROOM
            if foot.load > 0.0 and left < 1.0:
                rows[3:] *= max(left, 0.0) ** 2 + TIPPING
        return w

    def _build_cost(self, tasks: WholeBodyTasks, J: list[Array], q: Array) -> None:
        model, weights, nv = self._model, tasks.weights, self.nv
        H, g = self._H, self._g
        both = np.vstack(J)
        w = self._feet_weights(tasks, J, q)
        goal = np.concatenate([foot.acc for foot in tasks.feet])
        goal -= np.concatenate([model.acceleration_bias(f) for f in self._frames])
        weighted = both * w[:, None]
        Hd, gd = H[:nv, :nv], g[:nv]
        np.matmul(weighted.T, both, out=Hd)
        gd[:] = -(goal @ weighted)
        # The base's angular acceleration and the joints' are unknowns themselves.
        own = np.empty(nv)
        own[:3], own[3:5], own[5] = 0.0, weights.base, weights.base_yaw
        own[6:] = tasks.joint_weight
        wanted = np.zeros(nv)
        wanted[3:6], wanted[6:] = tasks.base_acc, tasks.joint_acc
        gd -= own * wanted
        diagonal = np.arange(nv)
        Hd[diagonal, diagonal] += own + weights.smooth
        for joint, leader, multiplier in self._mimics:  # followers keep to their leader
            Hd[joint, joint] += FOLLOW
            Hd[leader, leader] += FOLLOW * multiplier**2
            Hd[joint, leader] -= FOLLOW * multiplier
            Hd[leader, joint] -= FOLLOW * multiplier
        self._build_momentum_cost(tasks)

    def _build_momentum_cost(self, tasks: WholeBodyTasks) -> None:
        model, weights, nv = self._model, tasks.weights, self.nv
        G = self._G
        for i, frame in enumerate(self._frames):
            x, y, z = model.position(frame) - model.com
            G[3:, 6 * i : 6 * i + 3] = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
        # In units of acceleration: body weights times g, moments over mass and height.
        height = max(0.1, float(model.com[2] - model.position(self._frames[0])[2]))
        scale = np.array([GRAVITY] * 3 + [GRAVITY / height] * 3)
        w = np.array([weights.com] * 3 + [weights.angular] * 3) * scale
        rate = np.empty(6)
        rate[:3] = tasks.com_acc
        rate[2] += GRAVITY
        rate[3:] = tasks.angular_rate / (model.mass * height)
        weighted = G * (w * scale)[:, None]
        Hf = self._H[nv:, nv:]
        np.matmul(weighted.T, G, out=Hf)
        diagonal = np.arange(12)
        # A moment counts as the force that makes it at 5 cm.
        lever = np.tile([1.0, 1.0, 1.0, 400.0, 400.0, 400.0], 2)
        Hf[diagonal, diagonal] += weights.force * lever
        self._g[nv:] = -((rate * w) @ G)
        if weights.pressure == 0.0:
            return
        Z = self._Z  # horizontal moments about the ZMP, in body weights: distances
        for i, frame in enumerate(self._frames):
            x, y, z = model.position(frame) - tasks.zmp
            Z[:, 6 * i : 6 * i + 3] = ((0.0, -z, y), (z, 0.0, -x))
        Hf += weights.pressure * (Z.T @ Z)

    def _build_constraints(self, tasks: WholeBodyTasks, J: list[Array]) -> None:
        model, nv, A = self._model, self.nv, self._A
        size = nv + 12
        top, bottom = self._top[size:], self._bottom[size:]
        A[:6, :nv] = model.M[:6]
        A[-self.n :, :nv] = model.M[6:]
        row = 6
        cones = self._cones.get(tasks.sole_share)
        if cones is None:
            cones = [contact_cone(sole, share=tasks.sole_share) for sole in self._soles]
            self._cones[tasks.sole_share] = cones
        for i, foot in enumerate(tasks.feet):
            columns = slice(nv + 6 * i, nv + 6 * i + 6)
            loaded = -self.weight * J[i].T
            A[:6, columns], A[-self.n :, columns] = loaded[:6], loaded[6:]
            R = model.rotation(self._frames[i])
            cone = cones[i].reshape(CONE_ROWS, 2, 3) @ R.T
            A[row : row + CONE_ROWS, columns] = cone.reshape(CONE_ROWS, 6)
            A[row + CONE_ROWS, nv + 6 * i : nv + 6 * i + 3] = R[:, 2]
            on = foot.load > 0.0
            top[row : row + CONE_ROWS] = 0.0 if on else FREE
            top[row + CONE_ROWS] = foot.load if on else FREE
            bottom[row + CONE_ROWS] = 0.0 if on else -FREE
            limit = FREE if on else 0.0
            self._top[columns], self._bottom[columns] = limit, -limit
            self._sense[columns] = 0 if on else EQUAL
            row += CONE_ROWS + 1
        top[:6] = bottom[:6] = -model.h[:6]
        effort = EFFORT_SHARE * self._effort
        top[-self.n :] = effort - model.h[6:]
        bottom[-self.n :] = -effort - model.h[6:]

    def _bound_joints(self, q: Array, dq: Array) -> None:
        """Bound accelerations so that joints stop before their limits."""
        k = 1.0 / BRAKE_TIME
        high = k * (k * np.maximum(self._upper - q, -BEYOND) - 2.0 * dq)
        low = k * (k * np.minimum(self._lower - q, BEYOND) - 2.0 * dq)
        np.minimum(np.maximum(high, -MAX_ACC), MAX_ACC, out=self._top[6 : self.nv])
        np.minimum(np.maximum(low, -MAX_ACC), MAX_ACC, out=self._bottom[6 : self.nv])
