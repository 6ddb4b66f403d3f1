"""Tells when the feet feel what cannot be: no floor, a floor in the air, or a slip."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.base import RobotState
from telexist.teleop.controllers.parameters import ContactParameters
from telexist.teleop.controllers.stepping import LEFT, RIGHT
from telexist.teleop.controllers.terms import FootTask, Measured
from telexist.teleop.terms import ControllerEvent, ControllerEventKind

__all__ = [
    "SIDES",
    "ContactWatch",
    "FrozenSensors",
    "readings_are_finite",
    "without_load",
]

SIDES = ("left", "right")


class _Trouble(NamedTuple):
    text: str
    patience: float  # [s] before it is told


class ContactWatch:
    """Looks at loads and motions of the soles; each trouble is told once."""

    def __init__(self, parameters: ContactParameters | None = None) -> None:
        """Start without trouble."""
        self._p = parameters or ContactParameters()
        self.reset()

    def reset(self) -> None:
        """Forget."""
        self._since: dict[_Trouble, float] = {}

    def step(
        self,
        measured: Measured,
        load: Array,
        feet: tuple[FootTask, FootTask],
        dt: float,
    ) -> list[ControllerEvent]:
        """Return what is to be told after another dt [s].

        Args:
            measured: The robot.
            load: What the soles feel, in body weights (2,).
            feet: What the feet are asked to do.
            dt: Step [s].
        """
        found: list[_Trouble] = []
        felt, p = load.tolist(), self._p
        if felt[LEFT] + felt[RIGHT] < p.carried:
            found.append(_Trouble("no load is felt under the soles", p.patience))
        height = [place[2] for place in measured.sole_p.tolist()]
        for i, v in enumerate(measured.sole_v.tolist()):
            free = feet[i].load == 0.0
            if free and felt[i] > p.felt and height[i] > height[1 - i] + p.in_air:
                text = f"the {SIDES[i]} sole feels load in the air"
                found.append(_Trouble(text, p.patience))
            moves = math.hypot(v[0], v[1]) > p.slip or abs(v[5]) > p.twist
            if not free and felt[i] > p.loaded and moves:
                found.append(_Trouble(f"the {SIDES[i]} foot slips", p.slip_patience))
        return self._patiently(found, dt)

    def _patiently(self, found: list[_Trouble], dt: float) -> list[ControllerEvent]:
        before, self._since = self._since, {}
        told = []
        for trouble in found:
            since = before.get(trouble, 0.0)
            self._since[trouble] = since + dt
            if since < trouble.patience <= since + dt:
                told.append(ControllerEvent(ControllerEventKind.CONTACT, trouble.text))
        return told


def without_load(state: RobotState, foot: int | None) -> RobotState:
    """Return a reading in which a foot that is up in the air feels nothing."""
    if foot is None:
        return state
    wrenches = np.array(state.foot_wrenches)
    wrenches[foot] = 0.0
    return replace(state, foot_wrenches=wrenches)


def readings_are_finite(state: RobotState) -> bool:
    """Whether a reading has a value for everything."""
    total = float(
        state.q.sum()
        + state.dq.sum()
        + state.foot_wrenches.sum()
        + state.imu_world_R_base.sum()
        + state.imu_acceleration.sum()
        + state.imu_angular_velocity.sum()
    )
    return bool(np.isfinite(total))


class FrozenSensors:
    """Tells when new readings say the very same again and again."""

    def __init__(self, parameters: ContactParameters | None = None) -> None:
        """Start with nothing seen."""
        self._p = parameters or ContactParameters()
        self._last: RobotState | None = None
        self._since = 0.0

    def frozen(self, state: RobotState) -> bool:
        """Take a reading and return whether it has not changed for too long.

        The same reading again is none: the robot's clock tells old from new.
        """
        last, self._last = self._last, state
        if last is None or not self._same(last, state):
            self._since = state.stamp
            return False
        return state.stamp - self._since > self._p.frozen_after

    def _same(self, a: RobotState, b: RobotState) -> bool:
        return (
            a.imu_acceleration[0] == b.imu_acceleration[0]
            and np.array_equal(a.imu_angular_velocity, b.imu_angular_velocity)
            and np.array_equal(a.dq, b.dq)
            and np.array_equal(a.q, b.q)
        )
