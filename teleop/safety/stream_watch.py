"""Which devices have fallen silent: each by its own deadline, each told once.

Only devices that stream have a deadline; buttons (`inf`) are never late. The source of
the person is told of only until its first frame: later silences of it are the loop's
own affair ("stale").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from telexist.teleop.devices.base import Device
from telexist.teleop.terms import DeviceSample, EventKind, Fault, Provides

__all__ = ["DeviceEvent", "StreamWatch"]

FIRST_WORD = 5.0  # [s] after which a device that has not spoken yet is told of


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceEvent:
    """What became of a device.

    Attributes:
        kind: A fault, or what is none: `NO_SAMPLES`, `DEVICE_BACK`.
        device: Its name.
        reason: What happened and what to do, in one line.
    """

    kind: Fault | EventKind
    device: str
    reason: str


@dataclass(slots=True)
class _Stream:
    device: Device
    heard: float = -math.inf  # [s]
    told: bool = False


class StreamWatch:
    """Remembers when each device spoke last."""

    def __init__(self, devices: Sequence[Device]) -> None:
        """Watch devices; time begins with the first `events`."""
        self._streams = {id(device): _Stream(device) for device in devices}
        self._begin: float | None = None

    def heard(self, device: Device, sample: DeviceSample) -> None:
        """Take note of a sample; one that only counts drops is no word."""
        shows = Provides.HUMAN in device.provides
        if sample.human is not None if shows else not sample.empty:
            self._streams[id(device)].heard = sample.stamp

    def silent(self, device: Device, now: float) -> bool:
        """Return whether a device has spoken, and then not within its deadline."""
        heard = self._streams[id(device)].heard
        return heard > -math.inf and now - heard > device.deadline

    def events(self, now: float) -> list[DeviceEvent]:
        """Return what is to be told now [s]."""
        self._begin = now if self._begin is None else self._begin
        found = (self._event(s, now, self._begin) for s in self._streams.values())
        return [event for event in found if event is not None]

    def _event(self, stream: _Stream, now: float, begin: float) -> DeviceEvent | None:
        device = stream.device
        if math.isinf(device.deadline):
            return None
        if stream.heard == -math.inf:
            if stream.told or now - begin < FIRST_WORD:
                return None
            stream.told = True
            return _no_samples(device, now - begin)
        silent = self.silent(device, now) and Provides.HUMAN not in device.provides
        if silent is stream.told:
            return None
        stream.told = silent
        if not silent:
            return DeviceEvent(
                kind=EventKind.DEVICE_BACK,
                device=device.name,
                reason="its samples come",
            )
        reason = f"silent for {now - stream.heard:.2f} s"
        if Provides.WALK in device.provides:
            reason += ": the walking command is zero until it speaks again"
        return DeviceEvent(kind=Fault.INPUT_STALE, device=device.name, reason=reason)


def _no_samples(device: Device, passed: float) -> DeviceEvent:
    advice = device.manual or "is it switched on, and does it send?"
    reason = f"no sample has come for {passed:.0f} s: {advice}"
    return DeviceEvent(kind=EventKind.NO_SAMPLES, device=device.name, reason=reason)
