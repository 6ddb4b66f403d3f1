"""A person made of a clip, for players and simulators."""

from telexist.teleop.devices.person.clip_loop import FloorMove, looped_clip
from telexist.teleop.devices.person.simulated_operator import (
    T_POSE,
    OperatorPose,
    SimulatedOperator,
)

__all__ = ["FloorMove", "OperatorPose", "SimulatedOperator", "T_POSE", "looped_clip"]
