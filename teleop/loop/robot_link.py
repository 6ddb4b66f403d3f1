"""The robot's side of the loop: its state in, its controller, its commands out.

    robot.read_state ... controller.step -> robot.send ... robot.read_feedback

Whatever the robot or the controller does wrong becomes a fault of the session.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from telexist.retarget.errors import RobotLost, RobotStalled, TelexistError
from telexist.robots.base import (
    HandCommand,
    JointCommand,
    NeedsArming,
    Robot,
    RobotState,
    StandsUp,
)
from telexist.robots.touch import HandEstimate
from telexist.teleop.controllers.base import Controller, Several
from telexist.teleop.safety import RobotWatch, Supervisor
from telexist.teleop.settings import SafetySettings
from telexist.teleop.terms import ControllerEventKind, Fault, RobotReference
from telexist.teleop.watchdog import Watchdog

__all__ = ["LONGEST_STEP", "SHORTEST_STEP", "RobotLink"]

LONGEST_STEP = 0.05  # [s] in a turn that came later than this the robot only brakes
SHORTEST_STEP = 1e-4  # [s]
STANDING_UP = 0.05  # [s] until a robot that was put on its feet shows it
EARLY = 0.9  # of a controller's period: a turn this soon is its next step


class RobotLink:
    """Reads, controls and commands one robot.

    Attributes:
        robot: The robot.
        controller: What turns references into commands.
        state: The newest state, or None before there is one.
        sent: What went out last, or None.
        watchdog: Hears in every turn that the loop lives; None without one.
    """

    def __init__(
        self,
        robot: Robot,
        controller: Controller,
        supervisor: Supervisor,
        safety: SafetySettings,
        touch: HandEstimate | None = None,
    ) -> None:
        """Wire the parts; faults go to the supervisor.

        Args:
            robot: The robot.
            controller: What turns references into commands.
            supervisor: Hears of faults.
            safety: What is watched.
            touch: Tells what hands feel that have no sensors; None for nobody.
        """
        self._touch = touch
        self.robot, self.controller = robot, controller
        self.state: RobotState | None = None
        self.sent: JointCommand | None = None
        self.watchdog: Watchdog | None = None
        self._said = ("", "")  # of what the watchdog did, and of what became of it
        self._supervisor = supervisor
        self._watch = RobotWatch(robot.body, safety)
        self._controlled = float("-inf")
        self._restart, self._gone = float("inf"), False

    @property
    def notice(self) -> str:
        """Which of several controllers leads; "" where there is one."""
        controller = self.controller
        return controller.notice if isinstance(controller, Several) else ""

    def beat(self, now: float) -> None:
        """Tell the watchdog that the loop lives, and hear what it did."""
        if self.watchdog is None:
            return
        self.watchdog.beat(now)
        said, self._said = self._said, (self.watchdog.took, self.watchdog.problem)
        if self.watchdog.took and self.watchdog.took != said[0]:
            self._supervisor.fault(Fault.WATCHDOG, self.watchdog.took, now)
        if self.watchdog.problem and self.watchdog.problem != said[1]:
            self._supervisor.fault(Fault.WATCHDOG_LOST, self.watchdog.problem, now)

    def take_back(self, now: float) -> bool:
        """Take the robot back from the watchdog; return whether it had it."""
        had = self.watchdog is not None and bool(self.watchdog.took)
        if had and self.watchdog is not None:
            self.watchdog.release(now)
            self._restart = now
        return had

    def read(self, now: float) -> bool:
        """Take the newest state; return whether the controller starts from it."""
        try:
            state = self.robot.read_state()
        except RobotLost as error:
            self._lose(error, now)
            return False
        starts = False
        if state is not None:
            due = self.state is None or self._gone or now >= self._restart
            starts = due and bool(np.isfinite(state.q).all())
            self.state = state
        if state is not None and self._touch is not None:
            if starts:
                self._touch.reset()
            state = self.state = self._touch.step(state)
        if state is not None and starts:
            self._restart, self._gone = float("inf"), False
            self.controller.reset(state)
        wrong = self._watch.check(self.state, self.sent, now)
        if wrong is not None:
            self._supervisor.fault(*wrong, now)
        return starts

    def recover(self, now: float) -> None:
        """After a reset: arm a robot that waits for it, let one that fell stand up.

        A robot that cannot be put on its feet by a word must stand there already.
        """
        if isinstance(self.robot, NeedsArming):
            self.robot.recover()
        posture = self.controller.fallen
        if posture is None:
            return
        if isinstance(self.robot, StandsUp):
            self.robot.stand_up(posture)
        self._restart = now + STANDING_UP

    def due(self, now: float) -> float:
        """Return when a controller with a rate of its own steps next [s], or inf.

        A turn for a sample that came in between must not put its step off.
        """
        due = self._controlled + self.controller.period
        return due if due > now else float("inf")

    def control(self, reference: RobotReference, now: float) -> JointCommand | None:
        """Return the controller's command, or None if it has none in this turn."""
        since = now - self._controlled
        if self.state is None or self._gone or since < EARLY * self.controller.period:
            return None
        self._controlled = now
        dt = min(max(since, SHORTEST_STEP), LONGEST_STEP)
        try:
            command = self.controller.step(self.state, reference, dt)
        except TelexistError as error:
            self._supervisor.fault(Fault.CONTROLLER, str(error), now)
            return None
        for event in self.controller.report().events:
            if event.kind is ControllerEventKind.FALL:
                self._supervisor.fault(Fault.FALL, event.text, now)
            elif event.kind is ControllerEventKind.HANDED_BACK:
                self._supervisor.fault(Fault.HANDED_BACK, event.text, now)
            elif event.kind is ControllerEventKind.HAND_OVER:
                self._supervisor.log(event.kind, event.text, now)
            elif event.kind is ControllerEventKind.POLICY:
                self._supervisor.fault(Fault.CONTROLLER, event.text, now)
            else:
                self._supervisor.note(event.kind, event.text, now)
        return command

    def send(
        self, command: JointCommand | None, hands: HandCommand | None, now: float
    ) -> None:
        """Send a command, with the hands if they are to move."""
        if command is None:
            return
        if hands is not None:
            command = dataclasses.replace(command, hands=hands)
        try:
            self.sent = self.robot.send(command)
        except RobotLost as error:
            self._lose(error, now)

    def _lose(self, error: RobotLost, now: float) -> None:
        """Say that the robot is gone; when it is back, all begins where it is then."""
        self._gone = True
        stalled = isinstance(error, RobotStalled)
        kind = Fault.ROBOT_STALE if stalled else Fault.ROBOT_LOST
        self._supervisor.fault(kind, str(error), now)
