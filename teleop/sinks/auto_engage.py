"""Engages once by itself, where somebody asked for that when the session began."""

from __future__ import annotations

from collections.abc import Callable

from telexist.teleop.terms import (
    EventKind,
    Obstacle,
    ObstacleKind,
    Request,
    State,
    Tick,
)

__all__ = ["AutoEngage"]

PAUSE = 1.0  # [s] between two requests to engage


def _no_obstacle() -> None:
    return None


class AutoEngage:
    """A sink that asks for calibration until it succeeds, then for engagement.

    Where nobody else could ask, it asks again when what stood in the way is gone; a
    refusal is told once for each reason. Whatever holds or stops the robot afterwards,
    it takes a person to engage again.
    """

    def __init__(
        self,
        ask: Callable[[Request], None],
        *,
        calibrate: bool,
        begin: bool = True,
        again: bool = False,
        obstacle: Callable[[], Obstacle | None] = _no_obstacle,
    ) -> None:
        """Prepare.

        Args:
            ask: Takes requests.
            calibrate: Whether to calibrate first, if nobody is calibrated.
            begin: Whether to make the first request to engage, too; if not, somebody
                else does.
            again: Whether to ask again after a refusal.
            obstacle: Returns what stands in the way of engaging now.
        """
        self._ask, self._obstacle, self._again = ask, obstacle, again
        self._may_calibrate = self._calibrate = calibrate
        self._begun, self._over = begin, False
        self._asked = float("-inf")
        self._logged: set[ObstacleKind | None] = set()

    def put(self, tick: Tick) -> None:
        """Ask for what is due."""
        if tick.state not in (State.IDLE, State.CALIBRATED):
            self._over = True  # engaged once, or stopped: the rest is up to people
        kinds = {event.kind for event in tick.events}
        if self._may_calibrate and EventKind.CALIBRATION_REFUSED in kinds:
            self._calibrate = True
        self._begun |= EventKind.REFUSED_REQUEST in kinds
        if tick.state is State.IDLE and self._calibrate and tick.raw is not None:
            self._calibrate = False
            self._ask(Request.CALIBRATE)
        elif tick.state is State.CALIBRATED and self._begun and not self._over:
            self._engage(tick)

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""

    def _engage(self, tick: Tick) -> None:
        if tick.stamp - self._asked < PAUSE or not _ready(tick):
            return
        obstacle = self._obstacle()
        kind = None if obstacle is None else obstacle.kind
        if kind is not None and kind in self._logged:
            return
        self._logged.add(kind)
        self._asked = tick.stamp
        self._over = not self._again
        self._ask(Request.ENGAGE)


def _ready(tick: Tick) -> bool:
    return tick.targets is not None and tick.robot is not None
