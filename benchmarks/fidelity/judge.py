"""Figures on one motion of one robot, from the two files alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfiltfilt
from telexist.benchmarks.fidelity.judged_person import LEG, JudgedPerson
from telexist.benchmarks.fidelity.judged_robot import RobotPoints

__all__ = ["Verdict", "judge"]

Array = NDArray[np.float64]

SLOW = 0.15  # [m/s] of a planted ankle
LOW = 0.08  # [m] above the clip's lowest ankles
LOWEST = 0.02  # share of the frames whose ankles are the clip's lowest
LEFT_OUT = 0.5  # [s] before limbs are judged
HELD = (0.01, 0.05)  # [m] over the floor and [m/s] along it: a foot that is held
AIR = 0.01  # [m] of the lowest sole corner, in the air
BALLISTIC = 0.5  # share of g by which the centre of mass may fall otherwise
GRAVITY = 9.81  # [m/s^2]
SMOOTH = 8.0  # [Hz] of accelerations
JERK_RATE = 30.0  # [Hz]
STILL = 0.02  # [m/s] of all joints of a person who stands still
LIMBS = (("shoulder", "elbow"), ("elbow", "wrist"), ("hip", "knee"), ("knee", "ankle"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the judge found; NaN where a clip does not show it."""

    limb_mean_deg: float
    limb_p95_deg: float
    upper_arm_deg: float
    slide_p95_mm_s: float
    hover_p95_mm: float
    depth_max_mm: float
    jerk_rad_s3: float
    root_drift_mm: float
    root_z_rms_mm: float
    planted_share: float
    held_share: float
    flagged_share: float
    airborne_not_ballistic: float
    still_joint_speed: float

    def to_json(self) -> dict[str, float]:
        """Return a plain table."""
        return asdict(self)


def judge(
    person: JudgedPerson,
    robot: RobotPoints,
    time: Array,
    q: Array,
    flags: Array | None = None,
) -> Verdict:
    """Judge a motion.

    Args:
        person: The recording.
        robot: The robot, at the times of the result.
        time: Of the result from its first frame (t,) [s].
        q: Joints (t, n).
        flags: Which feet the result says stand (t, 2); None if it does not say.
    """
    points = {k: _at(person, p, time) for k, p in person.points.items()}
    planted = {
        side: _on(_planted(person, side), person, time) for side in robot.corners
    }
    angles = _limb_angles(points, robot.points)
    late = time >= LEFT_OUT
    every = np.concatenate([a[late] for a in angles.values()])
    upper = np.concatenate([a[late] for n, a in angles.items() if "shoulder" in n])
    slides, hovers, held, flagged = [], [], [], []
    for k, (side, corners) in enumerate(robot.corners.items()):
        middle = corners.mean(axis=1)
        speed = np.linalg.norm(np.gradient(middle[:, :2], time, axis=0), axis=-1)
        lowest = corners[..., 2].min(axis=1)
        rows = planted[side]
        slides.append(speed[rows])
        hovers.append(lowest[rows])
        held.append((speed < HELD[1])[rows] & (np.abs(lowest) < HELD[0])[rows])
        if flags is not None:
            flagged.append(flags[rows, k] > 0)
    deepest = min(c[..., 2].min() for c in robot.corners.values())
    return Verdict(
        limb_mean_deg=float(every.mean()),
        limb_p95_deg=float(np.quantile(every, 0.95)),
        upper_arm_deg=float(upper.mean()),
        slide_p95_mm_s=1e3 * _p95(np.concatenate(slides)),
        hover_p95_mm=1e3 * _p95(np.concatenate(hovers)),
        depth_max_mm=-1e3 * float(deepest),
        jerk_rad_s3=_jerk(time, q),
        **_root(person, robot, time),
        planted_share=float(np.mean([p.mean() for p in planted.values()])),
        held_share=_mean(held),
        flagged_share=_mean(flagged),
        airborne_not_ballistic=_floating(robot, time),
        still_joint_speed=_trembling(person, time, q),
    )


def _mean(parts: list[Array]) -> float:
    whole = np.concatenate(parts) if parts else np.empty(0)
    return float(whole.mean()) if whole.size else float("nan")


def _p95(values: Array) -> float:
    return float(np.quantile(values, 0.95)) if values.size else float("nan")


def _at(person: JudgedPerson, p: Array, time: Array) -> Array:
    own = person.dt * np.arange(len(p))
    return np.stack([np.interp(time, own, p[:, r]) for r in range(3)], axis=-1)


