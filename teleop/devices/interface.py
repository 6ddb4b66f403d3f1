"""What every input device gives, and how it is asked.

A device may provide a person's motion, a walking command, hands, a treadmill, or
requests from buttons; several devices work together, each for what it provides.

`human` frames of a device are *raw*: z up, SI units, right-handed, rotations of the
device's own segment frames. The operator's profile (`calibration/`) turns them into
frames that are the identity in N-pose.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from retarget.signals import HumanFrame
from robots.interface import HandCommand, RobotFeedback

__all__ = [
    "Device",
    "DeviceSample",
    "Provides",
    "Request",
    "Treadmill",
    "WalkCommand",
    "manual_of",
]


class Provides(enum.Enum):
    """What a device can give."""

    HUMAN = "human"
    WALK = "walk"
    HANDS = "hands"
    TREADMILL = "treadmill"
    REQUESTS = "requests"


class Request(enum.Enum):
    """What an operator can ask for by a button, key, page or call."""

    CALIBRATE = "calibrate"
    ENGAGE = "engage"
    HOLD = "hold"
    STOP = "stop"
    RESET = "reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkCommand:
    """Planar velocity asked of the robot, in its own heading.

    Attributes:
        vx: Ahead [m/s].
        vy: To the left [m/s].
        wz: Turning left [rad/s].
    """

    vx: float = 0.0
    vy: float = 0.0
    wz: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Treadmill:
    """One sample of a treadmill, whatever its make.

    Attributes:
        yaw: Heading of the ring, counter-clockwise seen from above [rad].
        speed: Of walking, not negative [m/s].
        direction: Of walking relative to the ring, counter-clockwise [rad]; pi is back.
        height: Of the pelvis over its standing height [m].
    """

    yaw: float
    speed: float
    direction: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSample:
    """The newest that a device has to say; None where it says nothing.

    Attributes:
        stamp: Arrival on the host's monotonic clock [s].
        sequence: Running number at the source, to see drops.
        human: The person, raw; its own stamp is the arrival too.
        walk: Walking command.
        hands: How far the hands are closed.
        treadmill: The treadmill.
        requests: What was asked for since the last read, in order; none is lost.
        dead_man: Whether the dead-man's switch is held; None if there is none.
        dropped: How many samples were lost, late, broken or refused since the last
            read, by reason ("lost", "late", "malformed", "stranger", ...).
        details: What was wrong with the newest of them, by the same reasons; only of
            those about which there is something to say.
    """

    stamp: float
    sequence: int = 0
    human: HumanFrame | None = None
    walk: WalkCommand | None = None
    hands: HandCommand | None = None
    treadmill: Treadmill | None = None
    requests: tuple[Request, ...] = ()
    dead_man: bool | None = None
    dropped: tuple[tuple[str, int], ...] = ()
    details: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it says nothing, but for what was dropped."""
        said = (self.human, self.walk, self.hands, self.treadmill, self.dead_man)
        return not self.requests and all(part is None for part in said)


class Device(Protocol):
    """One input device; `open` and `close` may each be called twice."""

    @property
    def name(self) -> str:
        """Short name for messages: "xsens on 127.0.0.1:9763"."""

    @property
    def provides(self) -> frozenset[Provides]:
        """What it gives; known before it is opened."""

    @property
    def deadline(self) -> float:
        """A sample older than this is stale [s]; inf for what speaks only if asked."""

    def open(self, wake: Callable[[], None]) -> None:
        """Start to listen.

        Args:
            wake: To be called from the device's thread when a sample has arrived, so
                that the loop need not wait for its next turn; it returns at once.

        Raises:
            DeviceLost: If it is not there; with what to do.
            MissingDependency: If a library is absent.
        """

    def read(self) -> DeviceSample | None:
        """Return what is new since the last read, or None; never blocks.

        Raises:
            DeviceLost: While it is unplugged, or if its reader died.
        """

    def show(self, feedback: RobotFeedback) -> None:
        """Give feedback to the operator, if the device can; never blocks."""

    def close(self) -> None:
        """Stop to listen."""


def manual_of(device: Device) -> str:
    """Return what a user should know of a device once it is open, in one line.

    A device says so with a property `manual`: its keys, where it listens and how a
    sender is pointed there. "" if it has nothing to say.
    """
    return str(getattr(device, "manual", ""))
