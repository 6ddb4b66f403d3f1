"""Limits: the file's before the model's before defaults; followers stay inside."""

from __future__ import annotations

import numpy as np
import pytest
from telexist.retarget.robot_body import Mimic
from telexist.robots.description.limits import (
    CONTINUOUS_RANGE,
    REVOLUTE_RANGE,
    REVOLUTE_SPEED,
    BodyLimits,
    joint_limits,
    keep_followers_inside,
)
from telexist.robots.description.mimics import resolve_mimics
from telexist.robots.description.spec import LimitSpec
from telexist.robots.urdf.read_urdf import parse_urdf
from telexist.robots.urdf.urdf import Urdf


def chain(*insides: str, kinds: tuple[str, ...] = ()) -> Urdf:
    """Return a chain of joints j0, j1, ... with the given XML inside."""
    text = '<link name="l0"/>'
    for i, inside in enumerate(insides):
        kind = kinds[i] if kinds else "revolute"
        text += (
            f'<link name="l{i + 1}"/><joint name="j{i}" type="{kind}">'
            f'<parent link="l{i}"/><child link="l{i + 1}"/>{inside}</joint>'
        )
    return parse_urdf(f'<robot name="r">{text}</robot>')


def limit(lower: float, upper: float, velocity: float) -> str:
    return f'<limit lower="{lower}" upper="{upper}" velocity="{velocity}" effort="1"/>'


def test_model_s_limits_are_taken() -> None:
    limits = joint_limits(chain(limit(-1.0, 2.0, 3.0)), ["j0"], {})
    assert (limits.lower[0], limits.upper[0], limits.velocity[0]) == (-1.0, 2.0, 3.0)
    assert limits.default_position == limits.default_velocity == ()


@pytest.mark.parametrize("dummy", [0.0, 100.0, 120.0, 50000.0, 1e9, 1e30])
def test_dummy_velocity_gets_the_default(dummy: float) -> None:
    limits = joint_limits(chain(limit(-1.0, 2.0, dummy)), ["j0"], {})
    assert limits.velocity[0] == REVOLUTE_SPEED
    assert limits.default_velocity == ("j0",)


def test_file_s_limits_win() -> None:
    stated = {"j0": LimitSpec(lower=-0.5, velocity=7.0)}
    limits = joint_limits(chain(limit(-1.0, 2.0, 3.0)), ["j0"], stated)
    assert (limits.lower[0], limits.upper[0], limits.velocity[0]) == (-0.5, 2.0, 7.0)


def test_absent_limits_get_finite_defaults() -> None:
    urdf = chain("", "", "", kinds=("revolute", "continuous", "prismatic"))
    limits = joint_limits(urdf, ["j0", "j1", "j2"], {})
    np.testing.assert_allclose(limits.upper[:2], [REVOLUTE_RANGE, CONTINUOUS_RANGE])
    assert np.all(np.isfinite([limits.lower, limits.upper, limits.velocity]))
    assert limits.default_position == ("j0", "j1", "j2")


def bounds(lower: list[float], upper: list[float]) -> BodyLimits:
    return BodyLimits(
        lower=np.array(lower),
        upper=np.array(upper),
        velocity=np.full(len(lower), 4.0),
        default_position=(),
        default_velocity=(),
    )


@pytest.mark.parametrize("multiplier", [2.0, -2.0, 0.5, -0.25])
@pytest.mark.parametrize("offset", [0.0, 0.3])
def test_leader_inside_its_limits_keeps_the_follower_inside(
    multiplier: float, offset: float
) -> None:
    mimic = Mimic(joint="b", leader="a", multiplier=multiplier, offset=offset)
    before = bounds([-1.0, -0.6], [1.5, 0.8])
    after = keep_followers_inside(before, ["a", "b"], [mimic])
    ends = multiplier * np.array([after.lower[0], after.upper[0]]) + offset
    assert before.lower[1] - 1e-12 <= ends.min()
    assert ends.max() <= before.upper[1] + 1e-12
    assert after.lower[0] >= before.lower[0]
    assert after.upper[0] <= before.upper[0]
    assert after.velocity[0] * abs(multiplier) <= before.velocity[1] + 1e-12


def test_follower_that_cannot_stay_inside_does_not_stop_its_leader() -> None:
    mimic = Mimic(joint="b", leader="a", multiplier=1.0, offset=5.0)
    after = keep_followers_inside(bounds([-1.0, -1.0], [1.0, 1.0]), ["a", "b"], [mimic])
    assert (after.lower[0], after.upper[0]) == (-1.0, 1.0)
    assert (after.lower[1], after.upper[1]) == (4.0, 6.0)


def test_chain_of_followers_is_resolved_to_its_leader() -> None:
    urdf = chain(
        limit(-1, 1, 1),
        '<mimic joint="j0" multiplier="2" offset="0.1"/>',
        '<mimic joint="j1" multiplier="-3" offset="0.5"/>',
    )
    following = resolve_mimics(urdf, {})
    last = {mimic.joint: mimic for mimic in following.mimics}["j2"]
    assert last.leader == "j0"
    assert last.multiplier == pytest.approx(-6.0)
    assert last.offset == pytest.approx(0.2)


def test_followers_of_a_locked_joint_are_locked_too() -> None:
    urdf = chain(limit(-1, 1, 1), '<mimic joint="j0" multiplier="2" offset="0.1"/>')
    following = resolve_mimics(urdf, {"j0": 0.5})
    assert following.mimics == ()
    assert following.locked == {"j0": 0.5, "j1": pytest.approx(1.1)}
