from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields, replace

import numpy as np
import pytest
from telexist.retarget.errors import BadConfig
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.parameters.parameter_ranges import (
    FOLLOWING,
    parameter_ranges,
)
from telexist.teleop.controllers.parameters.parameters import (
    ControlParameters,
    control_parameters,
)

ROBOTS = ["icub", "g1", "talos"]


def stating(robot: RobotModel, **control: float) -> DynamicsModel:
    spec = replace(robot.spec, control=control)
    return DynamicsModel(replace(robot, spec=spec))


@pytest.mark.parametrize("name", ROBOTS)
def test_what_the_rules_find_is_in_the_ranges(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    found = asdict(control_parameters(DynamicsModel(robot)).parameters)
    for key, (low, high) in parameter_ranges(robot.body).items():
        assert low <= found[key] <= high, key


def test_every_parameter_has_a_range_or_follows(
    robot_of: Callable[[str], RobotModel],
) -> None:
    known = {field.name for field in fields(ControlParameters)}
    ranges = parameter_ranges(robot_of("icub").body)
    assert set(ranges) | set(FOLLOWING) == known
    assert not set(ranges) & set(FOLLOWING)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("single_support", -0.3),
        ("single_support", 0.0),
        ("leg_extension", 3.0),
        ("leg_extension", 0.0),
        ("step_height", 5.0),
        ("dcm_gain", float("inf")),
        ("foot_speed", 0.0),
        ("foot_spacing", 9.0),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(
    key: str, value: float, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("icub")
    with pytest.raises(BadConfig, match=rf"control\.{key}.*not in the range") as caught:
        control_parameters(stating(robot, **{key: value}))
    assert str(robot.path) in str(caught.value)


@pytest.mark.parametrize("key", ["omega", "com_height"])
@pytest.mark.parametrize("value", [0.0, 0.5])
def test_what_follows_from_the_posture_cannot_be_stated(
    key: str, value: float, robot_of: Callable[[str], RobotModel]
) -> None:
    with pytest.raises(BadConfig, match=rf"control\.{key}.*leg_extension"):
        control_parameters(stating(robot_of("icub"), **{key: value}))


def test_a_name_that_is_unknown_is_refused_with_the_known_ones(
    robot_of: Callable[[str], RobotModel],
) -> None:
    with pytest.raises(BadConfig, match=r"control\.stride.*max_step_length"):
        control_parameters(stating(robot_of("icub"), stride=0.3))


def test_widths_that_do_not_fit_each_other_are_refused(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("g1")
    wide = parameter_ranges(robot.body)["min_step_width"][1]
    with pytest.raises(BadConfig, match="min_step_width .* more than foot_spacing"):
        control_parameters(stating(robot, min_step_width=wide))


@pytest.mark.parametrize("name", ROBOTS)
def test_a_stated_extension_moves_all_that_depends_on_the_height(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    usual = control_parameters(DynamicsModel(robot)).parameters
    low = control_parameters(stating(robot, leg_extension=0.9)).parameters
    assert low.com_height < usual.com_height
    assert low.omega == pytest.approx(np.sqrt(9.80665 / low.com_height), rel=1e-3)
    assert low.single_support == pytest.approx(2.1 / low.omega)


@pytest.mark.parametrize("end", [0, 1])
def test_parameters_at_the_ends_of_their_ranges_are_found(
    end: int, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("icub")
    for key, ends in parameter_ranges(robot.body).items():
        try:
            found = control_parameters(stating(robot, **{key: ends[end]})).parameters
        except BadConfig as error:  # does not fit the other widths: told, no crash
            assert "is more than" in str(error)
            continue
        assert np.isfinite(list(asdict(found).values())).all(), key
