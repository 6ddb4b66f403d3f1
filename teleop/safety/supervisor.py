"""The state machine of a session: what may happen when, and what faults do.

```
IDLE ──calibrated──> CALIBRATED ──engage──> ENGAGING ──arrived──> ACTIVE
                         ^                   ^    │                 │
                         │                engage  hold, fault   hold, fault
                       reset                 │    v                 v
                         │                   └─ HOLDING <───────────┘
   any ──stop, grave fault──> STOPPED
```

Whoever stopped or held the robot, only a deliberate `engage` moves it again, and only
from a fresh sample. Every change and every fault becomes an `Event`.
"""

from __future__ import annotations

from telexist.teleop.safety.engage_conditions import EngageConditions
from telexist.teleop.settings import SessionSettings
from telexist.teleop.terms import (
    Event,
    EventKind,
    Fault,
    Reaction,
    Request,
    State,
)

__all__ = ["Supervisor"]

MOVING = (State.ENGAGING, State.ACTIVE)
REPEAT = 1.0  # [s] the same kind of note is told once in this time, with its count


class Supervisor:
    """Holds the state and the events of a session.

    Attributes:
        state: Where the session stands.
        cause: The fault that holds or stopped the robot now; None if none does.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Start idle."""
        self.state = State.IDLE
        self.cause: Event | None = None
        self._settings = settings
        self._events: list[Event] = []
        self._logged: dict[str, float] = {}
        self._pending: dict[str, tuple[str, int, str]] = {}

    @property
    def moving(self) -> bool:
        """Whether the robot follows the operator, or is on its way to."""
        return self.state in MOVING

    def drain(self) -> tuple[Event, ...]:
        """Return the events since the last call, in order."""
        events, self._events = tuple(self._events), []
        return events

    def note(
        self, kind: str, reason: str, now: float, count: int = 1, *, device: str = ""
    ) -> None:
        """Log something that changes nothing, at most once a second for each kind."""
        _, before, _ = self._pending.get(kind, ("", 0, ""))
        self._pending[kind] = (reason, before + count, device)
        self._log_pending(kind, now)

    def log(self, kind: str, reason: str, now: float, *, device: str = "") -> None:
        """Log something that changes nothing, however often it comes."""
        self._log(kind, reason, now, device)

    def log_due(self, now: float) -> None:
        """Log what was noted and not logged yet, where its second is over."""
        for kind in tuple(self._pending):
            self._log_pending(kind, now)

    def log_rest(self, now: float) -> bool:
        """Log all that was noted and not logged yet; return whether there was any."""
        self._logged.clear()
        pending = bool(self._pending)
        self.log_due(now)
        return pending

    def _log_pending(self, kind: str, now: float) -> None:
        if now - self._logged.get(kind, -REPEAT) < REPEAT:
            return
        reason, count, device = self._pending.pop(kind)
        self._logged[kind] = now
        self._log(kind, reason + _times(count), now, device)

    def fault(self, kind: Fault, reason: str, now: float, *, device: str = "") -> None:
        """Do what the table says about a fault, of a device or of none."""
        self._react(self._settings.reaction(kind), kind, reason, now, device=device)

    def refused(self, word: str, reason: str, now: float, count: int) -> None:
        """Do what the table says about samples that a device lost or refused.

        Args:
            word: The device's word for it, which may be a row of the table: "nan".
            reason: One line.
            now: Time [s].
            count: How many samples.
        """
        reaction = self._settings.reaction(Fault.of(word) or Fault.REFUSED)
        self._react(reaction, word, reason, now, count)

    def _react(
        self,
        reaction: Reaction,
        kind: str,
        reason: str,
        now: float,
        count: int = 1,
        *,
        device: str = "",
    ) -> None:
        if reaction is Reaction.STOP and self.state is not State.STOPPED:
            self._become(State.STOPPED, kind, reason + _times(count), now, device)
            self.cause = self._events[-1]
        elif reaction is Reaction.HOLD and self.moving:
            self._become(State.HOLDING, kind, reason + _times(count), now, device)
            self.cause = self._events[-1]
        else:
            self.note(kind, reason, now, count, device=device)

    def calibrated(self, reason: str, now: float) -> None:
        """An operator's profile is there: loaded, or captured."""
        if self.state is State.IDLE:
            self._become(State.CALIBRATED, EventKind.CALIBRATED, reason, now)
        else:
            self._log(EventKind.CALIBRATED, reason, now)

    def request(
        self,
        request: Request,
        who: str,
        now: float,
        *,
        conditions: EngageConditions | None = None,
    ) -> bool:
        """Do what somebody asks, where state and conditions allow it.

        Args:
            request: What is asked.
            who: Who asks, for the log.
            now: Time [s].
            conditions: What is known, for ENGAGE; None: nothing stands in the way.

        Returns:
            Whether it was granted.
        """
        if request is Request.STOP:
            if self.state is not State.STOPPED:
                self._become(
                    State.STOPPED, EventKind.ESTOP, f"emergency stop by {who}", now
                )
            return True
        if request is Request.HOLD and (self.moving or self.state is State.HOLDING):
            if self.moving:
                self._become(State.HOLDING, EventKind.HOLD, f"hold asked by {who}", now)
            return True
        if request is Request.RESET and self.state is State.STOPPED:
            self._become(State.CALIBRATED, EventKind.RESET, f"reset by {who}", now)
            return True
        if request is Request.CHANGE and self.state is not State.STOPPED:
            return True
        obstacle = conditions.obstacle() if conditions else None
        if request is Request.ENGAGE and obstacle is not None:
            self.refuse(request, who, obstacle.text, now)
            return False
        if request is Request.ENGAGE and self.state in (
            State.CALIBRATED,
            State.HOLDING,
        ):
            self._become(State.ENGAGING, EventKind.ENGAGE, f"engaged by {who}", now)
            return True
        if request is Request.CALIBRATE and not self.moving:
            self._log(EventKind.CALIBRATE, f"calibration asked by {who}", now)
            return True
        self.refuse(request, who, f"not possible while {self.state.value}", now)
        return False

    def refuse(self, request: Request, who: str, why: str, now: float) -> None:
        """Log that a request cannot be granted, and why."""
        self._log(EventKind.REFUSED_REQUEST, f"{request.value} by {who}: {why}", now)

    def arrived(self, now: float) -> None:
        """The robot has reached the operator's pose."""
        self._become(
            State.ACTIVE, EventKind.ACTIVE, "the robot follows the operator", now
        )

    def forget_operator(self, now: float) -> None:
        """There is no profile any more: a reset leads to idle."""
        if self.state is State.CALIBRATED:
            self._become(State.IDLE, EventKind.STATE, "no operator is calibrated", now)

    def _become(
        self, state: State, kind: str, reason: str, now: float, device: str = ""
    ) -> None:
        self.state, self.cause = state, None
        self._log(kind, reason, now, device)

    def _log(self, kind: str, reason: str, now: float, device: str = "") -> None:
        event = Event(
            stamp=now, kind=kind, reason=reason, state=self.state, device=device
        )
        self._events.append(event)


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""
