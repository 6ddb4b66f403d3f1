"""What a session says about its robot, whatever the way to reach it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from telexist.robots.base import CameraWishes
from telexist.robots.drives import Bounds

__all__ = ["RobotOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotOptions:
    """Options of a robot, of which a back end takes those that concern it.

    Attributes:
        now: The host's clock [s].
        sleep: Waits for a duration [s].
        place: What the user wrote after the back end's name and a colon: a host, an
            interface; "" for the usual one.
        balances: Whether a controller keeps it on its feet by torques; if not, it is
            bolted to the floor, or held on a pole.
        camera: Whether the operator wants to see what its head sees.
        wishes: How the operator wants to see it.
        period: Time between two commands, about [s].
        bounds: What its joints' set-points obey; None takes the robot's own.
        real_time: Whether threads and processes of its own ask for real-time
            scheduling.
    """

    now: Callable[[], float]
    sleep: Callable[[float], None]
    place: str = ""
    balances: bool = False
    camera: bool = False
    wishes: CameraWishes = field(default_factory=CameraWishes)
    period: float = 0.005
    bounds: Bounds | None = None
    real_time: bool = False