def _on(mask: NDArray[np.bool_], person: JudgedPerson, time: Array) -> Array:
    rows = np.rint(time / person.dt).astype(int)
    return np.asarray(mask[np.clip(rows, 0, len(mask) - 1)])


def _planted(person: JudgedPerson, side: str) -> NDArray[np.bool_]:
    ankles = [person.points[f"{s}_ankle"] for s in ("left", "right")]
    floor = np.quantile(np.min([a[:, 2] for a in ankles], axis=0), LOWEST)
    own = person.points[f"{side}_ankle"]
    speed = np.linalg.norm(np.gradient(own, person.dt, axis=0), axis=-1)
    now = (speed < SLOW) & (own[:, 2] < floor + LOW)
    out = now.copy()
    out[1:] &= now[:-1]
    out[:-1] &= now[1:]
    return out


def _limb_angles(human: dict[str, Array], robot: dict[str, Array]) -> dict[str, Array]:
    lines = {}
    for side in ("left", "right"):
        for a, b in LIMBS:
            first, second = f"{side}_{a}", f"{side}_{b}"
            if first in robot and second in robot:
                lines[first] = (
                    _unit(human[second] - human[first]),
                    _unit(robot[second] - robot[first]),
                )
    h = np.concatenate([pair[0] for pair in lines.values()])
    r = np.concatenate([pair[1] for pair in lines.values()])
    turn = np.arctan2(
        np.sum(h[:, 0] * r[:, 1] - h[:, 1] * r[:, 0]),
        np.sum(h[:, 0] * r[:, 0] + h[:, 1] * r[:, 1]),
    )
    R = _about_z(turn)
    return {
        name: np.rad2deg(np.arccos(np.clip(np.sum(u @ R.T * v, axis=-1), -1.0, 1.0)))
        for name, (u, v) in lines.items()
    }


def _unit(v: Array) -> Array:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9))


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _jerk(time: Array, q: Array) -> float:
    """Return the rms third difference of all joints, sampled at 30 Hz."""
    grid = np.arange(0.0, time[-1] + 1e-9, 1.0 / JERK_RATE)
    even = np.stack([np.interp(grid, time, column) for column in q.T], axis=-1)
    return float(np.sqrt(np.mean((np.diff(even, n=3, axis=0) * JERK_RATE**3) ** 2)))


def _root(person: JudgedPerson, robot: RobotPoints, time: Array) -> dict[str, float]:
    legs = [
        np.linalg.norm(robot.points[f"{s}_{a}"] - robot.points[f"{s}_{b}"], axis=-1)
        for s in ("left", "right")
        for a, b in (("hip", "knee"), ("knee", "ankle"))
    ]
    scale = float(np.sum([leg.mean() for leg in legs])) / 2.0 / LEG
    human = scale * _at(person, person.pelvis, time)
    own = robot.pelvis
    # the way starts at the same place; one unknown heading
    a, b = human[:, :2] - human[0, :2], own[:, :2] - own[0, :2]
    turn = np.arctan2(
        np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a[:, :2] * b[:, :2])
    )
    away = np.linalg.norm(a @ _about_z(turn)[:2, :2].T - b, axis=-1)
    z = human[:, 2] - own[:, 2]
    return {
        "root_drift_mm": 1e3 * float(away.max()),
        "root_z_rms_mm": 1e3 * float(np.std(z)),
    }


def _floating(robot: RobotPoints, time: Array) -> float:
    """Return the share of frames in the air in which nothing falls."""
    dt = float(np.median(np.diff(time)))
    if 2.0 * SMOOTH * dt >= 1.0 or len(time) < 30:
        return float("nan")
    sos = butter(2, 2.0 * SMOOTH * dt, output="sos")
    z = sosfiltfilt(sos, robot.com[:, 2])
    falls = np.gradient(np.gradient(z, dt), dt)
    lowest = np.min([c[..., 2].min(axis=1) for c in robot.corners.values()], axis=0)
    air = lowest > AIR
    return float(np.mean(air & (np.abs(falls + GRAVITY) > BALLISTIC * GRAVITY)))


def _trembling(person: JudgedPerson, time: Array, q: Array) -> float:
    """Return the rms speed of the robot's joints while the person stands still."""
    speeds = np.max(
        [
            np.linalg.norm(np.gradient(p, person.dt, axis=0), axis=-1)
            for p in person.points.values()
        ],
        axis=0,
    )
    still = _on(speeds < STILL, person, time)
    if np.count_nonzero(still) < 10:
        return float("nan")
    return float(np.sqrt(np.mean(np.gradient(q, time, axis=0)[still] ** 2)))
