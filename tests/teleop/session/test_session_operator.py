"""Whose profile a session uses, what it refuses, and where calibrations are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from telexist.calibration.operator_folder import profile_path
from telexist.calibration.operator_profile import OperatorProfile
from telexist.calibration.profile_file import save_profile
from telexist.retarget.errors import BadConfig, BadInput
from telexist.retarget.human.adult_size import adult_size
from telexist.teleop.devices.base.table import make_device
from telexist.teleop.session.operator import SessionOperator
from telexist.teleop.session.plan import SessionPlan


def _operator(source: str, operator: str = "") -> SessionOperator:
    plan = SessionPlan(source=source, operator=operator)
    return SessionOperator(plan, make_device(source))


@pytest.fixture
def anna(tmp_path: Path) -> str:
    """Return the file of somebody who was calibrated with a suit."""
    path = tmp_path / "anna.toml"
    suit = OperatorProfile.identity(adult_size(1.68), "anna")
    save_profile(replace(suit, source="xsens:0.0.0.0:9763?sender=10.0.0.2"), path)
    return str(path)


@pytest.mark.parametrize(
    "source",
    ["xsens", "xsens:9800", "xsens:9800?protocol=tcp", "xsens:9800?only=human"],
)
def test_another_port_is_the_same_kind_of_source(anna: str, source: str) -> None:
    profile = _operator(source, anna).profile
    assert profile is not None and profile.operator == "anna"


def test_a_profile_of_another_kind_of_source_is_refused(anna: str) -> None:
    with pytest.raises(BadInput, match="with xsens, not with vmc.*anna-vmc"):
        _operator("vmc:39540", anna)
    with pytest.raises(BadInput, match="with xsens, not with builtin.*out"):
        _operator("builtin", anna)


def test_a_profile_of_any_source_fits_every_source(tmp_path: Path) -> None:
    path = tmp_path / "simulated.toml"
    save_profile(OperatorProfile.identity(adult_size(1.68), "simulated"), path)
    for source in ("xsens", "vmc", "builtin"):
        profile = _operator(source, str(path)).profile
        assert profile is not None and profile.operator == "simulated"


@pytest.mark.parametrize("source", ["builtin", "builtin?only=human"])
def test_a_recording_needs_no_operator_and_keeps_none(source: str) -> None:
    operator = _operator(source)
    assert operator.profile is not None
    assert not operator.keep_as
    traits = make_device(source).traits
    assert traits.played and traits.still and not traits.worn
    with pytest.raises(BadInput, match="calibrated already"):
        _operator(source, "nobody-of-that-name")


def test_a_new_operator_is_where_the_calibration_will_be_kept(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    operator = _operator("xsens", str(path))
    assert operator.profile is None
    assert operator.keep_as == str(path)
    (line,) = operator.lines
    assert "calibrate to make it" in line and str(path) in line
    assert _operator("xsens").keep_as == "operator"


def test_a_name_that_was_mistyped_can_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    save_profile(OperatorProfile.identity(adult_size()), profile_path("anna"))
    (line,) = _operator("xsens", "ana").lines
    assert "no profile of 'ana' yet (known: anna)" in line


def test_a_profile_that_cannot_be_read_is_not_a_new_operator(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="not a file"):
        (tmp_path / "new.toml").mkdir()
        _operator("xsens", str(tmp_path / "new.toml"))
    with pytest.raises(BadInput, match="no operator's name"):
        _operator("xsens", "../anna")
