"""The check sees what a wrong robot.toml gets wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from telexist.robots.check.check import check_loaded, check_robot
from telexist.robots.check.finding import Finding
from telexist.robots.description.robot_model import RobotModel, build_robot, load_robot
from telexist.robots.description.spec import RobotSpec


@pytest.fixture(scope="module")
def icub() -> RobotModel:
    return load_robot("icub")


def errors(robot: RobotModel, spec: RobotSpec) -> list[Finding]:
    report = check_loaded(build_robot(spec, robot.urdf, path=robot.path))
    return [finding for finding in report.findings if finding.level == "error"]


def test_shipped_robot_has_no_errors(icub: RobotModel) -> None:
    assert errors(icub, icub.spec) == []


def test_swapped_sides_are_seen(icub: RobotModel) -> None:
    swap = {"Left": "Right", "Right": "Left"}
    links = {
        next((s.replace(a, b) for a, b in swap.items() if s.startswith(a)), s): link
        for s, link in icub.spec.links.items()
    }
    found = errors(icub, replace(icub.spec, links=links))
    assert "sides" in {finding.subject for finding in found}


def test_wrong_facing_is_seen(icub: RobotModel) -> None:
    base = replace(icub.spec.base, forward=(1.0, 0.0, 0.0))
    found = errors(icub, replace(icub.spec, base=base))
    assert {"sides", "bending", "soles"} <= {finding.subject for finding in found}


def test_two_segments_on_one_link_are_seen(icub: RobotModel) -> None:
    links = {**icub.spec.links, "Neck": icub.spec.links["Head"]}
    found = errors(icub, replace(icub.spec, links=links))
    assert any("same link" in finding.text for finding in found)


def test_segment_without_a_joint_of_its_own_is_seen(icub: RobotModel) -> None:
    links = {**icub.spec.links, "Pelvis": "base_link", "L5": "root_link"}
    found = errors(icub, replace(icub.spec, links=links))
    assert any("no joint of its own" in finding.text for finding in found)


def test_neutral_position_outside_the_limits_is_seen(icub: RobotModel) -> None:
    found = errors(icub, replace(icub.spec, neutral={"l_elbow": 0.0}))
    assert [finding.subject for finding in found] == ["neutral"]


def test_sole_in_the_air_is_seen(icub: RobotModel) -> None:
    sole = replace(icub.spec.soles["left"], position=(0.03, -0.005, -0.05))
    soles = {**icub.spec.soles, "left": sole}
    found = errors(icub, replace(icub.spec, soles=soles))
    assert "soles" in {finding.subject for finding in found}


def test_raised_arms_are_seen(icub: RobotModel) -> None:
    neutral = {**icub.spec.neutral, "l_shoulder_pitch": -1.5}
    found = errors(icub, replace(icub.spec, neutral=neutral))
    assert any("LeftUpperArm" in finding.text for finding in found)


def test_robot_that_does_not_load_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.write_text('name = "x"', encoding="utf-8")
    report = check_robot(path)
    assert report.worst == "error"
    assert [finding.subject for finding in report.findings] == ["load"]
