"""What a motion asks for: forces and moments on the whole robot, and on each joint.

By differences of the postures alone: momentum is taken between two frames, its rate at
each frame. Then what the floor must give is, about the world's origin,

    F = sum m_b (a_b - g),   M = sum p_b x m_b (a_b - g) + d(R_b I_b R_b' w_b)/dt

and the ZMP on z = 0 is (-M_y, M_x) / F_z.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from telexist.retarget.ahead.body_motion import Placed
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.so3 import Array, log_so3
from telexist.retarget.tree import Tree

__all__ = [
    "GRAVITY",
    "AskedForces",
    "Moments",
    "ask_forces",
    "joint_torques",
    "moments_of",
]

GRAVITY = 9.81  # [m/s^2]


class AskedForces(NamedTuple):
    """What carries the motion, at t - 2 inner frames.

    Attributes:
        force: Of each body (n + 1, t - 2, 3) [N]: mass times (acceleration - g).
        moment: About the world's origin, of each body (n + 1, t - 2, 3) [N m].
        com: Centre of mass at all frames (t, 3) [m].
    """

    force: Array
    moment: Array
    com: Array

    @property
    def F(self) -> Array:  # noqa: N802
        """Force that the floor must give (t - 2, 3) [N]."""
        return np.asarray(self.force.sum(axis=0))

    @property
    def M(self) -> Array:  # noqa: N802
        """Moment about the origin that the floor must give (t - 2, 3) [N m]."""
        return np.asarray(self.moment.sum(axis=0))

    @property
    def zmp(self) -> Array:
        """Where the floor's force acts (t - 2, 2) [m]; far away without weight."""
        lift = np.maximum(self.F[:, 2], 1e-6)
        return np.stack([-self.M[:, 1], self.M[:, 0]], axis=1) / lift[:, None]


def ask_forces(placed: Placed, masses: RobotMasses, dt: float) -> AskedForces:
    """Return what a motion asks for."""
    places = placed.p + np.einsum("btij,bj->bti", placed.R, masses.com)
    speeds = np.diff(places, axis=1) / dt
    acc = np.diff(speeds, axis=1) / dt + np.array([0.0, 0.0, GRAVITY])
    force = masses.mass[:, None, None] * acc
    spin = log_so3(placed.R[:, 1:] @ np.swapaxes(placed.R[:, :-1], -1, -2)) / dt
    world_I = placed.R @ masses.inertia[:, None] @ np.swapaxes(placed.R, -1, -2)
    between = 0.5 * (world_I[:, 1:] + world_I[:, :-1])
    turning = np.einsum("btij,btj->bti", between, spin)
    moment = np.cross(places[:, 1:-1], force) + np.diff(turning, axis=1) / dt
    com = np.einsum("b,bti->ti", masses.mass, places) / masses.total
    return AskedForces(force=force, moment=moment, com=com)


class Moments(NamedTuple):
    """How columns change forces and moments.

    Attributes:
        com: Of the centre of mass, at all frames (t, 3, 6 + n).
        moment: About the world's origin, at the inner frames, by the columns of the
            frame before, the frame itself and the frame after (3, t - 2, 3, 6 + n).
    """

    com: Array
    moment: Array


def moments_of(
    placed: Placed, masses: RobotMasses, asked: AskedForces, dt: float
) -> Moments:
    """Return how every column changes forces and moments.

    With J_b the columns of a body's centre of mass,
    dM_t = sum p_b(t) x m_b (J_b(t+1) x(t+1) - 2 J_b(t) x(t) + J_b(t-1) x(t-1)) / dt^2
    + J_b(t) x(t) x m_b (a_b - g) and what turns; the frames' own axes count, for over
    dt^2 the little by which they differ is as large as all else.
    """
    places = placed.p + np.einsum("btij,bj->bti", placed.R, masses.com)
    own = placed.R @ masses.inertia[:, None] @ np.swapaxes(placed.R, -1, -2)
    between = 0.5 * (own[:, 1:] + own[:, :-1])
    carried = placed.moves.T.astype(float)  # (6 + n, n + 1)
    m = masses.mass[:, None, None]
    mass = carried @ masses.mass
    axis, slides = placed.axis, placed.slides[:, None, None]
    offset = np.cross(axis, placed.at)
    first = _summed(carried, m * places)
    com = np.where(
        slides,
        mass[:, None, None] * axis,
        np.cross(axis, first) - mass[:, None, None] * offset,
    )
    here, ahead, back = slice(1, -1), slice(2, None), slice(None, -2)
    turning = _summed(carried, between)
    parts = []
    for when, inertia in (
        (back, turning[:, :-1]),
        (here, -turning[:, :-1] - turning[:, 1:]),
        (ahead, turning[:, 1:]),
    ):
        w, o = axis[:, when], offset[:, when]
        count = -2.0 if when is here else 1.0
        mixed = m[..., None] * places[:, here, :, None] * places[:, when, None, :]
        carry = _twisted(_summed(carried, mixed), w) - np.cross(first[:, here], o)
        slid = np.cross(first[:, here], w)
        spun = np.einsum("ctij,ctj->cti", inertia, w)
        parts.append(np.where(slides, count * slid, count * carry + spun) / dt**2)
    w, o = axis[:, here], offset[:, here]
    F = _summed(carried, asked.force)
    P = _summed(carried, places[:, here, :, None] * asked.force[..., None, :])
    # sum (w x (p - o)) x f = -f x (w x p) + f x (w x o)
    leant = np.cross(F, o) - _twisted(np.swapaxes(P, -1, -2), w)
    parts[1] += np.where(slides, np.cross(w, F), leant)
    return Moments(
        com=np.moveaxis(com, 0, -1) / masses.total,
        moment=np.moveaxis(np.array(parts), 1, -1),
    )


def _summed(carried: Array, values: Array) -> Array:
    """Return sums of the bodies' values (n + 1, ...) over what each column moves."""
    flat = carried @ values.reshape(len(values), -1)
    return np.asarray(flat.reshape(len(carried), *values.shape[1:]))


def _twisted(P: Array, w: Array) -> Array:
    """Return the sum of p x (w x q) from that of p q' (c, t, 3, 3): w p.q - q p.w."""
    trace = np.trace(P, axis1=-2, axis2=-1)[..., None]
    return np.asarray(trace * w - np.einsum("ctji,ctj->cti", P, w))


def joint_torques(
    tree: Tree, placed: Placed, masses: RobotMasses, asked: AskedForces, ddq: Array
) -> Array:
    """Return the joints' torques with nothing touched (t - 2, n).

    Args:
        tree: The robot.
        placed: Its bodies.
        masses: Their masses.
        asked: What the motion asks for.
        ddq: Accelerations of the joints at the inner frames (t - 2, n).
    """
    inner = slice(1, -1)
    carried = placed.moves[:, 6:].T.astype(float)
    F = _summed(carried, asked.force)
    M = _summed(carried, asked.moment)
    axis, at = placed.axis[6:, inner], placed.at[6:, inner]
    turned = np.sum(axis * (M - np.cross(at, F)), axis=-1)
    slid = np.sum(axis * F, axis=-1)
    tau = np.where(tree.slides[:, None], slid, turned).T
    return np.asarray(tau + masses.armature * ddq)
