"""The dynamical IK step as one compiled call, exact and O(n) in the joints.

Does what `retarget/ik/dynamical.py` does, without Jacobians and without a QP solver:
see `retarget/ik/articulated.py` for the recursion and `retarget/ik/bounded.py` for the
limits.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from retarget.errors import QpFailed
from retarget.ik.articulated import (
    add_orientation,
    add_point,
    forward_kinematics,
    joint_screws,
)
from retarget.ik.bounded import Bounds, make_work, solve_bounded
from retarget.ik.joint_roles import JointRoles
from retarget.ik.limits import RETURN_SPEED, SLOWING_GAIN, StepBounds
from retarget.ik.rotations import exponential, logarithm, product, product_transposed
from retarget.ik.settings import IkSettings
from retarget.ik.targets import Targets
from retarget.ik.tree import Tree
from retarget.kinematics import Configuration, Kinematics
from retarget.robot_body import RobotBody
from retarget.so3 import Array

__all__ = ["IkArrays", "RecursiveIk", "TargetArrays", "ik_arrays", "step_recursively"]


class IkArrays(NamedTuple):
    """What the compiled step knows of a robot and its settings."""

    tree: Tree
    fixed: bool
    neutral: Array
    lower: Array
    upper: Array
    velocity: Array
    locked: NDArray[np.bool_]
    rows: Array
    row_lower: Array
    row_upper: Array
    row_speed: Array
    gain: float
    posture: float
    damping: float
    floor_weight: float
    iterations: int
    tolerance: float


class TargetArrays(NamedTuple):
    """Targets of one step, on bodies (see `Tree`) instead of links.

    Attributes:
        body: Body of each orientation target (k,).
        rotation: Wanted orientation of that body (k, 3, 3).
        velocity: How it turns over the step (k, 3) [rad/s].
        weight: In world axes (k, 3, 3).
        point_body: Body of each point target (m,).
        point: On the body (m, 3) [m].
        goal: In the world (m, 3) [m].
        point_weight: Along world axes (m, 3).
        floor_body: Body of each point that must stay above the floor (f,).
        floor_point: On the body (f, 3) [m].
    """

    body: NDArray[np.int64]
    rotation: Array
    velocity: Array
    weight: Array
    point_body: NDArray[np.int64]
    point: Array
    goal: Array
    point_weight: Array
    floor_body: NDArray[np.int64]
    floor_point: Array


@numba.njit(cache=True)
def _room(room, speed, dt):  # type: ignore[no-untyped-def]
    """Return how far a quantity may move towards a limit: see `ik.limits`."""
    if room < 0.0:
        return max(room, -min(speed, RETURN_SPEED) * dt)
    if speed == np.inf:
        return room
    return min(np.tanh(SLOWING_GAIN * room) * speed * dt, room)


@numba.njit(cache=True)
def limit_step(m, q, dt, lower, upper):  # type: ignore[no-untyped-def]
    """Fill the displacement that the limits allow each joint over dt."""
    for i in range(len(q)):
        lower[i] = -_room(q[i] - m.lower[i], m.velocity[i], dt)
        upper[i] = _room(m.upper[i] - q[i], m.velocity[i], dt)


@numba.njit(cache=True)
def _limit_rows(m, q, dt, lower, upper):  # type: ignore[no-untyped-def]
    for k in range(len(m.rows)):
        value = np.dot(m.rows[k], q)
        if m.row_lower[k] == m.row_upper[k]:
            lower[k] = upper[k] = m.row_lower[k] - value
        else:
            lower[k] = -_room(value - m.row_lower[k], m.row_speed[k], dt)
            upper[k] = _room(m.row_upper[k] - value, m.row_speed[k], dt)


@numba.njit(cache=True)
def _set_goals(m, t, w, dt, goals):  # type: ignore[no-untyped-def]
    """Fill the orientations to reach in this step: see `Targets.goals`."""
    A, B, e = np.empty((3, 3)), np.empty((3, 3)), np.empty(3)
    left = np.exp(-m.gain * dt)
    for k in range(len(t.body)):
        v = t.velocity[k]
        exponential(-v[0] * dt, -v[1] * dt, -v[2] * dt, A)
        product(A, t.rotation[k], B)
        product_transposed(B, w.R[t.body[k]], A)
        logarithm(A, e)
        exponential(-left * e[0], -left * e[1], -left * e[2], A)
        product(A, t.rotation[k], goals[k])


@numba.njit(cache=True)
def _load_targets(m, t, w, goals, q, floor):  # type: ignore[no-untyped-def]
    """Turn the targets into weights and forces on the bodies."""
    A, e, c = np.empty((3, 3)), np.empty(3), np.empty(3)
    w.weight[:] = 0.0
    w.pull[:] = 0.0
    for k in range(len(t.body)):
        b = t.body[k]
        product_transposed(goals[k], w.R[b], A)
        logarithm(A, e)
        add_orientation(w.weight[b], w.pull[b], t.weight[k], e)
    for k in range(len(t.point_body)):
        b = t.point_body[k]
        for r in range(3):
            s = 0.0
            for j in range(3):
                s += w.R[b, r, j] * t.point[k, j]
            c[r] = w.p[b, r] + s - w.p[0, r]
            e[r] = t.goal[k, r] - c[r] - w.p[0, r]
        add_point(w.weight[b], w.pull[b], c, t.point_weight[k], e)
    for k in range(len(t.floor_body)):
        b = t.floor_body[k]
        for r in range(3):
            s = w.p[b, r]
            for j in range(3):
                s += w.R[b, r, j] * t.floor_point[k, j]
            floor[k, r] = s
    for i in range(len(q)):
        w.tau[i] = m.posture * (m.neutral[i] - q[i])
        w.damping[i] = m.damping + m.posture


@numba.njit(cache=True)
def _apply(m, w, base_R, base_p, q):  # type: ignore[no-untyped-def]
    """Move by the solution, in place; return the largest displacement."""
    A, B = np.empty((3, 3)), np.empty((3, 3))
    moved = 0.0
    if not m.fixed:
        d = w.motion[0]
        exponential(d[0], d[1], d[2], A)
        product(A, base_R, B)
        base_R[:] = B
        for r in range(3):
            base_p[r] += d[3 + r]
        for r in range(6):
            moved = max(moved, abs(d[r]))
    for i in range(len(q)):
        moved = max(moved, abs(w.x[i]))
        q[i] += w.x[i]
    return moved


@numba.njit(cache=True)
def step_recursively(m, t, w, base_R, base_p, q, dt, lower, upper):  # type: ignore[no-untyped-def]
    """Move base and joints towards the targets, in place, in one step of dt.

    Args:
        m: The robot.
        t: The targets.
        w: Memory.
        base_R: `world_R_base` (3, 3).
        base_p: `world_p_base` (3,).
        q: Joint positions (n,).
        dt: Length of the step [s].
        lower: Least displacement of each joint (n,); used up in place.
        upper: Greatest displacement of each joint (n,); used up in place.

    Returns:
        Whether every constrained problem on the way was solved.
    """
    goals = np.empty((len(t.body), 3, 3))
    floor = np.empty((len(t.floor_body), 3))
    row_lower, row_upper = np.empty(len(m.rows)), np.empty(len(m.rows))
    _limit_rows(m, q, dt, row_lower, row_upper)
    bounds = Bounds(lower, upper, m.rows, row_lower, row_upper)
    for i in range(len(q)):
        if m.locked[i]:
            w.status[i] = 2
    settled = True
    for iteration in range(m.iterations):
        forward_kinematics(m.tree, base_R, base_p, q, w.R, w.p)
        if iteration == 0:
            _set_goals(m, t, w, dt, goals)
        joint_screws(m.tree, w.R, w.p, w.S)
        _load_targets(m, t, w, goals, q, floor)
        settled &= solve_bounded(
            m.tree, w, bounds, t.floor_body, floor, m.floor_weight, m.damping, m.fixed
        )
        if _apply(m, w, base_R, base_p, q) < m.tolerance:
            break
        for i in range(len(q)):
            lower[i] -= w.x[i]
            upper[i] -= w.x[i]
        for k in range(len(m.rows)):
            along = np.dot(m.rows[k], w.x)
            row_lower[k] -= along
            row_upper[k] -= along
    return settled


def ik_arrays(body: RobotBody, settings: IkSettings) -> IkArrays:
    """Gather what the compiled step needs of a robot."""
    free = JointRoles(body)
    return IkArrays(
        tree=body.kinematics.tree(),
        fixed=body.fixed_base,
        neutral=np.array(body.neutral.q),
        lower=free.lower,
        upper=free.upper,
        velocity=free.velocity,
        locked=free.held,
        rows=free.rows,
        row_lower=free.row_lower,
        row_upper=free.row_upper,
        row_speed=free.row_speed,
        gain=settings.gain,
        posture=settings.posture,
        damping=settings.damping,
        floor_weight=settings.floor_weight,
        iterations=settings.iterations,
        tolerance=settings.tolerance,
    )


class RecursiveIk:
    """Moves one robot towards targets, step by step, inside its limits."""

    def __init__(self, body: RobotBody, settings: IkSettings | None = None) -> None:
        """Prepare the solver for a robot."""
        self.settings = settings or IkSettings()
        self.roles = JointRoles(body)
        self.arrays = ik_arrays(body, self.settings)
        self._kinematics = body.kinematics

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
        arrays = target_arrays(self._kinematics, targets)
        n = self._kinematics.n
        work = make_work(n, len(self.arrays.rows), len(arrays.floor_body))
        lower, upper = np.empty(n), np.empty(n)
        if bounds is None:
            limit_step(self.arrays, start.q, dt, lower, upper)
        else:
            lower[:], upper[:] = bounds.lower, bounds.upper
        base_R, base_p = start.world_R_base.copy(), start.world_p_base.copy()
        q = start.q.copy()
        if not step_recursively(
            self.arrays, arrays, work, base_R, base_p, q, dt, lower, upper
        ):
            raise QpFailed("the active set of a step did not settle")
        return Configuration(
            world_p_base=base_p, world_R_base=base_R, q=self.roles.settle(q)
        )


def target_arrays(kinematics: Kinematics, targets: Targets) -> TargetArrays:
    """Turn targets on links into targets on the bodies that carry them."""
    wanted = targets.orientations
    places = [kinematics.attachment(frame) for frame in wanted.frames]
    link_R_body = np.array([place[1].T for place in places]).reshape(-1, 3, 3)
    weights = wanted.axes * wanted.weights[:, None, :] @ np.swapaxes(wanted.axes, 1, 2)
    points = [
        _on_body(kinematics, p.frame, p.link_p_point[None]) for p in targets.points
    ]
    floor = [_on_body(kinematics, g.frame, g.link_p_points) for g in targets.floor]
    none, nowhere = np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    return TargetArrays(
        body=np.array([place[0] for place in places], dtype=np.int64),
        rotation=wanted.world_R_link @ link_R_body,
        velocity=np.ascontiguousarray(wanted.angular_velocities),
        weight=np.ascontiguousarray(weights),
        point_body=np.concatenate([none, *(p[0] for p in points)]),
        point=np.concatenate([nowhere, *(p[1] for p in points)]),
        goal=np.concatenate([nowhere, *(p.world_p_goal[None] for p in targets.points)]),
        point_weight=np.concatenate(
            [nowhere, *(p.weights[None] for p in targets.points)]
        ),
        floor_body=np.concatenate([none, *(f[0] for f in floor)]),
        floor_point=np.concatenate([nowhere, *(f[1] for f in floor)]),
    )


def _on_body(
    kinematics: Kinematics, frame: int, link_p_points: Array
) -> tuple[NDArray[np.int64], Array]:
    body, rotation, position = kinematics.attachment(frame)
    count = len(link_p_points)
    return np.full(count, body), position + link_p_points @ rotation.T
