"""The one table that says what happens on what."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

from telexist.teleop.terms.fault import Fault

__all__ = ["REACTIONS", "Reaction"]


class Reaction(enum.Enum):
    """What a session does about a fault."""

    NOTE = "note"  # the sample is refused, the event is logged, motion goes on
    HOLD = "hold"  # the robot brakes and holds; a deliberate act engages it again
    STOP = "stop"  # the same, and nothing moves before a reset


REACTIONS: Mapping[Fault, Reaction] = MappingProxyType(
    {
        # the operator's stream
        Fault.STALE: Reaction.HOLD,
        Fault.FROZEN: Reaction.HOLD,
        Fault.JUMP: Reaction.HOLD,
        Fault.LIMB_FROZEN: Reaction.HOLD,
        Fault.ADRIFT: Reaction.HOLD,
        Fault.VELOCITY: Reaction.HOLD,
        Fault.IMPLAUSIBLE: Reaction.HOLD,
        Fault.INCOMPLETE: Reaction.HOLD,
        Fault.NAN: Reaction.NOTE,
        Fault.BACKWARDS: Reaction.NOTE,
        Fault.REFUSED: Reaction.NOTE,
        Fault.DEAD_MAN: Reaction.HOLD,
        Fault.DEVICE_LOST: Reaction.HOLD,
        Fault.BUTTONS_LOST: Reaction.HOLD,
        Fault.INPUT_STALE: Reaction.NOTE,
        Fault.FORCES: Reaction.NOTE,
        # our own part
        Fault.SOLVER: Reaction.HOLD,
        Fault.CONTROLLER: Reaction.STOP,
        Fault.HANDED_BACK: Reaction.HOLD,
        Fault.OVERRUN: Reaction.NOTE,
        Fault.STALLED: Reaction.HOLD,
        Fault.CRASHED: Reaction.STOP,
        Fault.DYNAMICS_LOST: Reaction.NOTE,
        Fault.OUTLET_LOST: Reaction.NOTE,
        Fault.WATCHDOG: Reaction.STOP,
        Fault.WATCHDOG_LOST: Reaction.HOLD,
        # the robot
        Fault.TRACKING: Reaction.STOP,
        Fault.ROBOT_STALE: Reaction.HOLD,
        Fault.ROBOT_LOST: Reaction.STOP,
        Fault.FALL: Reaction.STOP,
        Fault.CAMERA_LOST: Reaction.NOTE,
    }
)
"""Fault to what is done about it; a session may choose otherwise (`[reactions]`)."""
