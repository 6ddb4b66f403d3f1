from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from telexist.retarget.config import decode
from telexist.retarget.errors import BadConfig
from telexist.robots.description.robot_model import RobotModel
from telexist.robots.dynamics.dynamics_model import DynamicsModel
from telexist.teleop.controllers.parameters.control_rows import control_rows
from telexist.teleop.controllers.parameters.parameter_ranges import (
    FOLLOWING,
    parameter_ranges,
)
from telexist.teleop.controllers.parameters.parameters import (
    GROUPS,
    RULES,
    ControlParameters,
    control_parameters,
)
from telexist.teleop.controllers.parameters.walking_parameters import (
    GaitParameters,
    SwingParameters,
)

ROBOTS = ["icub", "g1", "talos"]


def stating(robot: RobotModel, **control: Any) -> DynamicsModel:
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
    known = {field.name for field in fields(ControlParameters)} - set(GROUPS)
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
        assert all(np.isfinite(getattr(found, name)) for name in RULES), key


def test_every_number_has_a_unit_a_range_around_it_and_a_reason(
    robot_of: Callable[[str], RobotModel],
) -> None:
    rows = list(control_rows(robot_of("g1")))
    assert len({row.name for row in rows}) == len(rows) > 150
    for row in rows:
        assert row.low <= row.value <= row.high, row.name
        assert row.unit and row.reason, row.name


def test_a_table_of_a_robot_changes_one_number_and_leaves_the_others(
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    stated = stating(robot, swing={"press": 0.3}, dcm_gain=4.0)
    found = control_parameters(stated).parameters
    assert found.swing == SwingParameters(press=0.3)
    assert found.dcm_gain == 4.0 and found.gait == GaitParameters()


@pytest.mark.parametrize(
    ("table", "key", "value", "match"),
    [
        ("swing", "press", 99.0, r"control\.swing.*press.*not in the range"),
        ("swing", "press", float("nan"), r"control\.swing.*press.*found nan"),
        ("swing", "haste", 1.0, r"control\.swing.*haste.*recovery_press"),
        ("jumping", "height", 1.0, r"control\.jumping.*unknown table.*swing"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    table: str,
    key: str,
    value: float,
    match: str,
    robot_of: Callable[[str], RobotModel],
) -> None:
    robot = robot_of("icub")
    with pytest.raises(BadConfig, match=match) as caught:
        control_parameters(stating(robot, **{table: {key: value}}))
    assert str(robot.path) in str(caught.value)


def test_tables_of_numbers_are_read_from_toml(tmp_path: Path) -> None:
    table = {"name": "r", "control": {"dcm_gain": 4, "swing": {"press": 0.3}}}
    spec = decode(Control, table, path=tmp_path)
    assert spec.control == {"dcm_gain": 4.0, "swing": {"press": 0.3}}
    wrong = {"name": "r", "control": {"swing": {"press": "fast"}}}
    with pytest.raises(BadConfig, match=r"control\.swing\.press"):
        decode(Control, wrong, path=tmp_path)


@dataclass(frozen=True, kw_only=True)
class Control:
    name: str
    control: Mapping[str, float | Mapping[str, float]]
