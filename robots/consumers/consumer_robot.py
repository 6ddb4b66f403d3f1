"""A controller of somebody else's as a robot: it is sent postures at a steady rate."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np
from telexist.retarget.errors import RobotLost
from telexist.retarget.robot_body import RobotBody
from telexist.retarget.so3 import Array
from telexist.robots.base import (
    Check,
    JointCommand,
    RobotFeedback,
    RobotState,
    accepted_command,
)
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY, ReferenceGate

__all__ = ["ConsumerRobot", "Outlet"]

PERIOD = 0.02  # [s] between two postures: what all of them expect
LATE = 0.2  # [s] an older command is not followed: the last posture is held
TOP_SPEED = 360.0  # [deg/s] of a posture that a controller is asked to follow
RAMP = 60.0  # [deg/s] until the first posture has been reached


class Outlet(Protocol):
    """Where postures go."""

    def open(self) -> str:
        """Begin; return a line about where.

        Raises:
            RobotLost: If nobody is there.
        """

    def put(self, q: Array, dq: Array) -> Array | None:
        """Send joint positions and velocities (n,) [rad]; return measured ones, if any.

        Raises:
            RobotLost: If it can no longer be reached.
        """

    def close(self) -> None:
        """End; may be called twice."""


class ConsumerRobot:
    """Sends postures to an outlet, bounded, 50 times a second, whatever happens.

    Where nothing is measured, its state is what was sent: it says nothing about the
    real robot.
    """

    def __init__(
        self,
        robot: RobotModel,
        outlet: Outlet,
        *,
        now: Callable[[], float],
        first: float = 0.1,
    ) -> None:
        """Describe it; nothing is sent before `arm`."""
        body = robot.body
        self._body, self._outlet, self._now = body, outlet, now
        self._first, self._where = first, ""
        self._gate = ReferenceGate(
            tuple(body.kinematics.joints),
            np.degrees(body.lower),
            np.degrees(body.upper),
            np.minimum(np.degrees(body.velocity), TOP_SPEED),
        )
        self._lock = threading.Lock()
        self._measured: Array | None = None
        self._goal: tuple[Array, float] | None = None
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()
        self._connected, self._fault, self._stamp = False, "", 0.0
        self._dq: Array = np.zeros(body.kinematics.n)

    @property
    def body(self) -> RobotBody:
        """The robot's model."""
        return self._body

    @property
    def top_speed(self) -> float:
        """Greatest speed of any joint [rad/s]."""
        return float(np.radians(TOP_SPEED))

    @property
    def first_speed(self) -> float:
        """Share of the usual speed that the first motion takes."""
        return self._first

    def connect(self) -> None:
        """Reach the controller; may be called twice."""
        if not self._connected:
            self._where = self._outlet.open()
            self._connected, self._fault, self._stamp = True, "", self._now()

    def preflight(self) -> list[Check]:
        """Return what to look at before anything is sent."""
        what = "the state shown is what was sent, unless the controller tells its own"
        return [
            Check(what="controller", well=True, detail=self._where),
            Check(what="feedback", well=True, detail=what),
            Check(
                what="when this program dies",
                well=True,
                detail="the controller goes on with the last posture it was sent",
            ),
        ]

    def arm(self) -> None:
        """Begin to send, from the neutral posture or where it is measured to be."""
        if not self._connected:
            raise RobotLost(f"the controller of {self._body.name} is not connected")
        begin = self._body.neutral.q if self._measured is None else self._measured
        ramp = np.minimum(self._gate.speed * self._first, RAMP)
        with self._lock:
            self._gate.start(np.degrees(begin), self._now(), ramp)
            self._goal, self._fault = None, ""
        if self._thread is None:
            self._ending.clear()
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def recover(self) -> None:
        """Begin again, after a person saw to a fault."""
        if self._fault:
            self.arm()

    def read_state(self) -> RobotState | None:
        """Return where the joints are measured to be, or were sent.

        Raises:
            RobotLost: If the controller is gone.
        """
        if not self._connected:
            return None
        if self._fault:
            raise RobotLost(self._fault)
        neutral = self._body.neutral
        R = np.array(neutral.world_R_base)
        return RobotState(
            stamp=self._now() if self._thread is None else self._stamp,
            q=self._posture(),
            dq=self._dq.copy(),
            tau=np.zeros(len(self._dq)),
            imu_acceleration=R.T @ np.array([0.0, 0.0, GRAVITY]),
            imu_angular_velocity=np.zeros(3),
            imu_world_R_base=R,
            foot_wrenches=np.zeros((2, 6)),
            world_p_base=np.array(neutral.world_p_base),
            world_R_base=R,
            world_v_base=np.zeros(3),
            world_w_base=np.zeros(3),
        )

    def send(self, command: JointCommand) -> JointCommand:
        """Let a posture be sent soon; return what went out last.

        Raises:
            BadInput: If a value is missing or not finite.
            RobotLost: If the controller is gone, or not connected.
        """
        if not self._connected:
            raise RobotLost(f"the controller of {self._body.name} is not connected")
        unlimited = np.full(self._body.kinematics.n, np.inf)
        accepted = accepted_command(command, self._body, unlimited)
        if self._fault:
            raise RobotLost(self._fault)
        if self._thread is not None:
            self._goal = np.degrees(accepted.q), accepted.stamp
        q = self._posture()
        q.setflags(write=False)
        return replace(accepted, q=q, tau=None)

    def read_feedback(self) -> RobotFeedback | None:
        """Return None: nothing comes back."""
        return None

    def disconnect(self) -> None:
        """Stop sending; may be called twice."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
        self._thread, self._measured = None, None
        if self._connected:
            self._outlet.close()
        self._connected = False

    def _posture(self) -> Array:
        last = self._gate.last if self._thread is not None else None
        return np.array(self._body.neutral.q if last is None else np.radians(last))

    def _run(self) -> None:
        before = None
        while not self._ending.is_set():
            now = self._now()
            with self._lock:
                goal, last = self._goal, self._gate.last
                fresh = goal is not None and now - goal[1] <= LATE
                if last is not None:
                    q = np.radians(
                        self._gate.step(goal[0] if goal and fresh else last, now)
                    )
            self._dq = np.zeros_like(q) if before is None else (q - before) / PERIOD
            before = q
            if not self._fault:
                self._put(q)
            self._ending.wait(max(now + PERIOD - self._now(), 0.0))

    def _put(self, q: Array) -> None:
        try:
            self._measured = self._outlet.put(q, self._dq)
            self._stamp = self._now()
        except RobotLost as error:
            self._fault = str(error)
