"""The numbers of a robot's balancing and walking, as a table on the terminal."""

from __future__ import annotations

import textwrap

from telexist.robots.description import RobotModel
from telexist.teleop.controllers.parameters import control_rows

__all__ = ["print_control"]

WIDTH = 60  # characters of a reason


def print_control(robot: RobotModel) -> None:
    """Print name, value, unit, range and reason of every number.

    Raises:
        BadInput: If the robot has no two feet.
        BadConfig: If its file states what cannot be.
    """
    print(f"{'number':32} {'value':>9} {'unit':14} {'range':>19}  reason")
    for row in control_rows(robot):
        span = "follows" if row.low == row.high else f"{row.low:.4g} to {row.high:.4g}"
        first, *more = textwrap.wrap(row.reason, WIDTH)
        print(f"{row.name:32} {row.value:9.4g} {row.unit:14} {span:>19}  {first}")
        for line in more:
            print(f"{'':77}  {line}")
