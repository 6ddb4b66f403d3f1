"""The one table that says what happens on what."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["REACTIONS", "Reaction"]


class Reaction(enum.Enum):
    """What a session does about a fault."""

    NOTE = "note"  # the sample is refused, the event is logged, motion goes on
    HOLD = "hold"  # the robot brakes and holds; a deliberate act engages it again
    STOP = "stop"  # the same, and nothing moves before a reset


REACTIONS: Mapping[str, Reaction] = MappingProxyType(
    {
        # the operator's stream
        "stale": Reaction.HOLD,  # no sample within the deadline
        "frozen": Reaction.HOLD,  # samples that do not change at all
        "jump": Reaction.HOLD,  # the person cannot have moved like that
        "implausible": Reaction.HOLD,  # nobody can stand like that
        "incomplete": Reaction.HOLD,  # a segment that is followed is missing
        "nan": Reaction.NOTE,  # not a number, or not a rotation
        "backwards": Reaction.NOTE,  # older than the last sample
        "refused": Reaction.NOTE,  # lost, late, a stranger's: what else devices drop
        "dead_man": Reaction.HOLD,  # the switch was let go
        "device_lost": Reaction.HOLD,  # unplugged, or its reader died
        "buttons_lost": Reaction.HOLD,  # the page died: its emergency stop is gone
        "input_stale": Reaction.NOTE,  # walking, treadmill: silent; its command is zero
        # our own part
        "solver": Reaction.HOLD,  # the inverse kinematics gave up
        "controller": Reaction.STOP,  # the controller gave up
        "overrun": Reaction.NOTE,  # a turn came late
        "stalled": Reaction.HOLD,  # a turn came very late
        "crashed": Reaction.STOP,  # an error of our own in a turn
        "outlet_lost": Reaction.NOTE,  # a recording, page or summary that failed
        # the robot
        "tracking": Reaction.STOP,  # the joints are not where they were sent
        "robot_stale": Reaction.HOLD,  # no state within the deadline
        "robot_lost": Reaction.STOP,  # it cannot be reached
        "fall": Reaction.STOP,
        "camera_lost": Reaction.NOTE,  # no more pictures; the robot goes on
    }
)
"""Fault to what is done about it; a session may choose otherwise (`[reactions]`)."""
