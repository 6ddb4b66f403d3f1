"""What input devices say: kinds of input, and one sample of them."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from telexist.retarget.person_dynamics import GroundForces
from telexist.retarget.signals import HumanFrame
from telexist.robots.base import HandCommand
from telexist.teleop.terms.request import Request
from telexist.teleop.terms.walk_command import WalkCommand

__all__ = ["DeviceSample", "Provides", "Treadmill"]


class Provides(enum.Enum):
    """What a device can give."""

    HUMAN = "human"
    WALK = "walk"
    HANDS = "hands"
    TREADMILL = "treadmill"
    REQUESTS = "requests"
    FORCES = "forces"


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
        forces: Of the ground on the feet.
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
    forces: GroundForces | None = None
    requests: tuple[Request, ...] = ()
    dead_man: bool | None = None
    dropped: tuple[tuple[str, int], ...] = ()
    details: tuple[tuple[str, str], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it says nothing, but for what was dropped."""
        said = (self.human, self.walk, self.hands, self.treadmill, self.forces)
        silent = self.dead_man is None and not self.requests
        return silent and all(part is None for part in said)
