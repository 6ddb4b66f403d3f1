"""Every number of a robot's controllers as a row: name, value, unit, range, reason."""

from __future__ import annotations

from collections.abc import Iterator

from telexist.robots.description import RobotModel
from telexist.robots.dynamics import DynamicsModel
from telexist.teleop.controllers.parameters.number import NumberRow
from telexist.teleop.controllers.parameters.parameter_ranges import (
    FOLLOWING,
    parameter_ranges,
)
from telexist.teleop.controllers.parameters.parameters import (
    GROUPS,
    RULES,
    control_parameters,
)

__all__ = ["control_rows"]


def control_rows(robot: RobotModel) -> Iterator[NumberRow]:
    """Yield first what rules find, then group by group what is the same for all.

    Raises:
        BadInput: If the robot has no two feet.
        BadConfig: If its file states what cannot be.
    """
    parameters = control_parameters(DynamicsModel(robot)).parameters
    ranges = parameter_ranges(robot.body)
    for name, (unit, reason) in RULES.items():
        value = float(getattr(parameters, name))
        low, high = ranges.get(name, (value, value))
        if name in FOLLOWING:
            reason += f" (follows from {FOLLOWING[name]})"
        yield NumberRow(
            name=name, value=value, unit=unit, low=low, high=high, reason=reason
        )
    for table in GROUPS:
        yield from getattr(parameters, table).rows()
