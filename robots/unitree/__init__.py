"""Unitree's G1: its low-level command, over the bridge on it (ZMQ) or over DDS.

Commands in radians go in; motor commands with gains go out, and the state comes back.
"""

from telexist.robots.unitree.low_command import (
    MOTORS,
    SLOTS,
    LowCommand,
    checksum,
    motor_gains,
)
from telexist.robots.unitree.make import make
from telexist.robots.unitree.simulated_g1 import SimulatedG1
from telexist.robots.unitree.simulated_g1_dds import SimulatedG1Dds

__all__ = [
    "LowCommand",
    "MOTORS",
    "SLOTS",
    "SimulatedG1",
    "SimulatedG1Dds",
    "checksum",
    "make",
    "motor_gains",
]
