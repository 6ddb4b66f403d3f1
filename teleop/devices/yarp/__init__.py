"""What programs on YARP show of an operator: wearables, shoes, goals, joypads.

Ports of ours listen and keep themselves connected to theirs; samples come out.
"""

from telexist.teleop.devices.yarp.make import (
    make_goal,
    make_joypad,
    make_shoes,
    make_wearables,
)
from telexist.teleop.devices.yarp.simulated_suit import SUITS, SimulatedSuit

__all__ = [
    "SUITS",
    "SimulatedSuit",
    "make_goal",
    "make_joypad",
    "make_shoes",
    "make_wearables",
]
