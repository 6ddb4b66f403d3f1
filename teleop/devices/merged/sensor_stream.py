"""One worn sensor over time: its newest sample, and how it does."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from telexist.retarget.errors import TelexistError
from telexist.retarget.person_dynamics import GroundForces, SensorState
from telexist.retarget.signals import HumanFrame
from telexist.retarget.so3 import Array
from telexist.teleop.devices.base import Device
from telexist.teleop.devices.merged.worn_sensors import FEET, WornSensor
from telexist.teleop.terms import DeviceSample

__all__ = ["SensorStream"]


@dataclass(frozen=True, slots=True)
class _Tare:
    end: float
    total: Array
    count: int


class SensorStream:
    """Reads one device and judges it.

    Attributes:
        sensor: What it is.
        device: Where it comes from.
        state: How it does.
        reason: Why, where it is not OK.
        frame: The newest of its frames, by the person's names, or None.
        lost: Why its device cannot be read, or None.
    """

    def __init__(self, sensor: WornSensor, device: Device) -> None:
        """Wait for the first sample."""
        self.sensor, self.device = sensor, device
        self._feet = [s for s, foot in enumerate(FEET) if foot in sensor.gives]
        self.begin()

    def begin(self) -> None:
        """Forget what was said in an earlier session."""
        self.state, self.reason = SensorState.WAITING, "has not spoken yet"
        self.frame: HumanFrame | None = None
        self.lost: TelexistError | None = None
        self._heard = -np.inf
        self._tare: _Tare | None = None
        self._offset = np.zeros((2, 6))

    def read(self, now: float) -> DeviceSample | None:
        """Return what is new, of what is taken of it; the state follows."""
        self.lost = None
        try:
            sample = self.device.read()
        except TelexistError as error:
            self.lost = error
            self._become(SensorState.ERROR, str(error))
            return None
        if sample is None or sample.empty:
            if now - self._heard > self.sensor.deadline and np.isfinite(self._heard):
                silent = f"silent for {now - self._heard:.1f} s"
                if self.state is not SensorState.ERROR:
                    self._become(SensorState.TIMEOUT, silent)
            return sample
        self._heard = sample.stamp
        self._become(SensorState.OK, "")
        forces = None
        if sample.forces is not None and self._feet:
            forces = self._felt(sample.forces)
        if sample.human is not None:
            self.frame = self._renamed(sample.human)
        return replace(
            sample, forces=forces, human=self.frame if sample.human else None
        )

    def fresh(self, now: float) -> bool:
        """Whether its newest frame is not too old."""
        return self.frame is not None and now - self._heard <= self.sensor.deadline

    def _become(self, state: SensorState, reason: str) -> None:
        self.state, self.reason = state, reason

    def _felt(self, forces: GroundForces) -> GroundForces | None:
        """Return the forces of the feet that are taken of it, tared and judged."""
        wrench, deviation = np.full((2, 6), np.nan), np.full((2, 6), np.inf)
        for s in self._feet:
            wrench[s], deviation[s] = forces.wrench[s], forces.deviation[s]
        told = np.isfinite(deviation)
        if not told.any():
            self._become(SensorState.TIMEOUT, "tells nothing of its foot")
            return None
        values = wrench[told]
        if not np.isfinite(values).all():
            self._become(SensorState.ERROR, "not a number")
        elif np.any(np.abs(wrench) >= 0.999 * forces.full_scale):
            self._become(SensorState.OVERFLOW, "at the end of its range")
        elif self._calibrates(forces.stamp, np.where(told, wrench, 0.0)):
            self._become(SensorState.CALIBRATING, "its zero is being found")
            return None
        return replace(forces, wrench=wrench - self._offset, deviation=deviation)

    def _calibrates(self, now: float, wrench: Array) -> bool:
        """Take the mean of the first seconds as zero; return whether they go on."""
        if not self.sensor.tare:
            return False
        if self._tare is None:
            self._tare = _Tare(now + self.sensor.tare, np.zeros((2, 6)), 0)
        tare = self._tare
        if now < tare.end:
            self._tare = _Tare(tare.end, tare.total + wrench, tare.count + 1)
            return True
        self._offset = tare.total / max(tare.count, 1)
        return False

    def _renamed(self, frame: HumanFrame) -> HumanFrame:
        if not self.sensor.rename:
            return frame
        names = self.sensor.rename
        return replace(
            frame, segments=tuple(names.get(name, name) for name in frame.segments)
        )
