"""The solids of a robot are fitted once, and the same when they come from the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from telexist.retarget.link_hull import Solids
from telexist.robots.description import RobotModel, robot_solids
from telexist.robots.urdf import link_hulls

TIP = 0.025  # [m] that rounding takes off a sharp tip at most; flat sides keep to 2 mm


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache of its own."""
    folder = tmp_path / "cache" / "compiled"
    folder.mkdir(parents=True)
    monkeypatch.setattr(robot_solids, "cache_folder", lambda: folder)
    return folder.parent


def assert_same(one: Solids, other: Solids) -> None:
    assert len(one.hulls) == len(other.hulls) > 0
    for a, b in zip(one.hulls, other.hulls, strict=True):
        assert a.link == b.link
        assert a.radius == b.radius
        assert (a.corners == b.corners).all()
    for name in ("pairs", "least", "ends"):
        assert (getattr(one.meetings, name) == getattr(other.meetings, name)).all()


def test_what_comes_from_the_cache_is_what_was_fitted(
    kept: Path, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("human66")
    fitted = robot_solids.robot_solids(robot.urdf, robot.body)
    (file,) = kept.glob("solids-*.npz")
    written = file.stat().st_mtime_ns
    assert_same(fitted, robot_solids.robot_solids(robot.urdf, robot.body))
    assert file.stat().st_mtime_ns == written


def test_a_spoilt_cache_is_fitted_anew(
    kept: Path, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of("human66")
    fitted = robot_solids.robot_solids(robot.urdf, robot.body)
    (file,) = kept.glob("solids-*.npz")
    file.write_bytes(file.read_bytes()[:100])
    assert_same(fitted, robot_solids.robot_solids(robot.urdf, robot.body))


@pytest.mark.parametrize("name", ["human66", "talos"])
def test_solids_are_about_as_large_as_the_links(
    name: str, robot_of: Callable[[str], RobotModel]
) -> None:
    robot = robot_of(name)
    hulls = link_hulls(robot.urdf).collision
    low: dict[str, np.ndarray] = {}
    high: dict[str, np.ndarray] = {}
    for solid in robot.body.solids().hulls:
        inner, outer = solid.corners - solid.radius, solid.corners + solid.radius
        low[solid.link] = np.minimum(low.get(solid.link, np.inf), inner.min(axis=0))
        high[solid.link] = np.maximum(high.get(solid.link, -np.inf), outer.max(axis=0))
    seen = 0
    for link in {hull.link for hull in hulls} & set(low):
        corners = np.concatenate([h.vertices for h in hulls if h.link == link])
        if np.ptp(corners, axis=0).min() > 0.02:
            seen += 1
            assert low[link] == pytest.approx(corners.min(axis=0), abs=TIP)
            assert high[link] == pytest.approx(corners.max(axis=0), abs=TIP)
    assert seen > 10
