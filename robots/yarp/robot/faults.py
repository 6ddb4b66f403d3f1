"""What can be wrong with a robot, told once and kept until somebody acts."""

from __future__ import annotations

import enum
import threading
from dataclasses import dataclass

from telexist.retarget.errors import RobotLost, RobotStalled

__all__ = ["FaultKeeper", "FaultKind", "RobotFault"]


class FaultKind(enum.Enum):
    """What it takes to go on."""

    STALLED = "stalled"  # silent: when it wakes it is held where it is
    LOST = "lost"  # a person must look, and arm it again


@dataclass(frozen=True, slots=True)
class RobotFault:
    """One fault; `reason` names the joint or the board."""

    kind: FaultKind
    reason: str

    def error(self) -> RobotLost:
        """Return the error that a sender gets."""
        kind = RobotStalled if self.kind is FaultKind.STALLED else RobotLost
        return kind(self.reason)


class FaultKeeper:
    """Keeps the first fault; a graver one replaces it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._lock = threading.Lock()
        self._fault: RobotFault | None = None

    @property
    def fault(self) -> RobotFault | None:
        """What is wrong now."""
        return self._fault

    def tell(self, fault: RobotFault) -> None:
        """Take a fault, unless an earlier one is as grave."""
        with self._lock:
            grave = fault.kind is FaultKind.LOST
            if self._fault is None or (
                grave and self._fault.kind is not FaultKind.LOST
            ):
                self._fault = fault

    def stalled(self, reason: str) -> None:
        """The robot is silent."""
        self.tell(RobotFault(FaultKind.STALLED, reason))

    def lost(self, reason: str) -> None:
        """A person must look."""
        self.tell(RobotFault(FaultKind.LOST, reason))

    def replace(self, fault: RobotFault) -> None:
        """Take a fault instead of any other; there is no moment without one."""
        with self._lock:
            self._fault = fault

    def clear(self, kind: FaultKind) -> None:
        """Forget a fault of a kind."""
        with self._lock:
            if self._fault is not None and self._fault.kind is kind:
                self._fault = None

    def check(self) -> None:
        """Raise what is wrong, if anything.

        Raises:
            RobotStalled: While the robot is silent.
            RobotLost: Until it is armed again.
        """
        fault = self._fault
        if fault is not None:
            raise fault.error()
