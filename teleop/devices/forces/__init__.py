"""Forces under the feet: insoles, shoes and plates in, `GroundForces` out.

Moticon's insoles by the UDP text of their desktop program, anything that speaks Lab
Streaming Layer, and a simulated pair of sensors with faults.
"""

from telexist.teleop.devices.forces.clip_forces import SoleForces, sole_forces
from telexist.teleop.devices.forces.make import make_lsl, make_moticon, make_simulated
from telexist.teleop.devices.forces.moticon_wire import (
    MOTICON_PORT,
    InsoleReading,
    build_moticon,
    parse_moticon,
)

__all__ = [
    "InsoleReading",
    "MOTICON_PORT",
    "SoleForces",
    "build_moticon",
    "make_lsl",
    "make_moticon",
    "make_simulated",
    "parse_moticon",
    "sole_forces",
]
