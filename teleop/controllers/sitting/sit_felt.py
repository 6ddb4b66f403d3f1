"""What a robot near a seat feels: how much its feet carry, and its thighs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.robots.drives import GRAVITY
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.terms import AppliedForces, Measured

__all__ = ["SitFelt", "feel_seat"]

LEAST = 0.2  # of body weight that the hands leave to feet and seat, at least
SURE = 0.95  # of the soles' length on which a robot can stand
MOST = 3.0  # of body weight that a sensor is believed


@dataclass(frozen=True, slots=True, kw_only=True)
class SitFelt:
    """Loads are shares of the weight that the hands do not lift.

    Attributes:
        feet: What the feet carry.
        seat: What the thighs carry: felt, or what feet and hands leave.
        hands: Force at the hands (3,) [N], world axes.
        up: Height of the thighs over the seat [m].
        over: How far within heels and toes the feet would carry all of the weight, and
            what the hands do; below 0: beyond them [m].
    """

    feet: float
    seat: float
    hands: Array
    up: float
    over: float


def feel_seat(
    state: RobotState,
    measured: Measured,
    model: DynamicsModel,
    known: AppliedForces | None,
    seat_height: float,
) -> SitFelt:
    """Read forces, at the model's last update.

    Args:
        state: What the sensors say.
        measured: The robot; its centre of mass is off by what the hands do.
        model: The same, with thighs.
        known: What the hands feel; None for nothing.
        seat_height: Over the soles [m].
    """
    weight = model.mass * GRAVITY
    hands = np.zeros(3) if known is None else known.force
    left = max(weight - float(hands[2]), LEAST * weight)
    feet = float(np.clip(state.foot_wrenches[:, 2].sum(), 0.0, MOST * weight))
    seat = max(left - feet, 0.0)
    felt = state.thigh_wrenches
    if felt is not None and bool(np.isfinite(felt).all()):
        told = float(felt[:, 2].sum())
        if abs(told) < MOST * weight:
            seat = max(told, 0.0)
    up = model.contact_p[2:, 2].mean() - model.sole_p[:, 2].mean() - seat_height
    return SitFelt(
        over=_within(measured, model),
        feet=feet / left,
        seat=seat / left,
        hands=hands,
        up=float(up),
    )


def _within(measured: Measured, model: DynamicsModel) -> float:
    """Return how far the balanced pressure is within the soles' ends [m]."""
    room = np.inf
    for i in range(2):
        half = 0.5 * SURE * model.patches[i].length
        ahead = measured.sole_R[i, :2, 0]
        off = float((measured.com[:2] - measured.sole_p[i, :2]) @ ahead)
        room = min(room, half - abs(off))
    return float(room)
