"""Lets scripts begin when the robot begins to follow the operator."""

from __future__ import annotations

from collections.abc import Iterable

from telexist.teleop.devices.base import Device
from telexist.teleop.terms import State, Tick

__all__ = ["ScriptStart"]


class ScriptStart:
    """A sink that restarts scripts once: in the first turn that is active.

    Calibration and engagement take as long as they take; a trial should not depend on
    it.
    """

    def __init__(self, devices: Iterable[Device]) -> None:
        """Take the devices of a session, of which some do something by themselves."""
        self._waiting = list(devices)

    def put(self, tick: Tick) -> None:
        """Restart what waits, once the robot follows."""
        if self._waiting and tick.state is State.ACTIVE:
            for device in self._waiting:
                device.restart()
            self._waiting = []

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
