"""The DCM while the ZMP goes along a line from foot to foot: double support."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from telexist.retarget.so3 import Array

__all__ = ["ZmpTransfer"]


@dataclass(frozen=True, slots=True)
class ZmpTransfer:
    """A straight way of the ZMP, and the DCM that arrives with it.

    Attributes:
        start: Of the ZMP (2,) [m].
        end: Of the ZMP (2,) [m].
        duration: [s].
        dcm_end: Where the DCM is at the end (2,) [m].
        omega: Of the pendulum [1/s].
    """

    start: Array
    end: Array
    duration: float
    dcm_end: Array
    omega: float

    def share(self, time: float) -> float:
        """Return the share of the way that is done at a time [s], 0 to 1."""
        return min(max(time / self.duration, 0.0), 1.0)

    def zmp(self, time: float) -> Array:
        """Return the ZMP (2,) [m] at a time [s]; it waits before 0 and at the end."""
        return self.start + self.share(time) * (self.end - self.start)

    def dcm(self, time: float) -> Array:
        """Return the DCM (2,) [m] at a time [s]; before 0 the ZMP is at the start."""
        t = min(max(time, 0.0), self.duration)
        zmp = self.zmp(time)
        lead = np.zeros(2)
        if time <= self.duration:
            lead = (self.end - self.start) / (self.duration * self.omega)
        rest = np.exp(-self.omega * (self.duration - t))
        dcm = zmp + lead + rest * (self.dcm_end - self.end - lead)
        if time < 0.0:
            dcm = zmp + np.exp(self.omega * time) * (dcm - zmp)
        return dcm
