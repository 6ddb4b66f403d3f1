"""The thread that sends references: the newest only, acknowledged, past the gate."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
from telexist.retarget.errors import BadInput, RobotLost
from telexist.retarget.so3 import Array
from telexist.robots.drives import ReferenceGate
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.faults import FaultKeeper

__all__ = ["ReferenceSender"]

LATE = 0.1  # [s] an older command is not sent any more


class ReferenceSender:
    """Sends to all boards in turn, then waits for their acknowledgements.

    Attributes:
        sent: How many references went out.
        late: How many commands were too old to be sent.
        longest: The longest that sending with acknowledgements took [s].
    """

    def __init__(
        self,
        boards: Sequence[BoardConnection],
        gate: ReferenceGate,
        faults: FaultKeeper,
        now: Callable[[], float],
        acknowledge: float,
    ) -> None:
        """Prepare; `begin` allows sending."""
        self._boards, self._gate, self._faults = tuple(boards), gate, faults
        self._now, self._acknowledge = now, acknowledge
        self._news = threading.Condition()
        self._one_at_a_time = threading.Lock()
        self._goal: tuple[Array, float] | None = None
        self._allowed = self._ending = False
        self.sent = self.late = 0
        self.longest = 0.0
        self._thread = threading.Thread(
            target=self._run, name="references", daemon=True
        )
        self._thread.start()

    @property
    def last(self) -> Array | None:
        """The reference that went out last (n,) [deg]."""
        return self._gate.last

    def begin(self, measured: Array, ramp: Array) -> None:
        """Send where the joints are, then allow more.

        Args:
            measured: Where they are (n,) [deg].
            ramp: Greatest speeds until they have caught up [deg/s].

        Raises:
            RobotLost: If a board does not acknowledge.
        """
        with self._one_at_a_time:
            self._gate.start(measured, self._now(), ramp)
            self._deliver(self._gate.step(measured, self._now()))
            self._goal, self._allowed = None, True

    def stop(self) -> None:
        """Send nothing any more; returns when nothing is on its way."""
        self._allowed = False
        with self._one_at_a_time:
            self._goal = None

    def put(self, goal: Array, stamp: float) -> None:
        """Send a command soon, instead of any that still waits; returns at once.

        Args:
            goal: Of all driven joints (n,) [deg].
            stamp: When it was computed [s].
        """
        with self._news:
            self._goal = goal, stamp
            self._news.notify()

    def close(self) -> None:
        """End; may be called twice."""
        self.stop()
        with self._news:
            self._ending = True
            self._news.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._ending or self._goal is not None)
                if self._ending:
                    return
                goal, self._goal = self._goal, None
            with self._one_at_a_time:
                if goal is not None and self._allowed and self._faults.fault is None:
                    self._try(*goal)

    def _try(self, goal: Array, stamp: float) -> None:
        began = self._now()
        if began - stamp > LATE:
            self.late += 1
            return
        try:
            self._deliver(self._gate.step(goal, began))
        except BadInput as error:
            self._faults.lost(str(error))
        except RobotLost as error:
            gone = [b for b in self._boards if b.found.command.name in str(error)]
            joints = f"; lost: {joint_names(gone)}" if gone else ""
            self._faults.lost(f"{error}; nothing more is sent to any board{joints}")
        self.longest = max(self.longest, self._now() - began)

    def _deliver(self, references: Array) -> None:
        """Send to every board and wait for all.

        Raises:
            RobotLost: If a board is gone.
        """
        messages = [board.message(references) for board in self._boards]
        for board, message in zip(self._boards, messages, strict=True):
            if board.link is None:
                raise RobotLost(f"{board.part} is not connected")
            board.link.send(message)
        self.sent += 1
        end = self._now() + self._acknowledge
        silent = []
        for board in self._boards:
            left = max(end - self._now(), 1e-3)
            if board.link is not None and not board.link.take_acknowledgement(left):
                board.drop_references()
                silent.append(board)
        if silent:
            names = ", ".join(board.part for board in silent)
            wait = f"{self._acknowledge * 1e3:.0f} ms"
            self._faults.stalled(
                f"{names} acknowledged no reference for {wait}: nothing more is sent; "
                f"held: {joint_names(silent)}"
            )


def joint_names(boards: Sequence[BoardConnection]) -> str:
    """Return the names of the joints that are driven on some boards."""
    return ", ".join(joint.name for board in boards for joint in board.joints)


def measured_pose(boards: Sequence[BoardConnection], count: int) -> Array:
    """Return where all driven joints are (n,) [deg]."""
    pose = np.full(count, np.nan)
    for board in boards:
        pose[board.rows] = board.measured
    return pose
