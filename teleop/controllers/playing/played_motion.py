"""What a motion asks of balance and feet, computed once before it is played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.robot_body import Sole
from telexist.retarget.signals import RobotMotion
from telexist.retarget.so3 import Array
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import BodyState, DynamicsModel
from telexist.teleop.controllers.geometry import (
    SupportPolygon,
    about_z,
    sole_corners_on_floor,
)
from telexist.teleop.controllers.playing.sampled_motion import (
    SampledMotion,
    sample_motion,
)

__all__ = ["PlayedFrame", "PlayedMotion", "play_motion"]

TOUCHES = 0.01  # [m] of a sole's lowest corner that is on the floor,
SLOW = 0.2  # [m/s] if it is not faster
SHORT = 0.04  # [s] of a contact, or of a gap between two, that is noise


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFrame:
    """What is asked at one time; world axes.

    Attributes:
        state: Joints and base.
        ddq: Accelerations of the joints (n,).
        base_acc: Angular acceleration of the base (3,) [rad/s^2].
        com: Centre of mass (3,) [m].
        com_vel: Its velocity (3,) [m/s].
        com_acc: Its acceleration (3,) [m/s^2].
        momentum: Angular, about it (3,) [kg m^2/s].
        momentum_rate: Its rate (3,) [N m].
        sole_p: Middles of the soles (2, 3) [m]; those that stand are on the floor.
        sole_R: Their axes (2, 3, 3); those that stand are flat.
        sole_v: Their velocities, linear first (2, 6).
        sole_acc: Their accelerations (2, 6).
        carries: Whether left and right sole bear load.
        unbalance: How far the ZMP is outside the soles that stand [m]; negative inside,
            NaN where none stands.
    """

    state: BodyState
    ddq: Array
    base_acc: Array
    com: Array
    com_vel: Array
    com_acc: Array
    momentum: Array
    momentum_rate: Array
    sole_p: Array
    sole_R: Array
    sole_v: Array
    sole_acc: Array
    carries: tuple[bool, bool]
    unbalance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMotion:
    """A motion ready to be played: frames at the controller's rate."""

    sampled: SampledMotion
    frames: tuple[PlayedFrame, ...]

    @property
    def unbalance(self) -> Array:
        """How far the ZMP is outside the soles at every time (t,) [m]."""
        return np.array([frame.unbalance for frame in self.frames])


def play_motion(
    model: DynamicsModel, motion: RobotMotion, period: float
) -> PlayedMotion:
    """Compute all that a motion asks.

    Args:
        model: The robot, with two soles; it is left in the last posture.
        motion: Of that robot.
        period: Of the controller [s].

    Raises:
        UnknownName: If the motion lacks a joint.
        BadInput: If it is too short.
    """
    s = sample_motion(motion, model.joints, period)
    states = [s.state(k) for k in range(len(s.time))]
    seen = [_look(model, state) for state in states]
    com, com_vel, momentum, sole_p, sole_R, sole_v = (
        np.array(column) for column in zip(*seen, strict=True)
    )
    com_acc = np.gradient(com_vel, period, axis=0)
    rate = np.gradient(momentum, period, axis=0)
    soles = [model.robot.body.soles[side] for side in model.sides]
    carries = _carrying(s, soles, sole_p, sole_R, sole_v, period)
    sole_acc = np.gradient(sole_v, period, axis=0)
    base_acc = np.gradient(s.w, period, axis=0)
    frames = []
    for k, state in enumerate(states):
        flat_p, flat_R = sole_p[k].copy(), sole_R[k].copy()
        for i in np.flatnonzero(carries[k]):
            flat_p[i, 2] = 0.0
            flat_R[i] = about_z(float(np.arctan2(flat_R[i, 1, 0], flat_R[i, 0, 0])))
        zmp = _zmp(com[k], com_acc[k], rate[k], model.mass)
        frames.append(
            PlayedFrame(
                state=state,
                ddq=s.ddq[k],
                base_acc=base_acc[k],
                com=com[k],
                com_vel=com_vel[k],
                com_acc=com_acc[k],
                momentum=momentum[k],
                momentum_rate=rate[k],
                sole_p=flat_p,
                sole_R=flat_R,
                sole_v=sole_v[k],
                sole_acc=sole_acc[k],
                carries=(bool(carries[k, 0]), bool(carries[k, 1])),
                unbalance=_outside(zmp, soles, flat_p, flat_R, carries[k]),
            )
        )
    return PlayedMotion(sampled=s, frames=tuple(frames))


def _look(model: DynamicsModel, state: BodyState) -> tuple[Array, ...]:
    model.update(state)
    return (
        model.com.copy(),
        model.com_vel.copy(),
        model.angular_momentum.copy(),
        model.sole_p.copy(),
        model.sole_R.copy(),
        model.sole_v.copy(),
    )


def _zmp(com: Array, acc: Array, rate: Array, mass: float) -> Array:
    """Return where the floor's force acts on z = 0 (2,) [m]; NaN without weight."""
    lift = acc[2] + GRAVITY
    if lift < 0.1 * GRAVITY:
        return np.full(2, np.nan)
    moment = np.array([-rate[1], rate[0]]) / (mass * lift)
    return np.asarray(com[:2] - com[2] * acc[:2] / lift + moment)


def _outside(zmp: Array, soles: list[Sole], p: Array, R: Array, on: Array) -> float:
    if not on.any() or not np.isfinite(zmp).all():
        return float("nan")
    corners = [sole_corners_on_floor(soles[i], p[i], R[i]) for i in np.flatnonzero(on)]
    return SupportPolygon(np.vstack(corners)).outside(zmp)


def _carrying(
    sampled: SampledMotion,
    soles: list[Sole],
    p: Array,
    R: Array,
    v: Array,
    period: float,
) -> Array:
    """Return which soles bear load (t, 2): those planted, and those on the floor."""
    out = sampled.planted.copy()
    for i, sole in enumerate(soles):
        corners = sole.corners() @ R[:, i].transpose(0, 2, 1) + p[:, i, None]
        lowest = corners[..., 2].min(axis=1)
        slow = np.linalg.norm(v[:, i, :3], axis=1) < SLOW
        out[:, i] |= (lowest < TOUCHES) & slow
        _drop_short(out[:, i], False, round(SHORT / period))
        _drop_short(out[:, i], True, round(SHORT / period))
    return out


def _drop_short(flags: Array, kind: bool, most: int) -> None:
    """Turn runs of a kind that are not longer than `most`, but at the ends."""
    edges = np.flatnonzero(np.diff(flags.astype(int))) + 1
    for a, b in zip(edges[:-1], edges[1:], strict=True):
        if flags[a] == kind and b - a <= most:
            flags[a:b] = not kind
