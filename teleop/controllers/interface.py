"""What every controller does: references in, joint commands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from retarget.kinematics import Configuration
from retarget.so3 import Array
from robots.interface import JointCommand, RobotState
from teleop.devices.interface import WalkCommand

__all__ = ["Controller", "ControllerReport", "RobotReference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotReference:
    """Where the operator wants the robot, smoothed and inside all bounds.

    Attributes:
        stamp: When it was computed [s].
        q: Joint positions (n,) [rad] or [m].
        dq: Joint velocities (n,).
        ddq: Joint accelerations (n,).
        planted: Whether the operator stands on the left and the right foot.
        walk: Where to walk.
    """

    stamp: float
    q: Array
    dq: Array
    ddq: Array
    planted: tuple[bool, bool] = (True, True)
    walk: WalkCommand = WalkCommand()


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerReport:
    """What a controller wants to be shown and recorded after a step.

    Attributes:
        values: Name to numbers: "com" (3,), "dcm" (2,), "zmp" (2,), "footsteps" (k, 4)
            of x, y, yaw, side, "floor" (1,) its height, ... [m], [rad].
        events: What happened in this step, one line each: "fall: ...", "step: ...".
    """

    values: Mapping[str, Array]
    events: tuple[str, ...] = ()


class Controller(Protocol):
    """Turns references into joint commands, at its own rate."""

    @property
    def base(self) -> str:
        """How the robot must be held: "fixed" (bolted or on a pole) or "free"."""

    @property
    def walks(self) -> bool:
        """Whether it follows walking commands."""

    @property
    def period(self) -> float:
        """Time between two steps [s]."""

    @property
    def fallen(self) -> Configuration | None:
        """None; after a fall, how the robot must be put on its feet before `reset`."""

    def reset(self, state: RobotState) -> None:
        """Start from a state, at rest."""

    def step(
        self, state: RobotState, reference: RobotReference, dt: float
    ) -> JointCommand:
        """Return the command for the next `dt` seconds; bounded, whatever comes in."""

    def report(self) -> ControllerReport:
        """Return what the last step is to show."""
