"""What `[control]` of a `robot.toml` may state, and within which range.

L is the length of the legs, T = sqrt(L / g) the time in which they fall over, w the
width of a sole. Outside of the ranges no robot walks; inside, it is the user's choice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from telexist.retarget.config import decode
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.robot_body import RobotBody
from telexist.robots.description import RobotModel
from telexist.robots.drives import GRAVITY
from telexist.teleop.controllers.parameters.number import ParameterGroup
from telexist.teleop.terms import require_range

__all__ = [
    "FOLLOWING",
    "parameter_ranges",
    "require_order",
    "require_stated",
    "stated_groups",
    "stated_rules",
]

FOLLOWING = {
    "com_height": "leg_extension",
    "omega": "leg_extension",
}
"""What cannot be stated, since it follows, to what it follows from."""

ORDER = (
    ("min_step_width", "foot_spacing"),
    ("foot_spacing", "max_step_width"),
    ("min_step_width", "stance_spacing"),
    ("stance_spacing", "max_step_width"),
    ("comfortable_step", "max_step_length"),
)
"""The first must not be more than the second."""


def parameter_ranges(body: RobotBody) -> Mapping[str, tuple[float, float]]:
    """Return least and greatest value of each parameter that may be stated."""
    L, w = body.leg_length, max(sole.width for sole in body.soles.values())
    T = math.sqrt(L / GRAVITY)
    return {
        "leg_extension": (0.7, 0.99),
        "foot_spacing": (w, w + L),
        "stance_spacing": (w, w + L),
        "single_support": (T, 4.0 * T),
        "double_support": (0.1 * T, 4.0 * T),
        "first_double_support": (T, 20.0 * T),
        "step_height": (0.01 * L, 0.25 * L),
        "max_step_length": (0.05 * L, 0.9 * L),
        "min_step_width": (w, w + L),
        "max_step_width": (w, w + L),
        "max_crossing": (0.0, 0.8 * L),
        "foot_speed": (L, 15.0 * L),
        "comfortable_step": (0.02 * L, 0.9 * L),
        "stoop": (0.0, 0.25 * L),
        "max_step_turn": (0.05, 1.0),
        "dcm_gain": (1.0, 20.0),
        "walking_dcm_gain": (1.0, 20.0),
        "com_height_gain": (4.0, 400.0),
        "angular_gain": (0.0, 50.0),
    }


def require_stated(robot: RobotModel) -> None:
    """Check the names and values that a robot's file states.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    if len(robot.body.soles) != 2:  # cannot walk whatever it states
        return
    ranges = parameter_ranges(robot.body)
    for name, value in stated_rules(robot).items():
        place = f"control.{name}"
        if name in FOLLOWING:
            problem = f"follows from {FOLLOWING[name]}: state that instead"
            raise BadConfig(robot.path, problem, place=place)
        if name not in ranges:
            problem = f"unknown key; allowed: {', '.join(sorted(ranges))}"
            problem += "; tables: telexist robots check --control"
            raise BadConfig(robot.path, problem, place=place)
        try:
            require_range(name, value, *ranges[name])
        except BadInput as error:
            raise BadConfig(robot.path, str(error), place=place) from error


def stated_rules(robot: RobotModel) -> dict[str, float]:
    """Return the numbers that `[control]` states itself, without its tables."""
    stated = robot.spec.control.items()
    return {name: value for name, value in stated if isinstance(value, float)}


def stated_groups(
    robot: RobotModel, groups: Mapping[str, type[ParameterGroup]]
) -> dict[str, ParameterGroup]:
    """Return the groups that a robot's file changes, with its values.

    Raises:
        BadConfig: Naming the file, the key and what is allowed.
    """
    found: dict[str, ParameterGroup] = {}
    for table, stated in robot.spec.control.items():
        if isinstance(stated, float):
            continue
        place = f"control.{table}"
        if table not in groups:
            problem = f"unknown table; allowed: {', '.join(sorted(groups))}"
            raise BadConfig(robot.path, problem, place=place)
        try:
            found[table] = decode(
                groups[table], dict(stated), path=robot.path, place=place
            )
        except BadConfig:
            raise
        except BadInput as error:
            raise BadConfig(robot.path, str(error), place=place) from error
    return found


def require_order(robot: RobotModel, values: Mapping[str, float]) -> None:
    """Check that parameters of steps, stated or by rule, fit each other.

    Raises:
        BadConfig: Naming the file and the two that do not.
    """
    for low, high in ORDER:
        if values[low] > values[high]:
            problem = f"{low} = {values[low]:.3g} is more than {high}"
            problem += f" = {values[high]:.3g}"
            raise BadConfig(robot.path, problem, place="control")
