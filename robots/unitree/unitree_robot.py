"""A Unitree G1, over the ZMQ bridge that runs on it or over DDS.

Neither has a watchdog, both take whatever comes, so the watch is here: a hot motor, a
motor's fault, silence, or a robot that changed its mode make it damp at once, again and
again, until a person arms it anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array, rotation_from_quat_wxyz
from telexist.robots.base import (
    Check,
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel
from telexist.robots.drives import ReferenceGate
from telexist.robots.unitree.g1_settings import G1Settings
from telexist.robots.unitree.low_command import MOTORS, LowCommand, motor_gains
from telexist.robots.unitree.low_state import LowState

__all__ = ["UnitreeRobot"]

STALE = 0.1  # [s] a state older than this is none
LATE = 0.2  # [s] an older command is not followed any more; the robot is held
HOT = 85.0  # [deg C] of a motor
FIRST_STATE = 3.0  # [s]
GAIN_TIME = 1.0  # [s] in which stiffness, or the arms' weight, grows from nothing
LET_GO = 0.5  # [s] of damping, or of giving the arms back, when it is let go
FIRST_ARM = MOTORS.index("left_shoulder_pitch_joint")


class UnitreeRobot:
    """Drives the motors of a G1 with gains of ours."""

    def __init__(
        self, robot: RobotModel, *, now: Callable[[], float], place: str = ""
    ) -> None:
        """Describe the robot; nothing is reached before `connect`.

        Args:
            robot: Its model.
            now: The host's clock [s].
            place: "HOST:PORT?speed=100&first=0.1&arms=yes", or "dds?interface=eth0";
                see `G1Settings`.

        Raises:
            BadInput: If the place cannot be understood.
        """
        self._body, self._now = robot.body, now
        self.settings = settings = G1Settings.read(place)
        self._link = settings.link()
        self._arms_only = settings.arms == "yes"
        joints = self._body.kinematics.joints
        self._rows = np.array([joints.index(name) for name in MOTORS], dtype=np.intp)
        body = self._body
        self._gate = ReferenceGate(
            MOTORS,
            np.degrees(body.lower[self._rows]),
            np.degrees(body.upper[self._rows]),
            np.minimum(np.degrees(body.velocity[self._rows]), settings.speed),
        )
        self._lock = threading.Lock()
        self._state: tuple[LowState, float] | None = None
        self._goal: tuple[Array, float] | None = None
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._armed_at: float | None = None
        self._fault, self._mode = "", 0
        self._moved_before = self._begun = False
        self._weight = self._taken_at = 0.0
        self.sent = 0

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._body

    @property
    def top_speed(self) -> float:
        """Greatest speed of any joint [rad/s]."""
        return float(np.radians(self.settings.speed))

    @property
    def first_speed(self) -> float:
        """Share of the usual speed that the first motion takes."""
        return self.settings.first

    # ---- coming and going -----------------------------------

    def connect(self) -> None:
        """Listen to the robot; commands nothing. May be called twice.

        Raises:
            MissingDependency: If a library is not installed.
            RobotLost: If no state comes.
        """
        if self._thread is not None:
            return
        self._link.open(self._hear)
        self._ending.clear()
        self._thread = threading.Thread(target=self._command, daemon=True)
        self._thread.start()
        end = self._now() + FIRST_STATE
        while self._state is None:
            if self._now() > end:
                self.disconnect()
                raise RobotLost(
                    f"no state of a G1 from {self._link.where}: does the robot speak "
                    "there, and is the cable's address or interface right?"
                )
            threading.Event().wait(0.01)

    def preflight(self) -> list[Check]:
        """Return what to look at before it moves."""
        state, age = self._newest()
        hot = [
            f"{name} {t:.0f} deg C"
            for name, t in zip(MOTORS, state.temperature, strict=True)
            if t > HOT
        ]
        broken = [n for n, f in zip(MOTORS, state.fault, strict=True) if f]
        what = "arms beside the robot's own controller" if self._arms_only else "29"
        return [
            Check(what="motors", well=True, detail=f"{what}; gains are ours"),
            Check(
                what="limits",
                well=True,
                detail=f"at most {self.settings.speed:.0f} deg/s, first motion at "
                f"{self.settings.first:.0%} of it",
            ),
            Check(
                what="faults",
                well=not broken,
                detail=", ".join(broken) or "no motor is in fault",
            ),
            Check(
                what="heat",
                well=not hot,
                detail=", ".join(hot) or f"at most {state.temperature.max():.0f} deg C",
            ),
            Check(what="state", well=age < STALE, detail=f"{age * 1e3:.0f} ms old"),
            Check(
                what="when this program dies",
                well=True,
                detail=self._link.when_we_die,
            ),
        ]

    def arm(self) -> None:
        """Take the motors over where they are; stiffness grows within a second.

        Raises:
            RobotLost: If a motor is in fault or hot, or the robot is silent.
        """
        state, age = self._newest()
        wrong = self._wrong(state, age)
        if wrong:  # it goes on damping
            raise RobotLost(wrong)
        share = 1.0 if self._moved_before else self.settings.first
        with self._lock:
            ramp = np.minimum(self._gate.speed * share, self.settings.ramp)
            self._gate.start(np.degrees(state.q), self._now(), ramp)
            self._goal, self._mode = None, state.mode_machine
            self._armed_at, self._moved_before = self._now(), True
            self._fault, self._begun, self._weight = "", False, 0.0
            self._taken_at = self._now()

    def recover(self) -> None:
        """Arm again, after a person saw to a fault."""
        if self._fault:
            try:
                self.arm()
            except RobotLost as error:
                self._fault = str(error)

    def disconnect(self) -> None:
        """Damp, or give the arms back, and leave; may be called twice."""
        self._ending.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        self._link.close()
        self._state, self._armed_at, self._fault = None, None, ""

    # ---- the loop ---------------------------------------------

    def read_state(self) -> RobotState | None:
        """Return the newest state, or None before `connect`.

        Raises:
            RobotLost: While it waits for a person.
        """
        newest = self._state
        if newest is None:
            return None
        if self._fault:
            raise RobotLost(self._fault)
        state, stamp = newest
        n, neutral = self._body.kinematics.n, self._body.neutral
        q, dq, tau = np.array(neutral.q), np.zeros(n), np.zeros(n)
        q[self._rows], dq[self._rows], tau[self._rows] = state.q, state.dq, state.tau
        return RobotState(
            stamp=stamp,
            q=q,
            dq=dq,
            tau=tau,
            imu_acceleration=state.accelerometer,
            imu_angular_velocity=state.gyroscope,
            imu_world_R_base=rotation_from_quat_wxyz(state.quat_wxyz),
            foot_wrenches=np.zeros((2, 6)),
            world_p_base=np.array(neutral.world_p_base),
            world_R_base=np.array(neutral.world_R_base),
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
        )

    def send(self, command: JointCommand) -> JointCommand:
        """Follow a command soon; return what went out last. Never blocks.

        Raises:
            BadInput: If a value is missing or not finite.
            RobotLost: If it is not there, or waits for a person.
        """
        if self._state is None:
            raise RobotLost(
                f"the {self._body.name} at {self._link.where} is not connected"
            )
        unlimited = np.full(self._body.kinematics.n, np.inf)
        accepted = accepted_command(command, self._body, unlimited)
        if self._fault:
            raise RobotLost(self._fault)
        if self._armed_at is not None:
            self._goal = np.degrees(accepted.q[self._rows]), accepted.stamp
        q = np.array(self._body.neutral.q)
        last = self._gate.last if self._armed_at is not None else None
        q[self._rows] = self._state[0].q if last is None else np.radians(last)
        q.setflags(write=False)
        return replace(accepted, q=q, tau=None)

    def read_feedback(self) -> RobotFeedback | None:
        """Return None: its camera is not read."""
        return None

    # ---- threads -------------------------------------------------

    def _newest(self) -> tuple[LowState, float]:
        newest = self._state
        if newest is None:
            raise RobotLost(
                f"the {self._body.name} at {self._link.where} is not connected"
            )
        return newest[0], self._now() - newest[1]

    def _hear(self, state: LowState) -> None:
        self._state = state, self._now()

    def _command(self) -> None:
        period = 1.0 / self.settings.rate
        due = self._now()
        while not self._ending.wait(max(due - self._now(), 0.0)):
            due = max(
                due + period, self._now() - period
            )  # what is late is not repeated
            if self._armed_at is not None:
                self._look()
                self._push(self._next(period))
        if self._armed_at is None or self._state is None:
            return
        begin = self._weight
        end = self._now() + LET_GO
        while (left := end - self._now()) > 0.0:  # let go gently, and more than once
            share = begin * left / LET_GO
            self._push(self._arms(share) if self._arms_only else self._damped())
            threading.Event().wait(period)

    def _look(self) -> None:
        state, age = self._newest()
        if not self._fault:
            self._fault = self._wrong(state, age, self._mode)

    def _wrong(self, state: LowState, age: float, mode: int | None = None) -> str:
        """Return what forbids going on, with the motor's name; "" for nothing."""
        if age > STALE:
            return f"the G1 told no state for {age:.2f} s: it damps"
        for name, heat, fault in zip(
            MOTORS, state.temperature, state.fault, strict=True
        ):
            if fault:
                return f"{name}: the motor is in fault {fault}: the G1 damps"
            if heat > HOT:
                return f"{name}: the motor is {heat:.0f} deg C hot: the G1 damps"
        if mode is not None and mode != state.mode_machine:
            return (
                f"the G1 changed its mode from {mode} to {state.mode_machine}: "
                "somebody else commands it; it damps"
            )
        return ""

    def _next(self, period: float) -> LowCommand:
        if self._fault:  # arms are held while they are given back
            self._weight = max(self._weight - period / LET_GO, 0.0)
            return self._arms(self._weight) if self._arms_only else self._damped()
        now, goal = self._now(), self._goal
        with self._lock:
            last = self._gate.last if self._gate.last is not None else np.zeros(29)
            fresh = goal is not None and now - goal[1] <= LATE
            follows = goal is not None and fresh and self._begun
            last = self._gate.step(goal[0] if goal and follows else last, now)
            self._begun = True  # the first command is where the motors are
            grown = min((now - (self._armed_at or now)) / GAIN_TIME, 1.0)
        self._weight = grown
        if self._arms_only:
            return self._arms(grown)
        kp, kd = motor_gains()
        return LowCommand(
            q=np.radians(last), kp=kp * grown, kd=kd, mode_machine=self._mode
        )

    def _damped(self) -> LowCommand:
        state, _ = self._newest()
        return LowCommand.damping(state.q, self._mode)

    def _arms(self, weight: float) -> LowCommand:
        """Return a command for the arms alone, blended by a weight."""
        kp, kd = motor_gains()
        kp[:FIRST_ARM] = kd[:FIRST_ARM] = 0.0
        last = self._gate.last if self._gate.last is not None else np.zeros(29)
        return LowCommand(
            q=np.radians(last), kp=kp, kd=kd, mode_machine=self._mode, weight=weight
        )

    def _push(self, command: LowCommand) -> None:
        now = self._now()
        if self._link.send(command):
            self.sent, self._taken_at = self.sent + 1, now
        elif now - self._taken_at > STALE:
            self._fault = self._fault or "the G1 takes no commands any more"
