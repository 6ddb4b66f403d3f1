"""Force sensors that are not here: what a recorded person's feet feel, on the wire.

Settings (`--set`): mass=75 (of the person [kg]), length=0.26 (of an insole [m]).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from telexist.retarget.recordings import read_clip
from telexist.retarget.so3 import Array
from telexist.teleop.devices.forces import (
    InsoleReading,
    SoleForces,
    build_moticon,
    sole_forces,
)
from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.settings import read_settings

__all__ = ["insole_reading", "simulate_moticon"]

RATE = 100.0  # [Hz]
AHEAD, WIDTH = 0.3, 0.36  # of the length: middle before the ankle, breadth


def simulate_moticon(options: SimulatorOptions) -> Iterator[TimedPackets]:
    """Play a recording's feet as Moticon's desktop program sends insoles.

    Raises:
        BadInput: If an option is wrong.
    """
    chosen = read_settings(options.settings, {"mass": "75", "length": "0.26"})
    clip = read_clip(options.clip)
    forces = sole_forces(clip, chosen.number("mass", 5.0, 400.0))
    length = chosen.number("length", 0.1, 0.4)
    period = 1.0 / (options.rate or RATE)
    return _packets(forces, length, period, options)


def _packets(
    forces: SoleForces, length: float, period: float, options: SimulatorOptions
) -> Iterator[TimedPackets]:
    """Yield datagrams; the person stands in the first pose for the time in N-pose."""
    whole = float(forces.time[-1])
    k = 0
    while options.loop or k * period - options.n_pose <= whole:
        time = k * period
        since = max(time - options.n_pose, 0.0)
        wrench = forces.at(since % (whole + period))
        reading = insole_reading(time, wrench, length)
        yield TimedPackets(time=time, packets=(build_moticon(reading),))
        k += 1


def insole_reading(time: float, wrench: Array, length: float) -> InsoleReading:
    """Return what insoles say of wrenches (2, 6) below the ankles."""
    force = np.maximum(wrench[:, 2], 0.0)
    centre = np.zeros((2, 2))
    for s in (0, 1):
        if force[s] > 1.0:
            ahead, left = -wrench[s, 4] / force[s], wrench[s, 3] / force[s]
            centre[s] = (ahead / length - AHEAD, left / (WIDTH * length))
    return InsoleReading(
        time=time, pressure_centre=np.clip(centre, -0.5, 0.5), force=force
    )
