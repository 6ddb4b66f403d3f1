"""Lets walking scripts begin when the robot begins to follow the operator."""

from __future__ import annotations

from collections.abc import Iterable

from telexist.teleop.devices.base import Device
from telexist.teleop.devices.walk import WalkScript
from telexist.teleop.terms import State, Tick

__all__ = ["ScriptStart"]


class ScriptStart:
    """A sink that restarts the scripts once: in the first turn that is active.

    Calibration and engagement take as long as they take; a trial should not depend on
    it.
    """

    def __init__(self, devices: Iterable[Device]) -> None:
        """Find the scripts among the devices of a session."""
        self._waiting = [d for d in devices if isinstance(d, WalkScript)]

    def put(self, tick: Tick) -> None:
        """Restart what waits, once the robot follows."""
        if self._waiting and tick.state is State.ACTIVE:
            for script in self._waiting:
                script.restart()
            self._waiting = []

    def close(self) -> None:
        """Do nothing: there is nothing to finish."""
