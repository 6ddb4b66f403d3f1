"""Balance and torques of a motion, by inverse dynamics with contact forces.

Sampled at 50 Hz and low-passed at 8 Hz, as a controller would; what bears load is
judged by height alone: every sole corner that is near the floor may. Of the contact
forces that give the base what it needs, within friction, those with the least torque
for the drives' effort are taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import nnls
from scipy.signal import butter, sosfiltfilt
from telexist.retarget.ahead import (
    GRAVITY,
    AskedForces,
    Placed,
    Postures,
    ask_forces,
    joint_torques,
    place_bodies,
    point_columns,
    postures_at,
    runs,
    sole_corners,
)
from telexist.retarget.metrics.link_motion import joints_in_order
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.robot_masses import RobotMasses
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import (
    Array,
    quat_wxyz_from_rotation,
    rotation_from_quat_wxyz,
)
from telexist.retarget.tree import Tree

__all__ = ["BalanceReport", "measure_balance"]

RATE = 50.0  # [Hz]
SMOOTH = 8.0  # [Hz] above which a recording holds noise rather than motion
SHORTEST = 0.6  # [s] of a motion that is judged
NEAR = 0.01  # [m] over the floor: a corner that may bear load
FRICTION = 0.8
EVERY = 2  # of the samples have their contact forces found
TORQUE = 1e-4  # weight of torques for their effort beside the base's wrench
EXCEEDED = 1.01  # share of an effort
STILL = (0.06, 0.3)  # [m/s] and [m/s^2] of a centre of mass that is still,
LASTS = 0.3  # [s] for so long
CLOSE = 1e-3  # [m] outside that counts as inside


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceReport:
    """What the floor and the drives would have to give; None where not shown.

    Attributes:
        supported: Share of frames in which a sole is near the floor.
        zmp_inside: Share of those with the ZMP inside what is near the floor.
        beside: The farthest that the centre of mass is outside the sole while the robot
            stands still on one leg [m].
        beyond_effort: Share of supported frames in which a drive lacks torque.
        weakest: The joint whose drive lacks it most often; "" if none does.
        missing: Mean wrench that contacts cannot give the base, in body weights.
    """

    supported: float
    zmp_inside: float | None
    beside: float | None
    beyond_effort: float | None
    weakest: str
    missing: float | None

    def to_json(self) -> dict[str, object]:
        """Return a plain table, units in the keys."""
        return {
            "supported_share": self.supported,
            "zmp_inside_share": self.zmp_inside,
            "one_leg_com_beside_sole_mm": (
                None if self.beside is None else 1e3 * self.beside
            ),
            "beyond_effort_share": self.beyond_effort,
            "weakest_joint": self.weakest,
            "base_wrench_missing_share": self.missing,
        }


def measure_balance(
    body: RobotBody, motion: RobotMotion, masses: RobotMasses | None
) -> BalanceReport | None:
    """Measure balance and torques.

    None without masses or soles, on a fixed base, and for a clip too short to say.
    """
    duration = float(motion.time[-1] - motion.time[0])
    if masses is None or body.fixed_base or not body.soles or duration < SHORTEST:
        return None
    postures = _smoothed(body, motion)
    tree = body.kinematics.tree()
    placed = place_bodies(tree, postures)
    asked = ask_forces(placed, masses, 1.0 / RATE)
    soles = sole_corners(body)
    corners = np.concatenate([sole.at(placed) for sole in soles], axis=1)
    near = corners[..., 2] < NEAR
    inner = slice(1, -1)
    supported = near[inner].any(axis=1)
    zmp = _outside_at(corners[inner], near[inner], asked.zmp)
    beside = _outside_at(corners[inner], near[inner], asked.com[inner, :2])
    still = _still_on_one_leg(asked.com, near)[inner]
    bodies = [sole.body for sole in soles for _ in range(4)]
    share, missing = _loads(
        (tree, masses, bodies), placed, asked, (corners, near), postures.q
    )
    over = (share > EXCEEDED).sum(axis=0)
    weakest = body.kinematics.joints[int(np.argmax(over))] if over.any() else ""
    return BalanceReport(
        supported=float(supported.mean()),
        zmp_inside=_mean(zmp[supported] < CLOSE),
        beside=float(beside[still].max()) if still.any() else None,
        beyond_effort=_mean((share > EXCEEDED).any(axis=1)),
        weakest=weakest,
        missing=_mean(missing),
    )


def _mean(values: ArrayLike) -> float | None:
    array = np.asarray(values)
    return float(array.mean()) if array.size else None


def _smoothed(body: RobotBody, motion: RobotMotion) -> Postures:
    q = joints_in_order(body, motion, motion.joint_positions)
    grid = np.arange(motion.time[0], motion.time[-1], 1.0 / RATE)
    even = postures_at(
        Postures(motion.base_position, motion.base_rotation, q), motion.time, grid
    )
    quat = quat_wxyz_from_rotation(even.R)
    flips = np.where(np.sum(quat[1:] * quat[:-1], axis=1) < 0.0, -1.0, 1.0)
    quat[1:] *= np.cumprod(flips)[:, None]
    low = butter(2, 2.0 * SMOOTH / RATE, output="sos")
    ends = min(len(grid) - 1, round(RATE))
    found = sosfiltfilt(low, np.hstack([even.p, quat, even.q]), axis=0, padlen=ends)
    unit = found[:, 3:7] / np.linalg.norm(found[:, 3:7], axis=1, keepdims=True)
    return Postures(p=found[:, :3], R=rotation_from_quat_wxyz(unit), q=found[:, 7:])


def _outside_at(corners: Array, near: NDArray[np.bool_], places: Array) -> Array:
    """Return how far places (t, 2) are outside the corners [m]; inf in the air."""
    out = np.full(len(places), np.inf)
    for k, place in enumerate(places):
        if near[k].any() and np.abs(place).max() < 1e6:
            out[k] = _outside(corners[k, near[k], :2], place)
    return out


def _outside(points: Array, place: Array) -> float:
    """Return the distance to the nearest mixture of points; 0 inside [m]."""
    heavy = 1e3
    local = points - place
    A = np.vstack([local.T, np.full((1, len(points)), heavy)])
    share, _ = nnls(A, np.array([0.0, 0.0, heavy]))
    return float(np.linalg.norm(local.T @ share))


def _still_on_one_leg(com: Array, near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    speed = np.linalg.norm(np.gradient(com, 1.0 / RATE, axis=0), axis=1)
    acc = np.gradient(np.gradient(com, 1.0 / RATE, axis=0), 1.0 / RATE, axis=0)
    feet = near.reshape(len(near), -1, 4).any(axis=2).sum(axis=1)
    calm = (speed < STILL[0]) & (np.linalg.norm(acc, axis=1) < STILL[1])
    found = calm & (feet == 1)
    for begin, end in runs(found):
        if end - begin < LASTS * RATE:
            found[begin:end] = False
    return found


def _loads(
    robot: tuple[Tree, RobotMasses, list[int]],
    placed: Placed,
    asked: AskedForces,
    corners: tuple[Array, NDArray[np.bool_]],
    q: Array,
) -> tuple[Array, Array]:
    """Return torques for their effort (s, n) and missing wrenches (s,)."""
    tree, masses, bodies = robot
    weight = masses.total * GRAVITY
    effort = np.where(masses.effort > 0.0, masses.effort, np.inf)
    ddq = np.diff(q, n=2, axis=0) * RATE**2
    free = joint_torques(tree, placed, masses, asked, ddq)
    places, near = corners
    columns = [
        point_columns(placed, on, places[:, c])[..., 6:] for c, on in enumerate(bodies)
    ]
    mu = FRICTION / np.sqrt(2.0)
    rays = np.array([[x * mu, y * mu, 1.0] for x in (1, -1) for y in (1, -1)])
    turns = 4.0  # [1/m] by which moments count beside forces: one over a leg's half
    shares, missing = [], []
    for k in range(0, len(free), EVERY):
        on = np.flatnonzero(near[k + 1])
        if not len(on):
            continue
        points = places[k + 1, on] - placed.p[0, k + 1]
        moment = asked.M[k] - np.cross(placed.p[0, k + 1], asked.F[k])
        wrench = np.concatenate([asked.F[k], turns * moment])
        forces = np.tile(rays, (len(on), 1))
        arms = np.repeat(points, 4, axis=0)
        G = np.vstack([forces.T, turns * np.cross(arms, forces).T])
        J = np.hstack([columns[c][k + 1].T @ rays.T for c in on])
        A = np.vstack([G, TORQUE * weight * J / effort[:, None]])
        b = np.concatenate([wrench / weight, TORQUE * free[k] / effort])
        f, _ = nnls(A, b, maxiter=100 * A.shape[1])
        missing.append(float(np.linalg.norm(wrench / weight - G @ f)))
        shares.append(np.abs(free[k] - weight * J @ f) / effort)
    return np.array(shares).reshape(-1, len(effort)), np.array(missing)
