"""A device: `--walk-input metronome:30` walks ahead and back, 30 beats a minute."""

from __future__ import annotations

from collections.abc import Callable

from telexist.retarget.errors import BadInput
from telexist.robots.base import RobotFeedback
from telexist.teleop import clock
from telexist.teleop.devices.base import Device, DeviceOptions
from telexist.teleop.terms import DeviceSample, Provides, WalkCommand

__all__ = ["Metronome", "make"]

SPEED = 0.1  # [m/s]


class Metronome(Device):
    """Changes its direction on every beat."""

    deadline = 0.5  # [s] a sample older than this is stale
    provides = frozenset({Provides.WALK})
    manual = "walks ahead and back by itself"

    def __init__(self, beats_per_minute: float) -> None:
        """Prepare; it is silent until it is opened."""
        self._name = f"metronome at {beats_per_minute:g}"
        self._beat = 60.0 / beats_per_minute
        self._begin: float | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._name

    def open(self, wake: Callable[[], None]) -> None:
        """Start to beat; it need not wake anybody, since every turn reads it."""
        self._begin = clock.now()

    def read(self) -> DeviceSample | None:
        """Return where to walk now."""
        if self._begin is None:
            return None
        now = clock.now()
        ahead = int((now - self._begin) / self._beat) % 2 == 0
        walk = WalkCommand(vx=SPEED if ahead else -SPEED)
        return DeviceSample(stamp=now, walk=walk)

    def show(self, feedback: RobotFeedback) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Stop; may be called twice."""
        self._begin = None


def make(text: str, options: DeviceOptions) -> Metronome:
    """Make `metronome` or `metronome:BEATS`.

    Raises:
        BadInput: If that is no number of beats a minute.
    """
    try:
        beats = float(text or 20.0)
    except ValueError as error:
        raise BadInput(f"metronome:{text}: expected beats a minute") from error
    if not 1.0 <= beats <= 240.0:
        raise BadInput(f"metronome:{text}: choose 1 to 240 beats a minute")
    return Metronome(beats)
