"""Faults of a stream: lost, late, doubled, and wrong inside."""

from telexist.teleop.devices.simulators.faults.faults import (
    FaultLine,
    FaultPlan,
    parse_faults,
)

__all__ = ["FaultLine", "FaultPlan", "parse_faults"]
