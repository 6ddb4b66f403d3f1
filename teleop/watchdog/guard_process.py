"""The watchdog's process: it looks at heartbeats, and takes the robot if they end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from dataclasses import dataclass

import numpy as np
from telexist.retarget.errors import TelexistError
from telexist.robots.base import RobotState, SafetyLink, ignore_terminal
from telexist.robots.description import RobotFiles, load_again
from telexist.teleop import clock
from telexist.teleop.controllers.base import Controller, make_controller
from telexist.teleop.terms import ControllerEventKind, RobotReference, WalkCommand
from telexist.teleop.watchdog.heartbeats import Heartbeats

__all__ = ["GuardSettings", "guard_robot"]

LOOK = 0.01  # [s] between two looks at the heartbeats
PRIORITY = 30  # of SCHED_FIFO: before the loop and the simulated robot
AT_REST = 0.02  # [rad/s] of the fastest joint
LEAVING = 4.0  # [s] after which a robot whose session died is left, at rest or not


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """What the watchdog must know.

    Attributes:
        deadline: A loop that was silent for so long is dead [s].
        stands: Files of a robot that must be kept on its feet; None for one that its
            drives hold.
        real_time: Whether to ask for real-time scheduling.
    """

    deadline: float
    stands: RobotFiles | None
    real_time: bool


def guard_robot(settings: GuardSettings, beats: Heartbeats, link: SafetyLink) -> None:
    """Guard until the session has ended, or its robot is at rest without it."""
    ignore_terminal()
    stander = _make_stander(settings.stands)
    beats.standing = stander is not None
    if settings.real_time and hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    parent, died = multiprocessing.parent_process(), float("inf")
    stance: _Stance | None = None
    while not beats.ended:
        now = beats.watchdog = clock.now()
        if parent is not None and not parent.is_alive():
            died = min(died, now)
        dead = 0.0 < beats.loop < now - settings.deadline or died <= now
        if dead and not link.seized:
            link.seize()
            stance = _Stance(stander, link) if stander is not None else None
        if link.seized and stance is not None:
            stance.step(now)
        elif not link.seized:
            stance = None
        resting = _resting(link.read_state()) and stance is None
        if died < now and (now - died > LEAVING or (resting and now - died > LOOK)):
            link.let_go()
            return
        clock.sleep(LOOK if stance is None else stance.period)


class _Stance:
    """Keeps a robot on its feet where it is; once it falls, its drives damp."""

    def __init__(self, controller: Controller, link: SafetyLink) -> None:
        self._controller, self._link = controller, link
        self._reference: RobotReference | None = None
        self._over, self._last = False, 0.0
        self.period = 0.5 * controller.period

    def step(self, now: float) -> None:
        """Send the next torques, when it is time."""
        state = self._link.read_state()
        if self._over or state is None or now - self._last < self._controller.period:
            return
        if self._reference is None:
            self._controller.reset(state)
            still = np.zeros_like(state.q)
            self._reference = RobotReference(
                stamp=now,
                q=state.q,
                dq=still,
                ddq=still,
                planted=(True, True),
                walk=WalkCommand(),
            )
        try:
            dt = min(now - self._last, 2.0 * self._controller.period)
            command = self._controller.step(state, self._reference, dt)
        except TelexistError:
            self._over = True
            return
        self._last = now
        self._link.send(command)
        events = self._controller.report().events
        self._over = any(e.kind is ControllerEventKind.FALL for e in events)


def _make_stander(files: RobotFiles | None) -> Controller | None:
    if files is None:
        return None
    try:
        return make_controller("balance", load_again(files))
    except TelexistError:
        return None  # damping is left


def _resting(state: RobotState | None) -> bool:
    return state is not None and bool(np.abs(state.dq).max(initial=0.0) < AT_REST)
