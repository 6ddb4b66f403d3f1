"""Tells the devices of an operator what becomes of the session."""

from __future__ import annotations

from collections.abc import Sequence

from telexist.teleop.devices.base import Device
from telexist.teleop.terms import Fault, SessionNews, Tick

__all__ = ["DeviceTeller"]


class DeviceTeller:
    """Tells every device when there is something new."""

    def __init__(self, devices: Sequence[Device]) -> None:
        """Take the devices."""
        self._devices = tuple(devices)
        self._said: tuple[str, str] | None = None

    def put(self, tick: Tick) -> None:
        """Tell what is new."""
        said = (tick.state.value, tick.notice)
        if said == self._said and not tick.events:
            return
        self._said = said
        news = SessionNews(
            state=tick.state.value,
            notice=tick.notice,
            events=tuple(
                f"[{e.state.value}] {e.kind}: {e.reason}" for e in tick.events
            ),
            fault=any(isinstance(event.kind, Fault) for event in tick.events),
        )
        for device in self._devices:
            device.tell(news)

    def close(self) -> None:
        """Do nothing: the devices are the session's."""
