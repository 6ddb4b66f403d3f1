"""What a motion asks of the floor and of the drives, by pinocchio's inverse dynamics.

Motions are sampled at 50 Hz and low-passed at 8 Hz; of the contact forces that give the
base what it needs (least squares, friction pyramids at the corners that are near the
floor) those with the least torque for their effort are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.optimize import nnls
from scipy.signal import butter, sosfiltfilt
from telexist.benchmarks.fidelity.judged_robot import JudgedRobot

__all__ = ["JudgedForces", "judge_forces"]

Array = NDArray[np.float64]

FEWEST = 30  # samples of a motion that is judged
INSIDE = 1e-3  # [m] outside that counts as inside
RATE = 50.0  # [Hz]
SMOOTH = 8.0  # [Hz]
TOUCHES = 0.01  # [m] of a corner that may bear load
FRICTION = 0.8
GRAVITY = 9.81  # [m/s^2]
STILL = 0.06  # [m/s] of a centre of mass that hardly moves, and
STILL_ACC = 0.3  # [m/s^2] how it is accelerated then
SHORTEST = 0.3  # [s] of a still stance
EXCEEDED = 1.01  # share of an effort that is beyond it
LEAST_TORQUE = 1e-4  # weight of torques beside the base's wrench


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedForces:
    """Balance and torques of one motion; NaN where it does not show them.

    Attributes:
        supported_share: Share of frames in which a sole is near the floor.
        zmp_inside_share: Of those, share with the ZMP inside the corners' hull.
        com_inside_share: The same of the centre of mass.
        one_leg_still_share: Share of frames in still one-leg stances.
        one_leg_com_beside_mm: The farthest it is outside the sole then.
        beyond_effort_share: Share of frames with a joint beyond its effort.
        base_missing_share: Mean wrench the contacts cannot give, supported frames,
            force in body weights.
    """

    supported_share: float
    zmp_inside_share: float
    com_inside_share: float
    one_leg_still_share: float
    one_leg_com_beside_mm: float
    beyond_effort_share: float
    base_missing_share: float


_NOTHING = JudgedForces(
    **{name: float("nan") for name in JudgedForces.__dataclass_fields__}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """What one time asks of the floor and the drives."""

    soles: int
    points: Array
    zmp: Array
    com: Array
    com_vel: Array
    com_acc: Array
    share: float
    missing: float


def judge_forces(
    robot: JudgedRobot,
    names: list[str],
    time: Array,
    q: Array,
    base: tuple[Array, Array],
) -> JudgedForces:
    """Judge what a motion asks.

    Args:
        robot: The robot.
        names: Of the joints.
        time: Of the frames (t,) [s].
        q: Joints (t, n).
        base: Of the base position (t, 3) and quaternion w, x, y, z (t, 4).
    """
    grid = np.arange(time[0], time[-1], 1.0 / RATE)
    if len(grid) < FEWEST or not robot.soles:
        return _NOTHING
    model, dt = robot.model, 1.0 / RATE
    full = _smooth_states(robot, names, time, np.hstack([q, *base]), grid)
    v = [
        pin.difference(model, full[k - 1], full[k + 1]) / (2 * dt)
        for k in range(1, len(grid) - 1)
    ]
    moments = [
        _moment(robot, full[k + 1], v[k], (v[k + 1] - v[k - 1]) / (2 * dt))
        for k in range(1, len(v) - 1)
    ]
    return _summary(moments)


def _moment(robot: JudgedRobot, x: Array, nu: Array, acc: Array) -> _Moment:
    """Judge one time."""
    model, data = robot.model, robot.model.createData()
    tau = pin.rnea(model, data, x, nu, acc)
    pin.computeJointJacobians(model, data, x)
    pin.updateFramePlacements(model, data)
    base = data.oMi[1].act(pin.Force(tau[:6])).vector
    pin.centerOfMass(model, data, x, nu, acc)
    points, jacobians, soles = [], [], 0
    for sole in robot.soles.values():
        frame = model.getFrameId(sole["link"])
        M = data.oMf[frame]
        J = pin.getFrameJacobian(
            model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        )
        arms = sole["corners"] @ M.rotation.T
        low = (arms + M.translation)[:, 2] < TOUCHES
        soles += bool(low.any())
        points += list((arms + M.translation)[low])
        jacobians += [J[:3] - pin.skew(arm) @ J[3:] for arm in arms[low]]
    weight = GRAVITY * sum(inertia.mass for inertia in model.inertias)
    zmp = np.full(2, np.inf)
    if base[2] > 0.1 * weight:
        zmp = np.array([-base[4], base[3]]) / base[2]
    effort = np.array(model.upperEffortLimit[6:])
    effort = np.where(effort > 0.0, effort, np.inf)
    share, missing = np.nan, np.nan
    if points:
        share, missing = _loads(tau, jacobians, effort, weight)
    return _Moment(
        soles=soles,
        points=np.array(points).reshape(-1, 3),
        zmp=zmp,
        com=np.array(data.com[0]),
        com_vel=np.array(data.vcom[0]),
        com_acc=np.array(data.acom[0]),
        share=share,
        missing=missing,
    )


def _loads(
    tau: Array, jacobians: list[Array], effort: Array, weight: float
) -> tuple[float, float]:
    """Return the greatest share of an effort, and the wrench the base lacks."""
    mu = FRICTION / np.sqrt(2.0)
    rays = np.array([[x * mu, y * mu, 1.0] for x in (1, -1) for y in (1, -1)]).T
    G = np.hstack([J.T @ rays for J in jacobians])  # generalised forces
    scale = np.repeat([1.0 / weight, 4.0 / weight], 3)
    A = np.vstack([scale[:, None] * G[:6], LEAST_TORQUE * G[6:] / effort[:, None]])
    b = np.concatenate([scale * tau[:6], LEAST_TORQUE * tau[6:] / effort])
    f, _ = nnls(A * weight, b, maxiter=3000)
    left = tau - G @ (f * weight)
    share = float((np.abs(left[6:]) / effort).max())
    return share, float(np.linalg.norm(scale * left[:6]))


def _summary(moments: list[_Moment]) -> JudgedForces:
    supported = np.array([m.soles > 0 for m in moments])
    still = np.array(
        [
            m.soles == 1
            and np.linalg.norm(m.com_vel) < STILL
            and np.linalg.norm(m.com_acc) < STILL_ACC
            for m in moments
        ]
    )
    still = _long(still, round(SHORTEST * RATE))
    on = [m for m in moments if m.soles]
    beside = [_out(m, m.com[:2]) for m, s in zip(moments, still, strict=True) if s]
    return JudgedForces(
        supported_share=float(supported.mean()),
        zmp_inside_share=_mean([_out(m, m.zmp) < INSIDE for m in on]),
        com_inside_share=_mean([_out(m, m.com[:2]) < INSIDE for m in on]),
        one_leg_still_share=float(still.mean()),
        one_leg_com_beside_mm=1e3 * max(beside, default=float("nan")),
        beyond_effort_share=_mean([m.share > EXCEEDED for m in on]),
        base_missing_share=_mean([m.missing for m in on]),
    )


def _out(moment: _Moment, place: Array) -> float:
    if not np.isfinite(place).all() or np.abs(place).max() > 1e6:
        return float("inf")
    return outside(moment.points[:, :2], place)


def outside(points: Array, place: Array) -> float:
    """Return how far a place is outside the hull of points (k, 2); 0 inside [m]."""
    # the nearest convex combination: least squares with the sum of weights held at 1
    heavy = 1e3
    A = np.vstack([points.T, np.full((1, len(points)), heavy)])
    w, _ = nnls(A, np.append(place, heavy), maxiter=1000)
    return float(np.linalg.norm(points.T @ w - place))


def _smooth_states(
    robot: JudgedRobot,
    names: list[str],
    time: Array,
    whole: Array,
    grid: Array,
) -> Array:
    """Return full configurations at even times from joints, place and quaternion."""
    model, n = robot.model, len(names)
    whole = whole.copy()
    for k in range(1, len(whole)):
        if whole[k, n + 3 :] @ whole[k - 1, n + 3 :] < 0.0:
            whole[k, n + 3 :] *= -1.0
    even = CubicSpline(time, whole)(grid)
    sos = butter(2, 2.0 * SMOOTH / RATE, output="sos")
    even = sosfiltfilt(sos, even, axis=0, padlen=min(len(grid) - 1, 50))
    full = np.tile(pin.neutral(model), (len(grid), 1))
    base_M = model.frames[model.getFrameId(robot.base)].placement.inverse()
    for column, name in enumerate(names):
        if model.existJointName(name):
            full[:, model.joints[model.getJointId(name)].idx_q] = even[:, column]
    for k, row in enumerate(full):
        w, x, y, z = even[k, n + 3 :] / np.linalg.norm(even[k, n + 3 :])
        M = pin.SE3(pin.Quaternion(w, x, y, z).matrix(), even[k, n : n + 3]) * base_M
        row[:7] = pin.SE3ToXYZQUAT(M)
    return full


def _long(flags: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    out, begin = flags.copy(), None
    for k, flag in enumerate([*flags, False]):
        if flag and begin is None:
            begin = k
        if not flag and begin is not None:
            if k - begin < least:
                out[begin:k] = False
            begin = None
    return out


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
