"""What the boards' states say against going on; every fault names its joint."""

from __future__ import annotations

import numpy as np
from telexist.retarget.so3 import Array
from telexist.robots.yarp.boards import NO_JOINT
from telexist.robots.yarp.robot.board_connection import BoardConnection
from telexist.robots.yarp.robot.faults import FaultKind, RobotFault

__all__ = ["StateWatch"]

STALE = 0.2  # [s] a state older than this is none
OFF = 20.0  # [deg] a joint may be from its reference
OFF_FOR = 0.3  # [s] so long
UNREADABLE = 10  # states in a row

FAULTS = {
    "hwfa": "a hardware fault: a hard limit was passed, a sensor is silent, too much "
    "current flowed, or the red button is pressed; mend it at the robot",
    "cal": "it is being calibrated",
    "cfgn": "it is not configured",
}


class StateWatch:
    """Looks at all boards again and again."""

    def __init__(self, boards: tuple[BoardConnection, ...]) -> None:
        """Take the boards."""
        self._boards = boards
        self._off_since: dict[str, float] = {}

    def silent(self, now: float) -> RobotFault | None:
        """Return which board tells nothing, or nothing that can be believed."""
        for board in self._boards:
            jumped = board.jump()
            if jumped:
                board.clock.reset()
                return self._stalled(board, f"its clock jumped by {jumped:+.3f} s")
            age = now - board.stamp
            if board.state is None or age > STALE:
                return self._stalled(board, f"no state for {min(age, 1e4):.2f} s")
            if board.unreadable > UNREADABLE:
                return self._stalled(board, "its states cannot be read")
            if not np.isfinite(board.measured).all():
                joint = board.joints[int(np.argmin(np.isfinite(board.measured)))]
                reason = f"{joint.name} ({board.part}): its position is not known"
                return RobotFault(FaultKind.STALLED, reason)
        return None

    @staticmethod
    def _stalled(board: BoardConnection, what: str) -> RobotFault:
        names = ", ".join(joint.name for joint in board.joints)
        return RobotFault(FaultKind.STALLED, f"{board.part}: {what}; held: {names}")

    def modes(self, allowed: tuple[str, ...]) -> RobotFault | None:
        """Return which joint is in a mode that is not allowed."""
        for board in self._boards:
            if board.state is None:
                continue
            for joint in board.joints:
                mode = board.state.modes[joint.axis]
                if mode not in allowed:
                    return RobotFault(FaultKind.LOST, mode_reason(joint.name, mode))
        return None

    def tracking(self, sent: Array | None, now: float) -> RobotFault | None:
        """Return which joint is not where it was sent (n,) [deg].

        Fingers may be held up by what they hold.
        """
        if sent is None:
            self._off_since.clear()
            return None
        for board in self._boards:
            errors = np.abs(board.measured - sent[board.rows])
            for joint, error in zip(board.joints, errors, strict=True):
                if not error > OFF or joint.joint == NO_JOINT:
                    self._off_since.pop(joint.name, None)
                    continue
                since = self._off_since.setdefault(joint.name, now)
                if now - since > OFF_FOR:
                    reason = f"{joint.name} is {error:.1f} deg from where it was sent"
                    return RobotFault(FaultKind.LOST, reason)
        return None


def mode_reason(name: str, mode: str) -> str:
    """Return a line about a joint in a mode that is not ours."""
    if mode in FAULTS:
        return f"{name} is in {mode}: {FAULTS[mode]}; then reset"
    return (
        f"{name} is in mode {mode}, not posd: another program drives it, or the robot "
        "took it back; stop the other, then reset"
    )
