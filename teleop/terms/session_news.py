"""What an operator should hear of the session, far away or in a headset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SessionNews"]

MOST_LINES = 20
MOST_TEXT = 300  # characters of a line


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNews:
    """What is new.

    Attributes:
        state: Of the session; see `State`.
        notice: What the operator should read now, such as a countdown; "" for nothing.
        events: What happened, a line each.
        fault: Whether one of them is a fault.
    """

    state: str
    notice: str = ""
    events: tuple[str, ...] = ()
    fault: bool = False

    def message(self) -> dict[str, Any]:
        """Return it as a message of JSON."""
        return {
            "state": self.state,
            "notice": self.notice,
            "events": list(self.events),
            "fault": self.fault,
        }

    @classmethod
    def of_message(cls, message: Mapping[str, Any]) -> SessionNews | None:
        """Return what a message says; None if it says nothing of a session."""
        state, notice = message.get("state"), message.get("notice", "")
        events = message.get("events", [])
        if not isinstance(state, str) or not isinstance(events, list):
            return None
        return cls(
            state=state[:MOST_TEXT],
            notice=str(notice)[:MOST_TEXT],
            events=tuple(str(line)[:MOST_TEXT] for line in events[:MOST_LINES]),
            fault=message.get("fault") is True,
        )
