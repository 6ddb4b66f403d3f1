"""The simulated devices and the table of them."""

from telexist.teleop.devices.simulators.senders.options import (
    SimulatorOptions,
    TimedPackets,
)
from telexist.teleop.devices.simulators.senders.table import (
    SIMULATORS,
    load_simulator,
    require_meaning,
)

__all__ = [
    "SIMULATORS",
    "SimulatorOptions",
    "TimedPackets",
    "load_simulator",
    "require_meaning",
]
